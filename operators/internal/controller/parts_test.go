package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// writtenPart returns the report of a load pod, as its meter writes it.
func writtenPart(owner types.UID, pod string, index, attempt int32) v1alpha1.MeasurementPart {
	return v1alpha1.MeasurementPart{
		ObjectMeta: metav1.ObjectMeta{Name: pod, OwnerReferences: []metav1.OwnerReference{{UID: owner}}},
		Part:       v1alpha1.Part{Index: index, Attempt: attempt, Pod: pod, State: v1alpha1.PartDone},
	}
}

func TestOnlyThePodsOfTheAttemptReportForAMeasurement(t *testing.T) {
	lead := &v1alpha1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "lead"}, Status: v1alpha1.MeasurementStatus{Attempt: 2}}
	own, second := writtenPart("lead", "m-a2-0-abcde", 0, 2), writtenPart("lead", "m-a2-1-abcde", 1, 2)
	own.Companions = []v1alpha1.CompanionPart{{Measurement: "companion", Part: own.Part}}
	assert.Equal(t, map[string][]v1alpha1.Part{"m": {own.Part, second.Part}, "companion": {own.Part}}, partsFor(lead, []v1alpha1.MeasurementPart{second, own}))

	forger := "x-a2-0-abcde"
	for name, written := range map[string]v1alpha1.MeasurementPart{
		"a pod of an earlier attempt":              writtenPart("lead", "m-a1-0-abcde", 0, 1),
		"one that says that it is of this attempt": writtenPart("lead", "m-a1-0-abcde", 0, 2),
		"a pod of another measurement":             writtenPart("lead", forger, 0, 2),
		"one whose name begins in the same way":    writtenPart("lead", "m-a2-0-a1-0-abcde", 0, 2),
		"one that claims another index":            writtenPart("lead", "m-a2-0-abcde", 1, 2),
		"one of a measurement that was deleted":    writtenPart("former", "m-a2-0-abcde", 0, 2),
		"one that reports for another pod": func() v1alpha1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Part.Pod = "m-a2-0-abcde"
			return part
		}(),
		"one that reports for itself again as a companion": func() v1alpha1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Companions = []v1alpha1.CompanionPart{{Measurement: "m", Part: own.Part}}
			return part
		}(),
	} {
		assert.Empty(t, partsFor(lead, []v1alpha1.MeasurementPart{written}), name)
	}
}

func TestTheRecordedPartsLeaveOutWhatTheResultHas(t *testing.T) {
	parts := []v1alpha1.Part{{Pod: "p", Operations: 7, Capacity: &v1alpha1.Capacity{Rate: 400}}}
	assert.Equal(t, []v1alpha1.Part{{Pod: "p", Operations: 7}}, recorded(parts))
	assert.NotNil(t, parts[0].Capacity)
}

func TestOnlyAnotherStateOfALoadPodTriggersADecision(t *testing.T) {
	part := func(state v1alpha1.PartPhase, operations int64) *v1alpha1.MeasurementPart {
		return &v1alpha1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Part: v1alpha1.Part{State: state, Operations: operations}}
	}
	changes := otherState()
	assert.True(t, changes.Create(event.CreateEvent{Object: part(v1alpha1.PartReady, 0)}))
	assert.True(t, changes.Update(event.UpdateEvent{ObjectOld: part(v1alpha1.PartRunning, 1), ObjectNew: part(v1alpha1.PartDone, 1)}))
	assert.False(t, changes.Update(event.UpdateEvent{ObjectOld: part(v1alpha1.PartRunning, 1), ObjectNew: part(v1alpha1.PartRunning, 2)}))
	assert.False(t, changes.Delete(event.DeleteEvent{Object: part(v1alpha1.PartDone, 1)}))
}
