package cgroup

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// hierarchy is a mounted hierarchy of version 1.
type hierarchy struct {
	mount       string
	controllers []string // may include "name=systemd"
}

// v1 is a host with version 1, or a hybrid one. The version 2 tree of a hybrid host has no controllers for a cluster,
// but the container runtime creates its groups there as well, and leaves them behind.
type v1 []hierarchy

// requiredOfV1 lists the controllers that the kubelet requires, and those for the limits of pods.
var requiredOfV1 = []string{"cpu", "cpuacct", "cpuset", "devices", "memory", "pids"}

// parseV1 parses the kernel's list of mounts and keeps the hierarchies under root.
func parseV1(mountinfo io.Reader, root string) (v1, error) {
	var found v1
	lines := bufio.NewScanner(mountinfo)
	for lines.Scan() {
		left, right, separated := strings.Cut(lines.Text(), " - ")
		before, after := strings.Fields(left), strings.Fields(right)
		if !separated || len(before) < 5 || len(after) < 3 || !strings.HasPrefix(before[4], root+"/") {
			continue
		}
		switch after[0] {
		case "cgroup":
			found = append(found, hierarchy{mount: before[4], controllers: controllersOf(after[2])})
		case "cgroup2":
			found = append(found, hierarchy{mount: before[4]})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read mounts: %w", err)
	}
	if !slices.ContainsFunc(found, func(h hierarchy) bool { return len(h.controllers) > 0 }) {
		return nil, fmt.Errorf("no control groups are mounted under %s", root)
	}
	return found, nil
}

func controllersOf(options string) []string {
	var controllers []string
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "rw", "ro", "xattr", "noprefix", "clone_children":
		default:
			controllers = append(controllers, option)
		}
	}
	return controllers
}

func (t v1) dirs(group string) []string {
	dirs := make([]string, 0, len(t))
	for _, h := range t {
		dirs = append(dirs, filepath.Join(h.mount, group))
	}
	return dirs
}

func (t v1) Faults() []string {
	var faults []string
	for _, controller := range requiredOfV1 {
		carries := func(h hierarchy) bool { return slices.Contains(h.controllers, controller) }
		if !slices.ContainsFunc(t, carries) {
			faults = append(faults, fmt.Sprintf("no control groups for %s are mounted under %s", controller, Root))
		}
	}
	for _, h := range t {
		if err := unix.Access(h.mount, unix.W_OK); err != nil {
			faults = append(faults, fmt.Sprintf("control groups cannot be made in %s (%v)", h.mount, err))
		}
	}
	return faults
}

func (t v1) Notes() []string { return nil }

func (t v1) Memory() (limit, used int64, err error) {
	for _, h := range t {
		if slices.Contains(h.controllers, "memory") {
			return memoryOf(h.mount, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
		}
	}
	return 0, 0, nil
}

func (t v1) Make(group string) error {
	for _, h := range t {
		if err := os.MkdirAll(filepath.Join(h.mount, group), 0o755); err != nil {
			return fmt.Errorf("make control group: %w", err)
		}
		if slices.Contains(h.controllers, "cpuset") {
			if err := inheritCpuset(h.mount, group); err != nil {
				return err
			}
		}
	}
	return nil
}

// inheritCpuset copies CPUs and memory nodes from parent to child along the path: a group with an empty cpuset accepts
// no process.
func inheritCpuset(mount, group string) error {
	dir := mount
	for _, part := range parts(group) {
		parent := dir
		dir = filepath.Join(dir, part)
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			have, err := readWords(filepath.Join(dir, file))
			if err != nil {
				return fmt.Errorf("read cpuset: %w", err)
			}
			if len(have) > 0 {
				continue
			}
			value, err := os.ReadFile(filepath.Join(parent, file))
			if err != nil {
				return fmt.Errorf("read cpuset: %w", err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), value, 0); err != nil {
				return fmt.Errorf("fill cpuset: %w", err)
			}
		}
	}
	return nil
}

func (t v1) Weigh(group string, n int) error {
	for _, h := range t {
		if !slices.Contains(h.controllers, "cpu") {
			continue
		}
		if err := weigh(h.mount, group, "cpu.shares", 1024*n, 262144); err != nil {
			return err
		}
	}
	return nil
}

// WeighDaemons has nothing to do: a new group has 1024 shares, as the pods have for each core.
func (t v1) WeighDaemons(string) error { return nil }

func (t v1) Join(group string, pid int) error {
	for _, dir := range t.dirs(group) {
		if err := joinIn(dir, pid); err != nil {
			return err
		}
	}
	return nil
}

func (t v1) Processes(group string) ([]int, error) { return processesUnder(t.dirs(group)...) }

// Kill must be called again for processes that started meanwhile, unless their machine's init was killed too.
func (t v1) Kill(group string) error {
	pids, err := t.Processes(group)
	if err != nil {
		return err
	}
	return killEach(pids)
}

func (t v1) Remove(group string) error {
	for _, dir := range t.dirs(group) {
		if err := removeTree(dir); err != nil {
			return fmt.Errorf("remove control group: %w", err)
		}
	}
	above := filepath.Dir(group)
	if above == "/" {
		return nil
	}
	for _, dir := range t.dirs(above) {
		if exists(dir) && !holdsGroups(dir) {
			if err := removeDirectory(dir); err != nil {
				return fmt.Errorf("remove control group: %w", err)
			}
		}
	}
	return nil
}

func (t v1) Remaining(group string) []string {
	return slices.DeleteFunc(t.dirs(group), func(dir string) bool { return !exists(dir) })
}
