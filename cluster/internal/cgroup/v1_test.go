package cgroup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFindsTheHierarchiesOfVersion1(t *testing.T) {
	const (
		cpu     = "30 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		systemd = "28 25 0:24 / /sys/fs/cgroup/systemd rw shared:7 - cgroup systemd rw,xattr,name=systemd\n"
		unified = "27 25 0:23 / /sys/fs/cgroup/unified rw shared:6 - cgroup2 cgroup2 rw\n"
		stray   = "29 25 0:27 / /mnt/freezer rw - cgroup none rw,freezer\n"
		other   = "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
	)
	got, err := parseV1(strings.NewReader(other+unified+cpu+stray+systemd), Root)
	require.NoError(t, err)
	assert.Equal(t, v1{
		{mount: "/sys/fs/cgroup/unified"}, // of a hybrid host: groups are created there too
		{mount: "/sys/fs/cgroup/cpu,cpuacct", controllers: []string{"cpu", "cpuacct"}},
		{mount: "/sys/fs/cgroup/systemd", controllers: []string{"name=systemd"}},
	}, got, "what is mounted elsewhere is not the cluster's")
	_, err = parseV1(strings.NewReader(other+stray+unified), Root)
	assert.ErrorContains(t, err, "no control groups are mounted under /sys/fs/cgroup")
}

func TestNamesTheControllersThatVersion1Lacks(t *testing.T) {
	root := t.TempDir()
	assert.Empty(t, v1{{mount: root, controllers: requiredOfV1}}.Faults())
	assert.Equal(t, []string{"no control groups for memory are mounted under /sys/fs/cgroup"},
		v1{{mount: root, controllers: []string{"cpu", "cpuacct", "cpuset", "devices", "pids"}}}.Faults())
	faults := v1{{mount: filepath.Join(root, "absent"), controllers: requiredOfV1}}.Faults()
	require.Len(t, faults, 1)
	assert.Contains(t, faults[0], "control groups cannot be made in")
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
	write(t, filepath.Join(root, "ringside"), "cpuset.cpus", "1\n") // narrowed by an administrator: must stay

	require.NoError(t, v1{{mount: root, controllers: []string{"cpuset"}}}.Make("/ringside/node1"))

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

	pids, err := v1{{mount: root}, {mount: filepath.Join(root, "absent")}}.Processes("/ringside")

	require.NoError(t, err)
	assert.Equal(t, []int{7, 12, 99}, pids)
}

func TestRemovesTheBaseWithTheLastGroupOfIt(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"base/one/node1/kubepods/pod1", "base/two", "other"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	tree := v1{{mount: root}}

	assert.Equal(t, []string{filepath.Join(root, "base/one")}, tree.Remaining("/base/one"))
	require.NoError(t, tree.Remove("/base/one"))
	assert.Empty(t, tree.Remaining("/base/one"))
	assert.DirExists(t, filepath.Join(root, "base/two"))
	require.NoError(t, tree.Remove("/base/two"))
	assert.NoDirExists(t, filepath.Join(root, "base"))
	assert.DirExists(t, filepath.Join(root, "other"))
	assert.NoError(t, tree.Remove("/base/two"), "again does no harm")
}

func TestWeighsAsManyProcesses(t *testing.T) {
	cpu, unified := t.TempDir(), t.TempDir()
	for _, group := range []string{"base", "base/one", "base/two"} {
		for file, root := range map[string]string{"cpu.shares": cpu, "cpu.weight": unified} {
			require.NoError(t, os.MkdirAll(filepath.Join(root, group), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(root, group, file), nil, 0o600))
		}
	}
	tree := v1{{mount: cpu, controllers: []string{"cpu"}}, {mount: filepath.Join(cpu, "absent"), controllers: []string{"memory"}}}
	require.NoError(t, tree.Weigh("/base/one", 5))
	require.NoError(t, tree.Weigh("/base/two", 2))
	assert.Equal(t, "5120", read(t, filepath.Join(cpu, "base/one/cpu.shares")))
	assert.Equal(t, "7168", read(t, filepath.Join(cpu, "base/cpu.shares")), "the base weighs what its groups weigh")
	require.NoError(t, newV2(unified, unified).Weigh("/base/one", 500))
	assert.Equal(t, "10000", read(t, filepath.Join(unified, "base/one/cpu.weight")), "the most the kernel takes")
	require.NoError(t, newV2(unified, unified).WeighDaemons("/base/two"))
	assert.Equal(t, "39", read(t, filepath.Join(unified, "base/two/cpu.weight")), "half of the 79 that the kubelet gives pods on two cores")
}

func TestKnowsAContainersMemoryLimit(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	tree := v1{{mount: one, controllers: []string{"memory"}}}
	for _, test := range []struct {
		limit       string
		want, inUse int64
	}{{"8589934592", 8 << 30, 3 << 20}, {"9223372036854771712", 0, 0}} {
		write(t, one, "memory.limit_in_bytes", test.limit+"\n")
		write(t, one, "memory.usage_in_bytes", "4194304\n")
		write(t, one, "memory.stat", "cache 7\ntotal_inactive_file 1048576\n")
		limit, used, err := tree.Memory()
		require.NoError(t, err)
		assert.Equal(t, test.want, limit)
		assert.Equal(t, test.inUse, used)
	}
	limit, _, err := newV2(two, two).Memory()
	require.NoError(t, err)
	assert.Zero(t, limit, "the host's root has no limit")
	write(t, two, "memory.max", "max\n")
	limit, _, err = newV2(two, two).Memory()
	require.NoError(t, err)
	assert.Zero(t, limit)
	write(t, two, "memory.max", "1073741824\n")
	limit, _, err = newV2(two, two).Memory()
	require.NoError(t, err)
	assert.EqualValues(t, 1<<30, limit)
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
