package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Machines of one embedded cluster, by its records and its control groups (cluster/README.md): nothing else is ever signalled.
type Machines struct {
	// Records is the folder of the cluster's records.
	Records string
	// Groups is the cluster's folder in a hierarchy of control groups.
	Groups string
}

const (
	recordsOfAll  = "/run/ringside-cluster"
	controlPlane  = "control-plane"
	pauseCommand  = "pause"
	processesFile = "cgroup.procs"
)

// FindMachines of the cluster of that name.
func FindMachines(instance string) (Machines, error) {
	m := Machines{Records: filepath.Join(recordsOfAll, instance)}
	if _, err := os.Stat(filepath.Join(m.Records, controlPlane+".json")); err != nil {
		return m, fmt.Errorf("no embedded cluster %q is up: %w", instance, err)
	}
	candidates, err := filepath.Glob("/sys/fs/cgroup/*/ringside-cluster/" + instance)
	if err != nil {
		return m, fmt.Errorf("look for control groups: %w", err)
	}
	for _, candidate := range append([]string{"/sys/fs/cgroup/ringside-cluster/" + instance}, candidates...) {
		if pids, err := processesBelow(filepath.Join(candidate, controlPlane)); err == nil && len(pids) > 0 {
			m.Groups = candidate
			return m, nil
		}
	}
	return m, fmt.Errorf("the control groups of cluster %q are not there", instance)
}

// init of a machine, as recorded; an error where it does not live.
func (m Machines) init(machine string) (int, error) {
	text, err := os.ReadFile(filepath.Join(m.Records, machine+".json"))
	if err != nil {
		return 0, fmt.Errorf("read the record of %s: %w", machine, err)
	}
	var record struct {
		PID        int    `json:"pid"`
		StartTicks uint64 `json:"startTicks"`
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return 0, fmt.Errorf("read the record of %s: %w", machine, err)
	}
	ticks, err := startTicks(record.PID)
	if err != nil || ticks != record.StartTicks {
		return 0, fmt.Errorf("machine %s is down", machine)
	}
	return record.PID, nil
}

// startTicks of a process tell it from a later one of the same number.
func startTicks(pid int) (uint64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	const startTime = 19 // field 22 of all, counted from behind the name, which may hold anything
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) <= startTime {
		return 0, errors.New("unexpected form of /proc/<pid>/stat")
	}
	return strconv.ParseUint(fields[startTime], 10, 64)
}

// killMachine by its init: the kernel ends all that is in it.
func (m Machines) killMachine(machine string) error {
	pid, err := m.init(machine)
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// killDaemon of a machine, which its init starts again.
func (m Machines) killDaemon(machine, daemon string) error {
	pid, err := m.init(machine)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/root/run/services.json", pid))
	if err != nil {
		return fmt.Errorf("read the daemons of %s: %w", machine, err)
	}
	var services []struct {
		Name string `json:"name"`
		PID  int    `json:"pid"`
	}
	if err := json.Unmarshal(text, &services); err != nil {
		return fmt.Errorf("read the daemons of %s: %w", machine, err)
	}
	processes, err := processesBelow(filepath.Join(m.Groups, machine, "daemons"))
	if err != nil {
		return err
	}
	for _, service := range services {
		if service.Name != daemon || service.PID == 0 {
			continue
		}
		for _, process := range processes {
			if innerPID(process) == service.PID {
				return syscall.Kill(process, syscall.SIGKILL)
			}
		}
	}
	return fmt.Errorf("%s of %s does not run", daemon, machine)
}

// innerPID is the number of a process in its own namespace; 0 where it has ended.
func innerPID(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if numbers, is := strings.CutPrefix(line, "NSpid:"); is {
			fields := strings.Fields(numbers)
			inner, err := strconv.Atoi(fields[len(fields)-1])
			if err != nil {
				return 0
			}
			return inner
		}
	}
	return 0
}

// podGroups are the control groups of pods on all nodes that still have a process, by the pods' UIDs.
func (m Machines) podGroups() (map[string]string, error) {
	groups := map[string]string{}
	err := filepath.WalkDir(m.Groups, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone meanwhile
		}
		if err != nil || !entry.IsDir() {
			return err
		}
		uid, is := strings.CutPrefix(entry.Name(), "pod")
		if !is || !strings.Contains(path, "/kubepods/") {
			return nil
		}
		if processes, err := processesBelow(path); err == nil && len(processes) > 0 {
			groups[uid] = path
		}
		return fs.SkipDir
	})
	if err != nil {
		return nil, fmt.Errorf("look for pods' control groups: %w", err)
	}
	return groups, nil
}

// working are the processes of a pod but the one that holds its namespaces.
func working(group string) []int {
	processes, err := processesBelow(group)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(processes, func(pid int) bool {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		return err != nil || strings.TrimSpace(string(name)) == pauseCommand
	})
}

// processesBelow a control group.
func processesBelow(group string) ([]int, error) {
	var pids []int
	err := filepath.WalkDir(group, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != group {
			return nil
		}
		if err != nil || entry.Name() != processesFile {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil // the group is gone
		}
		for word := range strings.FieldsSeq(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids, err
}
