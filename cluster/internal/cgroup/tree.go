// Package cgroup creates, fills, lists and removes the cluster's control groups on hosts with version 1 and version 2.
package cgroup

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Root is where container runtimes expect control groups. The file system mounted here decides which version the
// cluster's daemons use. Hierarchies mounted elsewhere are not touched.
const Root = "/sys/fs/cgroup"

// Tree is the control group tree of the host. A group is named by its path from the tree's root.
type Tree interface {
	// Faults describes what the cluster requires and this tree lacks.
	Faults() []string
	// Notes describes what Make changes on the host besides creating groups.
	Notes() []string
	// Memory returns the limit and the present use of all groups together, in bytes. A limit of 0 means no limit.
	Memory() (limit, used int64, err error)
	// Make creates the group and its parents. The last Remove reverts its changes above the first of them.
	Make(group string) error
	// Weigh gives the group the CPU weight of n ordinary processes. Otherwise a whole cluster would have the weight of
	// one process outside of it. The parent gets the sum of its children's weights.
	Weigh(group string, n int) error
	// WeighDaemons gives the group of a node's daemons the same share of CPU time, beside the pods, on both versions.
	WeighDaemons(group string) error
	// Join moves the process into the group.
	Join(group string, pid int) error
	// Processes lists the processes of the group and all groups below it.
	Processes(group string) ([]int, error)
	// Kill kills the processes of the group. It does not wait, and may have to be called again for processes that
	// started meanwhile.
	Kill(group string) error
	// Remove removes the group and all groups below it, and its parent if that has become empty. They must have no
	// processes.
	Remove(group string) error
	// Remaining lists the directories of the group that still exist.
	Remaining(group string) []string
}

// Open opens the host's tree. records is the directory of the record of changes to revert with the last group.
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

// Unified reports whether a tree is that of version 2.
func Unified(tree Tree) bool {
	_, unified := tree.(v2)
	return unified
}

// Mounts returns the mount points of the host's tree: one, or one per hierarchy of version 1.
func Mounts() ([]string, error) {
	tree, err := Open("")
	if err != nil {
		return nil, err
	}
	return tree.Remaining("/"), nil
}
