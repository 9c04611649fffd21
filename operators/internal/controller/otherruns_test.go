package controller_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Runs of other tests share the nodes too, so the message may contain more than this run.
func TestAMeasurementTellsWhichRunOfAnotherNamespaceWasOnItsNodes(t *testing.T) {
	for mode, told := range map[v1beta1.GateMode]func(*v1beta1.Measurement) []string{
		v1beta1.GateEnforce: func(m *v1beta1.Measurement) []string { return m.Status.InvalidReasons },
		v1beta1.GateWarn:    func(m *v1beta1.Measurement) []string { return m.Status.Warnings },
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.reconciler.SeesOtherNamespaces = true
			theirs := h.runElsewhere("node2", "node9")
			experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Gates.OtherRuns = mode })
			done := h.run(experiment)
			assert.Equal(t, int32(2), done.Status.Finished)
			m := h.measurement(firstWrite)
			require.NotNil(t, m)
			assert.Contains(t, told(m), "other runs: run quorum of namespace "+theirs+" used node2 during the phase")
			assert.Equal(t, mode == v1beta1.GateWarn, m.Status.Valid)
			assert.ElementsMatch(t, []string{"load1", "node1", "node2"}, done.Status.OnNodes, "what operators of other namespaces see of it")
		})
	}
}

// runElsewhere creates a run in its own namespace, active on the given nodes.
func (h *harness) runElsewhere(nodes ...string) string {
	h.t.Helper()
	elsewhere := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "elsewhere-"}}
	require.NoError(h.t, h.client.Create(h.ctx, elsewhere))
	experiment := h.create(func(e *v1beta1.Experiment) { e.Namespace = elsewhere.Name })
	now := metav1.NewTime(h.clock.Now())
	experiment.Status = v1beta1.ExperimentStatus{StartedAt: &now, OnNodes: nodes, Store: &v1beta1.StoreStatus{Release: "s", Servers: []string{"disruptor"}, InstalledAt: now}}
	require.NoError(h.t, h.client.Status().Update(h.ctx, experiment))
	h.t.Cleanup(func() { _ = h.client.Delete(context.Background(), experiment) })
	return elsewhere.Name
}
