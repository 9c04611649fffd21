package meter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

func TestOnePodAsksWhatNodesDidForOneAnotherUnderFaults(t *testing.T) {
	t.Parallel()
	keeping := map[string]func(int) string{"events": func(asked int) string { return fmt.Sprintf("hints_kept %d\nread_repairs 4\n", 10*asked) }}
	for index, want := range map[int]*v1beta1.StoreEvents{
		0: {Nodes: 2, Of: 3, Counts: map[string]int64{"hints_kept": 20, "read_repairs": 0}},
		1: nil,
	} {
		t.Run(fmt.Sprintf("pod %d", index), func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			m.Spec.Pods, m.Spec.Faults = 2, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}
			at := metav1.NewMicroTime(time.Now().Add(time.Second))
			m.Status.StartAt = &at
			api := newFakeAPI(t, m)
			nodes := countingStore(t, keeping) + "," + countingStore(t, nil) + "," + countingStore(t, keeping)
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+nodes, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index))
			require.Equal(t, orders.ExitDone, p.wait(t))
			assert.Equal(t, want, api.last(t).StoreEvents)
			assert.Nil(t, api.last(t).StoreReadings)
		})
	}
}

func TestALoadUnderFaultsComparesItsClock(t *testing.T) {
	t.Parallel()
	for _, faults := range [][]v1beta1.FaultSpec{nil, {{Kind: v1beta1.FaultKill}}} {
		m := startedMeasurement()
		m.Spec.Faults = faults
		api := newFakeAPI(t, m)
		require.Equal(t, orders.ExitDone, startPod(t, api.URL, "").wait(t))
		assert.Equal(t, len(faults) > 0, api.last(t).ClockOffsetMicros != nil)
	}
}
