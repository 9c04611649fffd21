// Package usage says who uses the processors of a running cluster: how much of it is the store and its load, and how much goes
// into keeping the cluster and looking at it.
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

// tick is the kernel's unit for processor time in /proc, the same on every architecture that Linux has today.
const tick = 10 * time.Millisecond

// Process is what one process used since it began, its ended threads included.
type Process struct {
	Command string // its arguments
	Used    time.Duration
	// Load is whether it was given a load's orders.
	Load bool
}

// loadVariable is in the environment of every load image's processes, by their contract, and of no others.
const loadVariable = "RINGSIDE_HLOG="

// Read looks the processes up in a /proc. Those that ended meanwhile are left out.
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

// parseStat adds user and system time of a line of /proc/PID/stat. The second field, the program's name, may hold spaces and
// brackets of its own.
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
