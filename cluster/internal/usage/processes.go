// Package usage reports which processes use the CPUs of a running cluster: the share of the store and its load, and
// that of the cluster itself and its monitoring.
package usage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the kernel's unit of CPU time in /proc, the same on all architectures of Linux.
const tick = 10 * time.Millisecond

// Process is the CPU time of a process since its start, including ended threads.
type Process struct {
	Command string // its arguments
	Used    time.Duration
	// Load reports whether it has a load's orders in its environment.
	Load bool
}

// loadVariable is in the environment of the processes of every load image, by their contract, and of no others.
const loadVariable = "RINGSIDE_HLOG="

// Read returns the processes in a /proc. It skips those that have ended.
func Read(proc string, pids []int) map[int]Process {
	found := make(map[int]Process, len(pids))
	for _, pid := range pids {
		dir := filepath.Join(proc, strconv.Itoa(pid))
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		used, err := parseStat(string(stat))
		if err != nil {
			continue
		}
		arguments, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil {
			continue
		}
		environment, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue
		}
		found[pid] = Process{
			Command: string(bytes.ReplaceAll(bytes.TrimRight(arguments, "\x00"), []byte{0}, []byte{' '})),
			Used:    used,
			Load:    bytes.HasPrefix(environment, []byte(loadVariable)) || bytes.Contains(environment, []byte("\x00"+loadVariable)),
		}
	}
	return found
}

// parseStat returns the sum of user and system time of a line of /proc/PID/stat. The second field, the program's name,
// may contain spaces and parentheses.
func parseStat(line string) (time.Duration, error) {
	const user, system = 11, 12 // counted from the field after the name
	fields := strings.Fields(line[strings.LastIndex(line, ")")+1:])
	if len(fields) <= system {
		return 0, fmt.Errorf("%d fields after the name in %q", len(fields), line)
	}
	var sum int64
	for _, field := range []int{user, system} {
		ticks, err := strconv.ParseInt(fields[field], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("time in %q: %w", line, err)
		}
		sum += ticks
	}
	return time.Duration(sum) * tick, nil
}
