package loadtool

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeepsTheLastLines(t *testing.T) {
	var kept tail
	for i := range 100 {
		fmt.Fprintf(&kept, "line %d\n\n", i)
	}
	fmt.Fprint(&kept, strings.Repeat("x", 10_000))
	fmt.Fprint(&kept, "y\nno \xff end")
	lines := strings.Split(kept.String(), "\n")
	assert.Len(t, lines, tailLines)
	assert.Equal(t, "line 92", lines[0])
	assert.Equal(t, strings.Repeat("x", tailWidth), lines[tailLines-2])
	assert.Equal(t, "no ? end", lines[tailLines-1])
}

// tree writes files below a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return root
}

func TestReadsTheCPUTimeOfBothCgroupVersions(t *testing.T) {
	const v1Stat, v2Stat = "nr_periods 10\nnr_throttled 2\nthrottled_time 3000000000\n", "usage_usec 7000000\nuser_usec 1\nthrottled_usec 3000000\n"
	for name, files := range map[string]map[string]string{
		"v2 in a container":              {"list": "0::/\n", "fs/cgroup.controllers": "cpu", "fs/cpu.stat": v2Stat, "fs/cpu.max": "50000 100000\n"},
		"v2 on a host":                   {"list": "0::/system.slice/x\n", "fs/cgroup.controllers": "cpu", "fs/system.slice/x/cpu.stat": v2Stat, "fs/system.slice/x/cpu.max": "50000 100000\n"},
		"v1 in a container":              {"list": "4:cpu,cpuacct:/kubepods/pod1\n0::/\n", "fs/cpu,cpuacct/cpu.stat": v1Stat, "fs/cpu,cpuacct/cpuacct.usage": "7000000000\n", "fs/cpu,cpuacct/cpu.cfs_quota_us": "50000\n", "fs/cpu,cpuacct/cpu.cfs_period_us": "100000\n"},
		"v1 with controllers apart":      {"list": "5:cpu:/pod1\n6:cpuacct:/pod1\n", "fs/cpu/pod1/cpu.stat": v1Stat, "fs/cpu/pod1/cpu.cfs_quota_us": "50000", "fs/cpu/pod1/cpu.cfs_period_us": "100000", "fs/cpuacct/pod1/cpuacct.usage": "7000000000"},
		"v1 beside a v2 without control": {"list": "5:cpu:/pod1\n6:cpuacct:/pod1\n0::/pod1\n", "fs/unified/pod1/cgroup.procs": "1", "fs/cpu/pod1/cpu.stat": v1Stat, "fs/cpu/pod1/cpu.cfs_quota_us": "50000", "fs/cpu/pod1/cpu.cfs_period_us": "100000", "fs/cpuacct/pod1/cpuacct.usage": "7000000000"},
	} {
		root := tree(t, files)
		c, err := FindCPU(filepath.Join(root, "fs"), filepath.Join(root, "list"))
		require.NoError(t, err, name)
		r, err := c.Read()
		require.NoError(t, err, name)
		assert.Equal(t, 7*time.Second, r.Used, name)
		assert.Equal(t, 3*time.Second, r.Throttled, name)
		assert.InDelta(t, 0.5, c.cores, 1e-9, name)
		later := CPUReading{At: r.At.Add(10 * time.Second), Used: r.Used + 4*time.Second}
		assert.InDelta(t, 0.8, c.UsedRatio(r, later), 1e-9, name)
		assert.Zero(t, c.UsedRatio(r, r))
	}
}

func TestWithoutALimitThereIsAllOfTheMachine(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"v2": {"list": "0::/\n", "fs/cgroup.controllers": "cpu", "fs/cpu.stat": "usage_usec 1\n", "fs/cpu.max": "max 100000\n"},
		"v1": {"list": "4:cpu,cpuacct:/\n", "fs/cpu,cpuacct/cpu.stat": "", "fs/cpu,cpuacct/cpuacct.usage": "1", "fs/cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "fs/cpu,cpuacct/cpu.cfs_period_us": "100000\n"},
	} {
		root := tree(t, files)
		c, err := FindCPU(filepath.Join(root, "fs"), filepath.Join(root, "list"))
		require.NoError(t, err, name)
		assert.GreaterOrEqual(t, c.cores, 1.0, name)
	}
	root := tree(t, map[string]string{"list": "0::/\n"})
	_, err := FindCPU(root, filepath.Join(root, "list"))
	assert.ErrorContains(t, err, "no cpu controller")
}

func TestAddsUpHowLongThreadsRanAndWaited(t *testing.T) {
	proc := tree(t, map[string]string{
		"1/task/1/children": "7 ", "7/task/7/children": "9 ", "7/task/8/children": "", "9/task/9/children": "",
		"7/task/7/schedstat": "1000 500 3\n", "7/task/8/schedstat": "3000 500 3\n", "9/task/9/schedstat": "0 0 0\n",
		"5/task/5/schedstat": "1000000 1000000 3\n",
	})
	put := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(proc, name), []byte(content), 0o600))
	}
	w := newWaits(proc, 1)
	assert.Nil(t, w.ratio(), "nothing is known before a look")
	w.look()
	require.NotNil(t, w.ratio())
	assert.InDelta(t, 0.2, *w.ratio(), 1e-9, "of the tool's processes, and no other")
	put("9/task/9/schedstat", "0 5000 1\n")
	require.NoError(t, os.Remove(filepath.Join(proc, "7/task/8/schedstat"))) // the thread has ended
	w.look()
	assert.InDelta(t, 0.6, *w.ratio(), 1e-9, "a thread that has ended still counts")
	put("9/task/9/schedstat", "100 0 1\n")
	w.look()
	assert.Equal(t, int64(4100), w.ran, "a number that was given again begins at nothing")
	put("7/task/7/schedstat", "")
	w.look()
	assert.Nil(t, w.ratio(), "what the kernel does not tell is not known")
}

func TestSeesThatAToolWaitsForACore(t *testing.T) {
	if readText("/proc/self/schedstat") == "" {
		t.Skip("this kernel does not count how long threads wait")
	}
	w := newWaits("/proc", os.Getpid())
	tool, err := StartTool([]string{"sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; sleep 600"}, os.Environ(), io.Discard, io.Discard)
	require.NoError(t, err)
	defer tool.Stop(0)
	require.Eventually(t, func() bool { w.look(); return w.ran > 0 }, time.Minute, 10*time.Millisecond)
	require.NotNil(t, w.ratio())
}

func TestReadsThisProcesssOwnCgroup(t *testing.T) {
	c, err := FindCPU("/sys/fs/cgroup", "/proc/self/cgroup")
	if err != nil {
		t.Skipf("no cgroup with a cpu controller here: %v", err)
	}
	before, err := c.Read()
	require.NoError(t, err)
	for n, until := 0, time.Now().Add(50*time.Millisecond); time.Now().Before(until); n++ {
		_ = strings.Repeat("x", n%1000)
	}
	after, err := c.Read()
	require.NoError(t, err)
	assert.Greater(t, after.Used, before.Used)
}
