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

// limit is a resource limit that the Cassandra project recommends.
type limit struct {
	name     string
	resource int
	want     uint64
	// without is the consequence of a lower limit.
	without string
}

var wantedLimits = []limit{
	{"locked memory (memlock)", rlimitMemlock, unlimited, "the heap may be swapped out"},
	{"open files (nofile)", syscall.RLIMIT_NOFILE, 100_000, "a node with many tables or connections may run out of them"},
	{"threads (nproc)", rlimitProcs, 32_768, "a server with a thread per connection may run out of them"},
}

// raise raises the limit to the recommended value, or to the hard limit if that is lower, and returns it. Kubernetes has no setting for
// limits: a pod inherits them from the container runtime of its node.
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

// shortfall returns a message about a limit that is too low; empty if it is not.
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

// raiseLimits raises the limits that the JVM inherits, and prints those that stay too low.
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
