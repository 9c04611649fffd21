package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	upgradePhase = "quorum-r1-old-upgrade-1"
	mixedPhase   = "quorum-r1-old-read-1"
)

// upgrade makes a run of one store that upgrades its node 1, with another phase after it.
func upgrade(e *v1beta1.Experiment) {
	e.Spec.Store.Chart, e.Spec.Servers = "shelf", []v1beta1.ServerSpec{{Name: "old"}}
	e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"maintenance": {"upgradeTo": "new"}}`)}
	e.Spec.Phases[0] = v1beta1.PhaseSpec{Name: "upgrade", Type: v1beta1.PhaseFaults, Operation: "write", Repeats: 1, Threads: 4, TargetRate: 10, Duration: &metav1.Duration{Duration: time.Minute},
		Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: v1beta1.TaskUpgrade, Node: 1, At: metav1.Duration{Duration: 20 * time.Second}, For: &metav1.Duration{Duration: 10 * time.Second}}}}
}

func TestAnUpgradedNodeProvesWhatItBecameFromThenOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(upgrade)
	done := h.run(experiment)
	assert.Equal(t, int32(2), done.Status.Finished, h.describe(experiment))
	for _, name := range []string{upgradePhase, mixedPhase} {
		m := h.measurement(name)
		assert.True(t, m.Status.Valid, "%s: %v", name, m.Status.InvalidReasons)
		assert.Equal(t, int32(1), m.Status.Attempt, name)
		assert.Equal(t, "4 and 5", m.Status.Proof.Settings["version"], name)
		assert.Equal(t, "node 1 to new", m.Status.Environment.Store["upgraded"], name)
	}
	h.nothingLeft()
}

func TestANodeThatIsStillTheOldOneInvalidatesItsUpgradeAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.faithless = true
	experiment := h.create(upgrade)
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	for _, name := range []string{upgradePhase, mixedPhase} {
		m := h.measurement(name)
		require.Len(t, m.Status.InvalidReasons, 1, name)
		assert.Contains(t, m.Status.InvalidReasons[0], "variant: setting version: requested was 5, but store pod ", name)
		assert.Contains(t, m.Status.InvalidReasons[0], "-1 runs with 4", name)
	}
}

// The load is lost after the upgrade. Nothing can undo it, so another attempt would measure something else.
func TestAnUpgradeOfAnAbandonedAttemptDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(upgrade)
	h.until(experiment, func() bool { return len(h.world.upgraded) == 1 })
	h.world.holdLoad = false
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy(metav1.DeletePropagationBackground)))
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	m := h.measurement(upgradePhase)
	assert.False(t, m.Status.Valid)
	assert.Equal(t, int32(1), m.Status.Attempt)
	assert.Contains(t, strings.Join(m.Status.InvalidReasons, "; "), "there is no further attempt: node 1 was ordered to carry out upgrade")
}
