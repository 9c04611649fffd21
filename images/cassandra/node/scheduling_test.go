package main

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestWhatIsStartedRunsUnderThePolicyThatTheChartAsksFor(t *testing.T) {
	for _, policy := range []struct {
		value uint32
		want  string
	}{{unix.SCHED_NORMAL, "0\n"}, {unix.SCHED_BATCH, "3\n"}} {
		said := make(chan string)
		// In a goroutine that ends with its thread, so that nothing else runs on that thread.
		go func() {
			if err := takePolicy(policy.value); err != nil {
				said <- err.Error()
				return
			}
			// proc(5): the 41st field of stat is the policy.
			out, err := exec.Command("cut", "-d ", "-f41", "/proc/self/stat").CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
			}
			said <- string(out)
		}()
		assert.Equal(t, policy.want, <-said)
	}
}

func TestReadsASchedulingPolicyByItsName(t *testing.T) {
	policy, err := schedulingPolicy("RINGSIDE_SCHEDULING_POLICY", "batch")
	require.NoError(t, err)
	assert.EqualValues(t, unix.SCHED_BATCH, policy)
	policy, err = schedulingPolicy("RINGSIDE_SCHEDULING_POLICY", "other")
	require.NoError(t, err)
	assert.EqualValues(t, unix.SCHED_NORMAL, policy)
	_, err = schedulingPolicy("RINGSIDE_SCHEDULING_POLICY", "fifo")
	assert.EqualError(t, err, `RINGSIDE_SCHEDULING_POLICY is "fifo": other or batch`)
}
