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
	assert.Equal(t, map[int]Process{7: {Command: "java -Xmx1g", Used: 3 * time.Second}}, Read(proc, []int{7, 8}), "8 has ended")
}

func TestSharesAreOfKindsAndOfTheTimeBetween(t *testing.T) {
	before := map[int]Process{
		1: {"/run/bin/kube/kubelet --config=x", 10 * time.Second},
		2: {"/run/bin/kube/kubelet --config=y", 10 * time.Second},
		3: {"java -cp /opt/cassandra/lib/* org.apache.cassandra.service.CassandraDaemon", 50 * time.Second},
		4: {"/ringside-node run", time.Second},
	}
	after := map[int]Process{
		1: {before[1].Command, 11 * time.Second},
		2: {before[2].Command, 12 * time.Second},
		3: {before[3].Command, 80 * time.Second},
		5: {"java stress", 6 * time.Second},
		6: {"/usr/local/bin/ringside-node run", 7 * time.Second},
		7: {"/usr/bin/containerd", time.Second},
	}
	shares := Between(before, after)
	assert.Equal(t, []Share{
		{"store", 30 * time.Second, false},
		{"probes", 7 * time.Second, true},
		{others, 6 * time.Second, false},
		{"kubelets", 3 * time.Second, true},
		{"containerd", time.Second, true},
	}, shares)

	var out strings.Builder
	Write(&out, shares, time.Minute)
	assert.Contains(t, out.String(), "60 s: the cluster used 47.0 s of processor time\n   30.00 s   63.8 %  store\n")
	assert.Contains(t, out.String(), "   11.00 s   23.4 %  of it for keeping")
}
