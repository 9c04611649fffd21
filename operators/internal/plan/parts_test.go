package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// writtenPart returns the report of a load pod, as its meter writes it.
func writtenPart(owner types.UID, pod string, index, attempt int32) v1beta1.MeasurementPart {
	return v1beta1.MeasurementPart{
		ObjectMeta: metav1.ObjectMeta{Name: pod, OwnerReferences: []metav1.OwnerReference{{UID: owner}}},
		Part:       v1beta1.Part{Index: index, Attempt: attempt, Pod: pod, State: v1beta1.PartDone},
	}
}

func TestOnlyThePodsOfTheAttemptReportForAMeasurement(t *testing.T) {
	lead := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "lead"}, Spec: v1beta1.MeasurementSpec{Pods: 2}, Status: v1beta1.MeasurementStatus{Attempt: 2}}
	own, second := writtenPart("lead", "m-a2-0-abcde", 0, 2), writtenPart("lead", "m-a2-1-abcde", 1, 2)
	own.Companions = []v1beta1.CompanionPart{{Measurement: "companion", Part: own.Part}}
	assert.Equal(t, map[string][]v1beta1.Part{"m": {own.Part, second.Part}, "companion": {own.Part}}, PartsOf(lead, []v1beta1.MeasurementPart{second, own}))

	forger := "x-a2-0-abcde"
	for name, written := range map[string]v1beta1.MeasurementPart{
		"a pod of an earlier attempt":              writtenPart("lead", "m-a1-0-abcde", 0, 1),
		"one that says that it is of this attempt": writtenPart("lead", "m-a1-0-abcde", 0, 2),
		"a pod of another measurement":             writtenPart("lead", forger, 0, 2),
		"one whose name begins in the same way":    writtenPart("lead", "m-a2-0-a1-0-abcde", 0, 2),
		"one that claims another index":            writtenPart("lead", "m-a2-0-abcde", 1, 2),
		"one more than the load has":               writtenPart("lead", "m-a2-2-abcde", 2, 2),
		"one of a measurement that was deleted":    writtenPart("former", "m-a2-0-abcde", 0, 2),
		"one that reports for another pod": func() v1beta1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Part.Pod = "m-a2-0-abcde"
			return part
		}(),
		"one that reports for itself again as a companion": func() v1beta1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Companions = []v1beta1.CompanionPart{{Measurement: "m", Part: own.Part}}
			return part
		}(),
	} {
		assert.Empty(t, PartsOf(lead, []v1beta1.MeasurementPart{written}), name)
	}
}
