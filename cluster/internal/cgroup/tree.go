// Package cgroup makes, fills, lists and removes the cluster's control groups on version 1 and version 2 hosts.
package cgroup

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Root is where container runtimes look for control groups. What is mounted here decides which version the cluster's
// daemons will use; hierarchies mounted elsewhere are somebody's own business.
const Root = "/sys/fs/cgroup"

// Tree is the host's control groups. A group is named by its path from the tree's root.
type Tree interface {
	// Faults describes what a cluster needs and this tree does not give.
	Faults() []string
	// Notes describes what Make will change on the host beyond making groups.
	Notes() []string
	// Memory is what all groups together may use, and use now, in bytes. A limit of 0 is none.
	Memory() (limit, used int64, err error)
	// Make creates the group and those above it. What it has to change above the first of them, the last Remove undoes.
	Make(group string) error
	// Weigh gives the group the processor weight of n ordinary processes, when others compete with it: otherwise a whole
	// cluster would weigh as much as one process outside of it. The group above gets the weight of all within it.
	Weigh(group string, n int) error
	// Join moves the process into the group.
	Join(group string, pid int) error
	// Processes lists the processes of the group and all groups below it.
	Processes(group string) ([]int, error)
	// Kill ends them. It does not wait, and may have to be called again for those that were just born.
	Kill(group string) error
	// Remove removes the group and all below it, and the group above it when that has become empty. They must hold no
	// process.
	Remove(group string) error
	// Remaining lists the directories that are left of the group.
	Remaining(group string) []string
}

// Open finds the host's tree. The directory is for what must be remembered until the last group is removed.
func Open(records string) (Tree, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(Root, &stat); err != nil {
		return nil, fmt.Errorf("look at %s: %w; mount the control groups there", Root, err)
	}
	if stat.Type == unix.CGROUP2_SUPER_MAGIC {
		return newV2(Root, records), nil
	}
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("list control group mounts: %w", err)
	}
	defer f.Close()
	return parseV1(f, Root)
}

// Mounts lists where the host's tree is mounted: one place, or one for each hierarchy of version 1.
func Mounts() ([]string, error) {
	tree, err := Open("")
	if err != nil {
		return nil, err
	}
	return tree.Remaining("/"), nil
}
