package usage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadsWhatAProcessUsed(t *testing.T) {
	proc := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(proc, "7"), 0o700))
	stat := "7 (a (bad) name) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 100\n"
	require.NoError(t, os.WriteFile(filepath.Join(proc, "7", "stat"), []byte(stat), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(proc, "7", "cmdline"), []byte("java\x00-Xmx1g\x00"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(proc, "7", "environ"), []byte("HOME=/\x00"), 0o600))
	assert.Equal(t, map[int]Process{7: {Command: "java -Xmx1g", Used: 3 * time.Second}}, Read(proc, []int{7, 8}), "8 has ended")
}

func TestKnowsALoadByItsOrders(t *testing.T) {
	for environment, load := range map[string]bool{
		"RINGSIDE_HLOG=/scratch/log\x00":               true,
		"A=1\x00RINGSIDE_HLOG=/scratch/log\x00B=2\x00": true,
		"A=1\x00":                             false,
		"SAYS=RINGSIDE_HLOG=/scratch/log\x00": false,
		"RINGSIDE_SERVERS=inline:9000\x00":    false,
	} {
		proc := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(proc, "7"), 0o700))
		for name, text := range map[string]string{"stat": "7 (x) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 100\n", "cmdline": "x", "environ": environment} {
			require.NoError(t, os.WriteFile(filepath.Join(proc, "7", name), []byte(text), 0o600))
		}
		assert.Equal(t, load, Read(proc, []int{7})[7].Load, "%q", environment)
	}
}

// Names of stores are not known here: a process that neither runs the cluster nor generates load belongs to the store.
func TestSharesAreOfKindsAndOfTheTimeBetween(t *testing.T) {
	before := map[int]Process{
		1: {Command: "/run/bin/kube/kubelet --config=x", Used: 10 * time.Second},
		2: {Command: "/run/bin/kube/kubelet --config=y", Used: 10 * time.Second},
		3: {Command: "a store that nobody heard of", Used: 50 * time.Second},
	}
	after := map[int]Process{
		1: {Command: before[1].Command, Used: 11 * time.Second},
		2: {Command: before[2].Command, Used: 12 * time.Second},
		3: {Command: before[3].Command, Used: 80 * time.Second},
		5: {Command: "java -jar load.jar", Used: 6 * time.Second, Load: true},
		6: {Command: "/ringside/meter tool /ringside/socket", Used: 7 * time.Second, Load: true},
		7: {Command: "/usr/bin/containerd", Used: time.Second},
	}
	shares := Between(before, after)
	assert.Equal(t, []Share{
		{stores, 30 * time.Second, false},
		{"meter", 7 * time.Second, true},
		{loads, 6 * time.Second, false},
		{"kubelets", 3 * time.Second, true},
		{"containerd", time.Second, true},
	}, shares)

	var out strings.Builder
	Write(&out, shares, time.Minute)
	assert.Contains(t, out.String(), "60 s: the cluster used 47.0 s of CPU time\n   30.00 s   63.8 %  store and its probes\n")
	assert.Contains(t, out.String(), "   11.00 s   23.4 %  of it for running")
}
