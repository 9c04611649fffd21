// Package cgroup makes, fills, lists and removes the cluster's control groups on version 1 and version 2 hosts.
package cgroup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Hierarchy is one mounted control group tree.
type Hierarchy struct {
	Mount       string
	Unified     bool     // version 2
	Controllers []string // version 1: what the mount carries, "name=systemd" among them
}

// Hierarchies lists what the host has mounted.
func Hierarchies() ([]Hierarchy, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("list control group mounts: %w", err)
	}
	defer f.Close()
	return parseMountinfo(f)
}

// parseMountinfo keeps the hierarchies a container runtime uses. On a hybrid host that is version 1: the
// version 2 tree beside it carries no controller.
func parseMountinfo(r io.Reader) ([]Hierarchy, error) {
	var v1, v2 []Hierarchy
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		left, right, found := strings.Cut(lines.Text(), " - ")
		before, after := strings.Fields(left), strings.Fields(right)
		if !found || len(before) < 5 || len(after) < 3 {
			continue
		}
		mount := before[4]
		switch after[0] {
		case "cgroup2":
			v2 = append(v2, Hierarchy{Mount: mount, Unified: true})
		case "cgroup":
			v1 = append(v1, Hierarchy{Mount: mount, Controllers: controllersOf(after[2])})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read mounts: %w", err)
	}
	if len(v1) > 0 {
		return v1, nil
	}
	if len(v2) > 0 {
		return v2[:1], nil
	}
	return nil, errors.New("no control groups are mounted")
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

// Make creates the group in every hierarchy. A parent must be made before its children.
func Make(hierarchies []Hierarchy, group string) error {
	for _, h := range hierarchies {
		dir := filepath.Join(h.Mount, group)
		if h.Unified {
			if err := delegate(h.Mount, group); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make control group: %w", err)
		}
		if slices.Contains(h.Controllers, "cpuset") {
			if err := inheritCpuset(h.Mount, group); err != nil {
				return err
			}
		}
	}
	return nil
}

// delegate hands every controller down to the group's level: version 2 gives a child only what its parent passes on.
func delegate(mount, group string) error {
	dir := mount
	for _, part := range strings.Split(strings.Trim(group, "/"), "/") {
		available, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
		if err != nil {
			return fmt.Errorf("read controllers: %w", err)
		}
		for _, controller := range strings.Fields(string(available)) {
			// One by one: a controller that cannot be passed on must not keep back the others.
			_ = os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+"+controller), 0)
		}
		dir = filepath.Join(dir, part)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make control group: %w", err)
		}
	}
	return nil
}

// inheritCpuset copies CPUs and memory nodes down the path: an empty cpuset takes no process.
func inheritCpuset(mount, group string) error {
	dir := mount
	for _, part := range strings.Split(strings.Trim(group, "/"), "/") {
		parent := dir
		dir = filepath.Join(dir, part)
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			have, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				return fmt.Errorf("read cpuset: %w", err)
			}
			if strings.TrimSpace(string(have)) != "" {
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

// Weigh gives the group the processor weight of n ordinary processes, when others compete with it. Otherwise a whole
// cluster would weigh as much as one process outside of it.
func Weigh(hierarchies []Hierarchy, group string, n int) error {
	for _, h := range hierarchies {
		file, value := filepath.Join(h.Mount, group, "cpu.weight"), min(100*n, 10000)
		if !h.Unified {
			if !slices.Contains(h.Controllers, "cpu") {
				continue
			}
			file, value = filepath.Join(h.Mount, group, "cpu.shares"), min(1024*n, 262144)
		}
		if err := os.WriteFile(file, []byte(strconv.Itoa(value)), 0); err != nil {
			return fmt.Errorf("weigh control group: %w", err)
		}
	}
	return nil
}

// Join moves the process into the group, in every hierarchy.
func Join(hierarchies []Hierarchy, group string, pid int) error {
	for _, h := range hierarchies {
		file := filepath.Join(h.Mount, group, "cgroup.procs")
		if err := os.WriteFile(file, []byte(strconv.Itoa(pid)), 0); err != nil {
			return fmt.Errorf("join control group: %w", err)
		}
	}
	return nil
}

// Processes lists the processes of the group and all groups below it.
func Processes(hierarchies []Hierarchy, group string) ([]int, error) {
	seen := map[int]bool{}
	for _, h := range hierarchies {
		err := walk(filepath.Join(h.Mount, group), func(dir string) error {
			content, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
			if gone(err) {
				return nil
			}
			if err != nil {
				return err
			}
			for _, field := range strings.Fields(string(content)) {
				// 0 stands for a process outside our own process namespace.
				if pid, err := strconv.Atoi(field); err == nil && pid > 0 {
					seen[pid] = true
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list processes of control group %s: %w", group, err)
		}
	}
	pids := make([]int, 0, len(seen))
	for pid := range seen {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	return pids, nil
}

// Remove removes the group and all groups below it from every hierarchy; they must hold no process.
func Remove(hierarchies []Hierarchy, group string) error {
	for _, h := range hierarchies {
		if err := removeTree(filepath.Join(h.Mount, group)); err != nil {
			return fmt.Errorf("remove control group: %w", err)
		}
	}
	return nil
}

// Remaining lists the directories that are left of the group.
func Remaining(hierarchies []Hierarchy, group string) []string {
	var left []string
	for _, h := range hierarchies {
		dir := filepath.Join(h.Mount, group)
		if _, err := os.Stat(dir); err == nil {
			left = append(left, dir)
		}
	}
	return left
}

func removeTree(root string) error {
	var dirs []string
	err := walk(root, func(dir string) error {
		dirs = append(dirs, dir)
		return nil
	})
	if err != nil {
		return err
	}
	slices.Reverse(dirs) // children before parents
	for _, dir := range dirs {
		if err := removeDirectory(dir); err != nil {
			return err
		}
	}
	return nil
}

// removeDirectory tries for a while: the kernel lets go of a group a moment after its last process has died.
func removeDirectory(dir string) error {
	deadline := time.Now().Add(5 * time.Second)
	for {
		err := syscall.Rmdir(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, syscall.EBUSY) || time.Now().After(deadline) {
			return &fs.PathError{Op: "rmdir", Path: dir, Err: err}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// walk calls visit for root and each directory below it, parents first. What vanishes meanwhile is left out.
func walk(root string, visit func(dir string) error) error {
	entries, err := os.ReadDir(root)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := visit(root); err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if err := walk(filepath.Join(root, entry.Name()), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENODEV)
}
