package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFiles is the limit that distributions give containerd. Cassandra needs 100,000.
const openFiles = 1 << 20

// limit is a resource limit that a machine's daemons and containers inherit.
type limit struct {
	name     string
	resource int
	want     uint64
}

var limits = []limit{
	{"open files", unix.RLIMIT_NOFILE, openFiles},
	{"locked memory", unix.RLIMIT_MEMLOCK, unix.RLIM_INFINITY},
	{"processes", unix.RLIMIT_NPROC, unix.RLIM_INFINITY},
	{"address space", unix.RLIMIT_AS, unix.RLIM_INFINITY},
}

// raiseLimits raises the limits that were inherited from the shell, and returns those that it could not raise: to
// exceed a hard limit requires CAP_SYS_RESOURCE, which containers often lack.
func raiseLimits() (shortfalls []string) {
	for _, l := range limits {
		if got, err := l.raise(); err != nil {
			shortfalls = append(shortfalls, fmt.Sprintf("%s: %s of %s", l.name, amount(got), amount(l.want)))
		}
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, 0); err != nil {
		shortfalls = append(shortfalls, fmt.Sprintf("priority: not raised to 0 (%v)", err))
	}
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte("0"), 0); err != nil {
		shortfalls = append(shortfalls, fmt.Sprintf("out-of-memory score: not set to 0 (%v)", err))
	}
	return shortfalls
}

// raise sets both limits to the wanted value, or as close to it as permitted.
func (l limit) raise() (got uint64, err error) {
	// The syscall package then keeps the number of open files when it starts programs.
	err = syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: l.want, Max: l.want})
	if err == nil {
		return l.want, nil
	}
	var now syscall.Rlimit
	if e := syscall.Getrlimit(l.resource, &now); e != nil {
		return 0, e
	}
	if now.Max >= l.want { // never lower a limit
		return l.want, nil
	}
	now.Cur = now.Max
	return now.Cur, errors.Join(err, syscall.Setrlimit(l.resource, &now))
}

func amount(value uint64) string {
	if value == unix.RLIM_INFINITY {
		return "unlimited"
	}
	return strconv.FormatUint(value, 10)
}

// Shortfalls returns the limits that could not be raised.
func (p Process) Shortfalls() ([]string, error) {
	content, err := os.ReadFile(p.Root() + shortfallsFile)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && len(content) == 0) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	return strings.Split(string(content), "\n"), nil
}
