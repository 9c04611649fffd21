package cgroup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindsTheHierarchiesThatCarryControllers(t *testing.T) {
	const (
		cpu     = "30 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		systemd = "28 25 0:24 / /sys/fs/cgroup/systemd rw shared:7 - cgroup systemd rw,xattr,name=systemd\n"
		unified = "27 25 0:23 / /sys/fs/cgroup/unified rw shared:6 - cgroup2 cgroup2 rw\n"
		pure    = "27 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
		other   = "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
	)
	for _, test := range []struct {
		name, mounts string
		want         []Hierarchy
	}{
		{"version 1", other + cpu + systemd, []Hierarchy{
			{Mount: "/sys/fs/cgroup/cpu,cpuacct", Controllers: []string{"cpu", "cpuacct"}},
			{Mount: "/sys/fs/cgroup/systemd", Controllers: []string{"name=systemd"}},
		}},
		{"hybrid counts as version 1", unified + cpu, []Hierarchy{{Mount: "/sys/fs/cgroup/cpu,cpuacct", Controllers: []string{"cpu", "cpuacct"}}}},
		{"version 2", other + pure, []Hierarchy{{Mount: "/sys/fs/cgroup", Unified: true}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseMountinfo(strings.NewReader(test.mounts))
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
	_, err := parseMountinfo(strings.NewReader(other))
	assert.ErrorContains(t, err, "no control groups")
}

func TestDelegatesEveryControllerOnVersion2(t *testing.T) {
	root := t.TempDir()
	write(t, root, "cgroup.controllers", "cpu memory pids\n")
	write(t, root, "cgroup.subtree_control", "")
	// The kernel makes these files in a new group; a plain directory needs them put there.
	require.NoError(t, os.Mkdir(filepath.Join(root, "ringside"), 0o755))
	write(t, filepath.Join(root, "ringside"), "cgroup.controllers", "cpu memory pids\n")
	write(t, filepath.Join(root, "ringside"), "cgroup.subtree_control", "")

	require.NoError(t, Make([]Hierarchy{{Mount: root, Unified: true}}, "/ringside/node1"))

	assert.DirExists(t, filepath.Join(root, "ringside/node1"))
	// The kernel adds up what is written; a plain file keeps the last.
	assert.Equal(t, "+pids", read(t, filepath.Join(root, "ringside/cgroup.subtree_control")))
}

func TestFillsTheCpusetDownThePath(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"", "ringside", "ringside/node1"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		write(t, filepath.Join(root, dir), "cpuset.cpus", "\n")
		write(t, filepath.Join(root, dir), "cpuset.mems", "\n")
	}
	write(t, root, "cpuset.cpus", "0-1\n")
	write(t, root, "cpuset.mems", "0\n")
	write(t, filepath.Join(root, "ringside"), "cpuset.cpus", "1\n") // narrowed by someone: stays

	require.NoError(t, Make([]Hierarchy{{Mount: root, Controllers: []string{"cpuset"}}}, "/ringside/node1"))

	assert.Equal(t, "1\n", read(t, filepath.Join(root, "ringside/cpuset.cpus")))
	assert.Equal(t, "1\n", read(t, filepath.Join(root, "ringside/node1/cpuset.cpus")))
	assert.Equal(t, "0\n", read(t, filepath.Join(root, "ringside/node1/cpuset.mems")))
}

func TestListsTheProcessesOfAllGroupsBelow(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "ringside/node1/kubepods"), 0o755))
	write(t, filepath.Join(root, "ringside"), "cgroup.procs", "")
	write(t, filepath.Join(root, "ringside/node1"), "cgroup.procs", "12\n7\n")
	write(t, filepath.Join(root, "ringside/node1/kubepods"), "cgroup.procs", "12\n0\n99\n")

	pids, err := Processes([]Hierarchy{{Mount: root}, {Mount: filepath.Join(root, "absent")}}, "/ringside")

	require.NoError(t, err)
	assert.Equal(t, []int{7, 12, 99}, pids)
}

func TestRemovesChildrenBeforeParents(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "ringside/node1/kubepods/pod1"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "other"), 0o755))
	hierarchies := []Hierarchy{{Mount: root}}

	assert.Equal(t, []string{filepath.Join(root, "ringside")}, Remaining(hierarchies, "/ringside"))
	require.NoError(t, Remove(hierarchies, "/ringside"))

	assert.Empty(t, Remaining(hierarchies, "/ringside"))
	assert.DirExists(t, filepath.Join(root, "other"))
	assert.NoError(t, Remove(hierarchies, "/ringside"), "again does no harm")
}

func TestWeighsAsManyProcesses(t *testing.T) {
	v1, v2 := t.TempDir(), t.TempDir()
	require.NoError(t, Weigh([]Hierarchy{
		{Mount: v1, Controllers: []string{"cpu"}}, {Mount: filepath.Join(v1, "absent"), Controllers: []string{"memory"}},
	}, "/", 5))
	require.NoError(t, Weigh([]Hierarchy{{Mount: v2, Unified: true}}, "/", 500))
	assert.Equal(t, "5120", read(t, filepath.Join(v1, "cpu.shares")))
	assert.Equal(t, "10000", read(t, filepath.Join(v2, "cpu.weight")), "the most the kernel takes")
}

func write(t *testing.T, dir, file, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644))
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}
