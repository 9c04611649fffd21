package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// parts splits a group's path.
func parts(group string) []string { return strings.Split(strings.Trim(group, "/"), "/") }

// readWords reads the words of a file; none if the file does not exist.
func readWords(path string) ([]string, error) {
	content, err := os.ReadFile(path)
	if gone(err) {
		return nil, nil
	}
	return strings.Fields(string(content)), err
}

func joinIn(dir string, pid int) error {
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
		return fmt.Errorf("join control group: %w", err)
	}
	return nil
}

// processesUnder returns the processes of the directories and their subdirectories.
func processesUnder(dirs ...string) ([]int, error) {
	seen := map[int]bool{}
	for _, root := range dirs {
		err := walk(root, func(dir string) error {
			words, err := readWords(filepath.Join(dir, "cgroup.procs"))
			for _, word := range words {
				// 0 stands for a process outside this process's PID namespace.
				if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
					seen[pid] = true
				}
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("list processes of control group: %w", err)
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

func killEach(pids []int) error {
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("end process %d: %w", pid, err)
		}
	}
	return nil
}

// weigh writes the group's weight, and the sum of all weights of its parent's children to its parent.
func weigh(mount, group, file string, weight, most int) error {
	dir := filepath.Join(mount, group)
	if err := writeWeight(dir, file, min(weight, most)); err != nil {
		return err
	}
	above := filepath.Dir(dir)
	if above == filepath.Clean(mount) {
		return nil
	}
	siblings, err := filepath.Glob(filepath.Join(above, "*", file))
	if err != nil {
		return fmt.Errorf("weigh control group: %w", err)
	}
	sum := 0
	for _, sibling := range siblings {
		words, err := readWords(sibling)
		if err != nil {
			return fmt.Errorf("weigh control group: %w", err)
		}
		for _, word := range words {
			value, _ := strconv.Atoi(word) // the kernel writes a number
			sum += value
		}
	}
	return writeWeight(above, file, min(sum, most))
}

func writeWeight(dir, file string, value int) error {
	if err := os.WriteFile(filepath.Join(dir, file), []byte(strconv.Itoa(value)), 0); err != nil {
		return fmt.Errorf("weigh control group: %w", err)
	}
	return nil
}

// removeTree removes children before parents.
func removeTree(root string) error {
	var dirs []string
	err := walk(root, func(dir string) error {
		dirs = append(dirs, dir)
		return nil
	})
	if err != nil {
		return err
	}
	slices.Reverse(dirs)
	for _, dir := range dirs {
		if err := removeDirectory(dir); err != nil {
			return err
		}
	}
	return nil
}

// removeDirectory retries for a while, because the kernel releases a group some time after its last process has ended.
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

// walk calls visit for root and each directory below it, parents first. It skips directories that disappear meanwhile.
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

// holdsGroups reports whether the group has child groups.
func holdsGroups(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(entry os.DirEntry) bool { return entry.IsDir() })
}

// memoryOf reads a group's limit, and its use without the file pages that the kernel would reclaim first. Without these
// files, as in the host's root, there is no limit.
func memoryOf(dir, limitFile, usedFile, reclaimable string) (limit, used int64, err error) {
	words, err := readWords(filepath.Join(dir, limitFile))
	if err != nil || len(words) != 1 || words[0] == "max" {
		return 0, 0, err
	}
	if limit, err = strconv.ParseInt(words[0], 10, 64); err != nil {
		return 0, 0, fmt.Errorf("read memory limit: %w", err)
	}
	if limit >= unlimited {
		return 0, 0, nil
	}
	if words, err = readWords(filepath.Join(dir, usedFile)); err != nil {
		return 0, 0, fmt.Errorf("read used memory: %w", err)
	}
	for _, word := range words {
		used, _ = strconv.ParseInt(word, 10, 64) // the kernel writes a number
	}
	if words, err = readWords(filepath.Join(dir, "memory.stat")); err != nil {
		return 0, 0, fmt.Errorf("read used memory: %w", err)
	}
	for i := 0; i+1 < len(words); i += 2 {
		if words[i] == reclaimable {
			cached, _ := strconv.ParseInt(words[i+1], 10, 64)
			used -= cached
		}
	}
	return limit, max(used, 0), nil
}

// unlimited is a lower bound of the value that version 1 writes for "no limit": the greatest number of pages.
const unlimited = int64(1) << 60

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENODEV)
}
