package main

import (
	"fmt"
	"math"
	"syscall"
)

const (
	rlimitMemlock = 8
	rlimitProcs   = 6
	unlimited     = math.MaxUint64
)

// limit is one of those that Cassandra's makers ask for.
type limit struct {
	name     string
	resource int
	want     uint64
	// without says what a lower limit does.
	without string
}

var wantedLimits = []limit{
	{"locked memory (memlock)", rlimitMemlock, unlimited, "the heap may be swapped out"},
	{"open files (nofile)", syscall.RLIMIT_NOFILE, 100_000, "a node with many tables or connections may run out of them"},
	{"threads (nproc)", rlimitProcs, 32_768, "a server with a thread per connection may run out of them"},
}

// raise asks for what is wanted, as far as the hard limit lets it. Kubernetes has no setting for limits: a pod inherits them
// from the container runtime of its node.
func (l limit) raise() (have uint64, err error) {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(l.resource, &now); err != nil {
		return 0, fmt.Errorf("reading the limit of %s: %w", l.name, err)
	}
	if now.Cur >= l.want {
		return now.Cur, nil
	}
	now.Cur = min(l.want, now.Max)
	if err := syscall.Setrlimit(l.resource, &now); err != nil {
		return 0, fmt.Errorf("raising the limit of %s: %w", l.name, err)
	}
	return now.Cur, nil
}

// shortfall is what a limit lacks, in words; empty when it is as wanted.
func (l limit) shortfall(have uint64) string {
	if have >= l.want {
		return ""
	}
	return fmt.Sprintf("the limit of %s is %d, Cassandra's makers ask for %s: %s; raise it for the node's container runtime",
		l.name, have, inWords(l.want), l.without)
}

func inWords(n uint64) string {
	if n == unlimited {
		return "none"
	}
	return fmt.Sprint(n)
}

// raiseLimits raises the limits that the JVM inherits, and says what could not be raised.
func raiseLimits() {
	for _, limit := range wantedLimits {
		have, err := limit.raise()
		if err != nil {
			fmt.Println("ringside-node:", err)
		} else if lack := limit.shortfall(have); lack != "" {
			fmt.Println("ringside-node:", lack)
		}
	}
}
