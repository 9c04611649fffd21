package controller

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestObservesTheRunsOwnMeasurementsAndWhatBearsTheNextOnesNames(t *testing.T) {
	measurement := func(name, run string, finished bool) *v1beta1.Measurement {
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{v1beta1.LabelRun: run}}}
		if finished {
			m.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}}
		}
		return m
	}
	for _, test := range []struct {
		name    string
		present func(first, second string) []client.Object
		seen    func(first, second string) []string
		next    func(first, second string) string
	}{
		{"nothing of another run", func(first, _ string) []client.Object {
			return []client.Object{measurement(first, "mine", true), measurement("other-r1-hsha-read-1", "other", true)}
		}, func(first, _ string) []string { return []string{first} }, func(_, second string) string { return second }},
		{"but what another run has under the next one's name", func(first, second string) []client.Object {
			return []client.Object{measurement(first, "mine", true), measurement(second, "other", false)}
		}, func(first, second string) []string { return []string{first, second} }, func(_, second string) string { return second }},
		{"not yet what it has under a later one's", func(first, second string) []client.Object {
			return []client.Object{measurement(second, "other", true)}
		}, func(string, string) []string { return nil }, func(first, _ string) string { return first }},
		{"its own that lost its label, and what comes after", func(first, second string) []client.Object {
			return []client.Object{measurement(first, "", true), measurement(second, "mine", true)}
		}, func(first, second string) []string { return []string{first, second} }, func(string, string) string { return "" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newScene().o
			o.experiment.Namespace, o.experiment.Labels = "ns", map[string]string{v1beta1.LabelRun: "mine"}
			cells := o.plan.Cells()
			first, second := cells[0].Name, cells[1].Name
			scheme := runtime.NewScheme()
			require.NoError(t, v1beta1.AddToScheme(scheme))
			r := &Reconciler{Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(test.present(first, second)...).Build()}
			require.NoError(t, r.observeMeasurements(context.Background(), &o))
			assert.Equal(t, slices.Sorted(slices.Values(test.seen(first, second))), slices.Sorted(maps.Keys(o.measurements)))
			next, _ := o.currentCell()
			assert.Equal(t, test.next(first, second), next.Name)
		})
	}
}

func TestProgressIsTheLastThatMeasurementsOfTheRunTell(t *testing.T) {
	of := func(run string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Labels: map[string]string{v1beta1.LabelRun: run}}
	}
	part := func(run string, after int) v1beta1.MeasurementPart {
		at := metav1.NewMicroTime(noon.Add(time.Duration(after) * time.Second))
		return v1beta1.MeasurementPart{ObjectMeta: of(run), Part: v1beta1.Part{LastIntervalAt: &at}}
	}
	finished := v1beta1.Measurement{ObjectMeta: of("b"), Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{{LastTransitionTime: metav1.NewTime(noon.Add(time.Minute))}}}}
	assert.Equal(t, map[string]time.Time{"a": noon.Add(7 * time.Second), "b": noon.Add(time.Minute)},
		progressByRun([]v1beta1.Measurement{finished}, []v1beta1.MeasurementPart{part("a", 7), part("a", 3), part("b", 1), {ObjectMeta: of("a")}}, noon.Add(time.Hour)))
}
