package gates

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestARunOfAnotherNamespaceIsBesideOneWhileItMayHaveSomethingOnItsNodes(t *testing.T) {
	from := time.Date(2026, 11, 24, 12, 0, 0, 500_000_000, time.UTC)
	to := from.Add(time.Minute)
	at := func(after time.Duration) *metav1.Time {
		return &metav1.Time{Time: from.Add(after).Truncate(time.Second)}
	}
	for name, test := range map[string]struct {
		change func(*v1beta1.Experiment)
		beside bool
	}{
		"under way all the time":        {func(*v1beta1.Experiment) {}, true},
		"of the same namespace":         {func(e *v1beta1.Experiment) { e.Namespace = "mine" }, false},
		"waiting for its turn":          {func(e *v1beta1.Experiment) { e.Status.StartedAt = nil }, false},
		"without a pod on any node yet": {func(e *v1beta1.Experiment) { e.Status.OnNodes = nil }, false},
		"finished before":               {func(e *v1beta1.Experiment) { e.Status.FinishedAt = at(-2 * time.Second) }, false},
		"finished within the second":    {func(e *v1beta1.Experiment) { e.Status.FinishedAt = at(0) }, true},
		"come and gone meanwhile": {func(e *v1beta1.Experiment) {
			e.Status.StartedAt, e.Status.FinishedAt = at(10*time.Second), at(20*time.Second)
		}, true},
		"begun after":                       {func(e *v1beta1.Experiment) { e.Status.StartedAt = at(2 * time.Minute) }, false},
		"between two stores":                {func(e *v1beta1.Experiment) { e.Status.Store = nil }, true},
		"suspended, its store where it was": {func(e *v1beta1.Experiment) { e.Spec.Suspend = true }, true},
		"suspended before its next store":   {func(e *v1beta1.Experiment) { e.Spec.Suspend, e.Status.Store = true, nil }, false},
		"finished meanwhile, while suspended": {func(e *v1beta1.Experiment) {
			e.Spec.Suspend, e.Status.Store, e.Status.FinishedAt = true, nil, at(time.Second)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			other := v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: "theirs", Name: "quorum"},
				Status: v1beta1.ExperimentStatus{StartedAt: at(-time.Hour), OnNodes: []string{"n1"}, Store: &v1beta1.StoreStatus{}}}
			test.change(&other)
			want := []OtherRun(nil)
			if test.beside {
				want = []OtherRun{{Namespace: "theirs", Name: "quorum", Nodes: []string{"n1"}}}
			}
			assert.Equal(t, want, RunsBeside("mine", []v1beta1.Experiment{other}, from, to))
		})
	}
}

func TestARunOnOtherNodesDisturbsNobody(t *testing.T) {
	evidence := good()
	evidence.OtherRuns = []OtherRun{{Namespace: "theirs", Name: "quorum", Nodes: []string{"n3"}}}
	assert.Equal(t, Verdict{}, Judge(evidence))
}
