//go:build e2e

package guarded

import (
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// survivesADrain of the load's node and then of the store's: each attempt is given up for the reason that ended it.
func survivesADrain(h house) {
	name := h.start(runs, phases(echo("echo", 20*time.Second)))
	m := h.driving(runs, name, 0)
	h.drain(h.reported(runs, m)[0].Node)
	h.driving(runs, name, 1)
	h.drain(h.storeNode(runs))
	measured := h.complete(runs, name, 6*time.Minute)
	require.Len(h.T, measured, 1)
	assert.True(h.T, measured[0].Status.Valid, "%q", measured[0].Status.InvalidReasons)
	var reasons []v1beta1.FailureReason
	for _, failure := range measured[0].Status.Failures {
		reasons = append(reasons, failure.Reason)
	}
	assert.Equal(h.T, []v1beta1.FailureReason{v1beta1.FailureLoadPodLost, v1beta1.FailureStoreRestarted}, reasons)
}

// drain a node as an administrator does who wants to work on it, and give it back when the test ends.
func (h house) drain(node string) {
	h.T.Helper()
	h.T.Cleanup(func() { h.Kubectl("uncordon", node) })
	h.Kubectl("drain", node, "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=90s")
}

// survivesALostNode: the machine under the store ends without a word, and is started again two minutes later. The phase is long enough for
// the control plane to notice, which takes it 50 s.
func survivesALostNode(h house) {
	name := h.start(runs, phases(echo("lost", 75*time.Second), echo("after", 4*time.Second)))
	h.driving(runs, name, 0)
	node := h.storeNode(runs)
	h.kill(node)
	killed := time.Now()
	h.Await(3*time.Minute, func() bool { return time.Since(killed) > 2*time.Minute })
	require.Nil(h.T, h.experiment(runs, name).Status.FinishedAt, "the store is away, and the run waits for it")
	h.Cluster("up")
	for _, m := range h.complete(runs, name, 6*time.Minute) {
		switch m.Spec.Phase {
		case "lost":
			assert.True(h.T, len(m.Status.Failures) > 0 || len(m.Status.InvalidReasons) > 0, "what was measured on a store that was away does not count")
			for _, failure := range m.Status.Failures {
				assert.Equal(h.T, v1beta1.FailureStoreRestarted, failure.Reason, failure.Message)
			}
		default:
			assert.True(h.T, m.Status.Valid, "%q", m.Status.InvalidReasons)
		}
	}
}

// kill the first process of a node's machine, by the embedded cluster's own records: the kernel ends all others with it.
func (h house) kill(node string) {
	h.T.Helper()
	record, err := os.ReadFile(filepath.Join("/run/ringside-cluster", instance, node+".json"))
	require.NoError(h.T, err)
	var process struct {
		PID int `json:"pid"`
	}
	require.NoError(h.T, json.Unmarshal(record, &process))
	require.Greater(h.T, process.PID, 1)
	require.NoError(h.T, syscall.Kill(process.PID, syscall.SIGKILL))
}
