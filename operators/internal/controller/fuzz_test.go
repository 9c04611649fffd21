package controller

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Every observation has a next step, and it is deterministic. Meter writes to the status, next to a load that is not
// trusted.
func FuzzDecide(f *testing.F) {
	for flags := range uint16(1 << 9) {
		if flags%37 == 0 {
			f.Add(flags, int64(flags), []byte(`{}`))
		}
	}
	f.Add(uint16(1), int64(60), []byte(`{"attempt":1,"startAt":"2026-11-21T12:00:00.000000Z","parts":[{"index":0,"attempt":1,"state":"Done","pod":"p0"},{"index":1,"attempt":1,"state":"Failed","pod":"p1"}]}`))
	f.Add(uint16(3), int64(-1), []byte(`{"attempt":-1,"failures":[{"attempt":1,"reason":"LoadToolFailed"}],"conditions":[{"type":"Finished","status":"True"}]}`))
	f.Fuzz(func(t *testing.T, flags uint16, seconds int64, status []byte) {
		decide := func() string {
			var read v1beta1.MeasurementStatus
			if json.Unmarshal(status, &read) != nil {
				t.Skip()
			}
			has := func(bit int) bool { return flags&(1<<bit) != 0 }
			s := newScene()
			if has(0) {
				s.store(has(1))
			}
			if has(2) {
				s.measurement(writeCell, 1, has(3), v1beta1.PartReady, v1beta1.PartReady)
				s.o.measurements[writeCell].Status = read
			}
			e := s.o.experiment
			e.Spec.Suspend = has(4)
			if has(5) {
				e.DeletionTimestamp = &metav1.Time{Time: noon}
			}
			if has(6) {
				e.Status.Conditions = append(e.Status.Conditions, metav1.Condition{Type: v1beta1.ConditionFailed, Status: metav1.ConditionTrue})
			}
			if has(7) {
				e.Status.FinishedAt = &metav1.Time{Time: noon}
			}
			s.o.now = noon.Add(time.Duration(seconds))
			next := nextStep(s.o)
			require.NotNil(t, next)
			return fmt.Sprintf("%T %s", next, next)
		}
		require.Equal(t, decide(), decide())
	})
}
