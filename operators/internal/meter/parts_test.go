package meter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/meter/orders"
)

type metricFamily = dto.MetricFamily

func TestReadsItsOrders(t *testing.T) {
	env := map[string]string{
		"RINGSIDE_NAMESPACE": "ringside", "RINGSIDE_MEASUREMENT": "m", "RINGSIDE_ATTEMPT": "2", "JOB_COMPLETION_INDEX": "3",
		"POD_NAME": "m-a2-3-x", "NODE_NAME": "node-1", "RINGSIDE_SCRATCH": "/scratch",
	}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	c, err := ConfigFromEnvironment(lookup, []string{"/load"})
	require.NoError(t, err)
	assert.Equal(t, Config{
		Namespace: "ringside", Measurement: "m", Attempt: 2, Index: 3, Pod: "m-a2-3-x", Node: "node-1", Hlog: "/scratch/load.hlog", Summary: "/scratch/summary",
		Listen: ":9400", Linger: 10 * time.Second, TerminationLog: "/dev/termination-log", Command: []string{"/load"},
	}, c)
	for name, test := range map[string]struct{ variable, value, want string }{
		"no namespace":     {"RINGSIDE_NAMESPACE", "", "RINGSIDE_NAMESPACE is not set"},
		"no attempt":       {"RINGSIDE_ATTEMPT", "", "RINGSIDE_ATTEMPT is not set"},
		"attempt zero":     {"RINGSIDE_ATTEMPT", "0", `RINGSIDE_ATTEMPT is "0", not a number from 1 on`},
		"garbage index":    {"JOB_COMPLETION_INDEX", "first", `JOB_COMPLETION_INDEX is "first"`},
		"negative lingers": {"RINGSIDE_LINGER_SECONDS", "-1", `RINGSIDE_LINGER_SECONDS is "-1"`},
	} {
		before := env[test.variable]
		env[test.variable] = test.value
		_, err := ConfigFromEnvironment(lookup, []string{"/load"})
		assert.ErrorContains(t, err, test.want, name)
		env[test.variable] = before
		if before == "" {
			delete(env, test.variable)
		}
	}
	_, err = ConfigFromEnvironment(lookup, nil)
	assert.ErrorContains(t, err, "no load tool to run")
}

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

func TestReconcilesLogToolAndOrders(t *testing.T) {
	share := orders.Share{Operations: 1000}
	told := func(operations, errors int64) summary {
		return summary{operations: operations, errors: errors, told: true}
	}
	for name, test := range map[string]struct {
		logged int64
		told   summary
		share  orders.Share
		want   Counts
	}{
		"all agree":                     {1000, told(1000, 0), share, Counts{Operations: 1000}},
		"the log holds failures":        {1000, summary{operations: 900, errors: 100, loggedErrors: 100, told: true}, share, Counts{Operations: 900, Errors: 100}},
		"the log leaves failures out":   {900, told(900, 100), share, Counts{Operations: 900, Errors: 100}},
		"the tool says nothing":         {1000, summary{}, share, Counts{Operations: 1000}},
		"the log holds some failures":   {960, summary{operations: 900, errors: 100, loggedErrors: 60, told: true}, share, Counts{Operations: 900, Errors: 100}},
		"keys are passed on":            {1000, summary{operations: 1000, keys: 5000, told: true}, share, Counts{Operations: 1000, Keys: 5000}},
		"bounded by time":               {1234, told(1234, 0), orders.Share{DurationSeconds: 10}, Counts{Operations: 1234}},
		"the log lost some":             {990, told(1000, 0), share, Counts{Operations: 990, Doubt: "the log holds 990 operations, the load tool counted 1000 answered and 0 failed, of which it logged 0"}},
		"fewer than asked for":          {990, told(990, 3), share, Counts{Operations: 990, Errors: 3, Doubt: "1000 operations were asked for, 990 were answered and 3 failed"}},
		"more than asked for, no word":  {1001, summary{}, share, Counts{Operations: 1001, Doubt: "1000 operations were asked for, 1001 were answered and 0 failed"}},
		"the tool counts more and less": {1000, told(950, 20), share, Counts{Operations: 1000, Errors: 20, Doubt: "the log holds 1000 operations, the load tool counted 950 answered and 20 failed, of which it logged 0"}},
	} {
		assert.Equal(t, test.want, reconcile(test.logged, test.told, test.share), name)
	}
}

func TestReadsTheToolsSummary(t *testing.T) {
	s, err := parseSummary("# by load\noperations = 12\nerrors=3\n\nkeys=60\nlogged_errors=2\nflavour=mint\n")
	require.NoError(t, err)
	assert.Equal(t, summary{operations: 12, errors: 3, keys: 60, loggedErrors: 2, told: true}, s)
	for _, bad := range []string{"operations", "operations=many", "errors=-1"} {
		_, err := parseSummary(bad)
		assert.ErrorContains(t, err, "the load's summary", bad)
	}
	s, err = readSummary(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	assert.False(t, s.told)
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
