package controller

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
)

// measured returns a real measurement that is finished.
func measured(t *testing.T) *v1beta1.Measurement {
	t.Helper()
	text, err := os.ReadFile("testdata/measurement.yaml")
	require.NoError(t, err)
	m := &v1beta1.Measurement{}
	require.NoError(t, yaml.UnmarshalStrict(text, m))
	m.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "meter"}}
	return m
}

// held returns an object as the cache holds it.
func held[T runtime.Object](t *testing.T, lean func(any) (any, error), object T) T {
	t.Helper()
	kept, err := lean(object.DeepCopyObject())
	require.NoError(t, err)
	return kept.(T)
}

func TestOfAFinishedMeasurementNoFigureIsHeld(t *testing.T) {
	whole := measured(t)
	m := held(t, leaner(), whole)
	wholeText, err := json.Marshal(whole)
	require.NoError(t, err)
	text, err := json.Marshal(m)
	require.NoError(t, err)
	assert.Less(t, len(text), len(wholeText)/5)
	assert.Equal(t, &v1beta1.Result{}, m.Status.Result, "that there is one")
	assert.Empty(t, m.Status.Parts)
	assert.Nil(t, m.Status.Proof)
	assert.Nil(t, m.Status.Environment)
	assert.Empty(t, m.ManagedFields)
}

func TestOfAFinishedMeasurementIsHeldWhatDecisionsAsk(t *testing.T) {
	whole := measured(t)
	m := held(t, leaner(), whole)
	for _, same := range []struct{ want, got any }{
		{whole.Name, m.Name}, {whole.Namespace, m.Namespace}, {whole.UID, m.UID}, {whole.ResourceVersion, m.ResourceVersion}, {whole.OwnerReferences, m.OwnerReferences},
		{whole.CreationTimestamp, m.CreationTimestamp}, {whole.Labels[v1beta1.LabelRun], m.Labels[v1beta1.LabelRun]}, {whole.Finished(), m.Finished()}, {whole.Status.Valid, m.Status.Valid},
		{toolFailed(whole), toolFailed(m)},
	} {
		assert.Equal(t, same.want, same.got)
	}
	last := func(m *v1beta1.Measurement) map[string]time.Time {
		return progressByRun([]v1beta1.Measurement{*m}, nil, time.Now())
	}
	assert.Equal(t, last(whole), last(m))
	assert.Equal(t, whole.Spec, m.Spec, "faults are told of")
	assert.Equal(t, whole.Status.Faults, m.Status.Faults)

	lost := measured(t)
	lost.Status.Result = nil
	lost.Status.Failures = []v1beta1.AttemptFailure{{Attempt: 1, Reason: v1beta1.FailureLoadToolFailed, Message: "no such table"}}
	kept := held(t, leaner(), lost)
	assert.True(t, toolFailed(kept))
	assert.Equal(t, lost.Status.Failures, kept.Status.Failures)
}

func TestWhatMeasurementsOfARunHaveAlikeIsHeldOnce(t *testing.T) {
	lean := leaner()
	first, second := held(t, lean, measured(t)), held(t, lean, measured(t))
	assert.Same(t, first.Status.Result, second.Status.Result)
	assert.Same(t, unsafe.SliceData(first.OwnerReferences), unsafe.SliceData(second.OwnerReferences))
	first.Labels["seen"] = "by all"
	assert.Equal(t, first.Labels, second.Labels)
	assert.Same(t, first, func() any { again, _ := lean(first); return again }(), "what is held is not cut again")
}

func TestWhatIsHeldInPartIsNotWritten(t *testing.T) {
	r := &Reconciler{} // has no client, so a write would panic
	err := r.writeMeasurement(t.Context(), observed{}, held(t, leaner(), measured(t)), func(*v1beta1.MeasurementStatus) {})
	assert.ErrorContains(t, err, "cached without its figures")
}

func TestAMeasurementThatIsNotFinishedIsHeldAsItIs(t *testing.T) {
	m := measured(t)
	m.Status.Conditions = m.Status.Conditions[:1]
	kept := held(t, leaner(), m)
	m.ManagedFields = nil
	assert.Equal(t, m, kept)
	e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "e"}}
	assert.Equal(t, e, held(t, leaner(), e))
}

func TestOfALoadPodThatHasEndedIsHeldHowItDid(t *testing.T) {
	pod := func(component string, phase corev1.PodPhase) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Labels: map[string]string{v1beta1.LabelComponent: component}},
			Spec:   corev1.PodSpec{NodeName: "node1", Containers: []corev1.Container{{Name: "load"}}},
			Status: corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: "load", ImageID: "sha256:1"}}}}
	}
	for name, test := range map[string]struct {
		pod *corev1.Pod
		cut bool
	}{
		"succeeded":      {pod(loadgen.Component, corev1.PodSucceeded), true},
		"failed":         {pod(loadgen.Component, corev1.PodFailed), true},
		"runs":           {pod(loadgen.Component, corev1.PodRunning), false},
		"of the store's": {pod(v1beta1.StoreComponent, corev1.PodFailed), false},
	} {
		t.Run(name, func(t *testing.T) {
			want := test.pod.DeepCopy()
			if test.cut {
				want.Spec = corev1.PodSpec{NodeName: "node1"}
			}
			assert.Equal(t, want, held(t, leaner(), test.pod))
		})
	}
}

func TestTheValuesOfTheLatestRunsAreRemembered(t *testing.T) {
	all := &alike[[]string]{equal: slices.Equal[[]string]}
	value := func(i int) []string { return []string{fmt.Sprint(i)} }
	first := all.one(value(0))
	for i := range 10 * remembered {
		all.one(value(i % remembered)) // as many as there is space for
	}
	assert.Same(t, &first[0], &all.one(value(0))[0])
	for i := range remembered {
		all.one(value(remembered + i))
	}
	assert.NotSame(t, &first[0], &all.one(value(0))[0], "it was not asked for in a long time")
	assert.Len(t, all.latest, remembered)
	none := &alike[map[string]string]{equal: maps.Equal[map[string]string, map[string]string]}
	assert.Nil(t, none.one(nil))
}
