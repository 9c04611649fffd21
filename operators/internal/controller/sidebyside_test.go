package controller_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// sideBySide makes a run on three stores at once: a phase that fills each of them, and an interleaved one.
func sideBySide(e *v1beta1.Experiment) {
	e.Spec.Store.Chart, e.Spec.Store.Hosting = "shelf", v1beta1.HostingSideBySide
	e.Spec.Servers = []v1beta1.ServerSpec{{Name: "old"}, {Name: "old-again", Type: "old", OwnInstance: true}, {Name: "new"}}
	e.Spec.Phases[0].Type = v1beta1.PhasePrepare
	e.Spec.Phases[1].Duration = &metav1.Duration{Duration: time.Minute}
	e.Spec.Phases[1].Interleave = &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Mode: v1beta1.InterleaveWindows}
}

func TestSideBySideEachServerHasItsOwnStore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad, h.world.elsewhere = true, "new"
	experiment := h.create(func(e *v1beta1.Experiment) {
		sideBySide(e)
		e.Spec.Gates.Disk = v1beta1.GateOff // the other nodes are not labelled
		e.Spec.Rounds = 2
	})
	variable := func(prefix, name string) string {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			for _, container := range job.Spec.Template.Spec.Containers {
				for _, env := range container.Env {
					if strings.HasPrefix(job.Name, prefix) && env.Name == name {
						return env.Value
					}
				}
			}
		}
		return ""
	}
	h.until(experiment, func() bool { return len(list(h.ctx, h.world, &batchv1.JobList{}).Items) > 0 })
	first := list(h.ctx, h.world, &batchv1.JobList{}).Items[0].Name
	assert.Len(t, strings.Split(variable(first, "RINGSIDE_ENDPOINTS"), ","), 2, "a fill writes to the two nodes of one store")
	assert.Len(t, strings.Split(variable(first, "RINGSIDE_COUNTERS"), ","), 2, "and its bytes are those of the same nodes")
	h.world.holdLoad = false
	h.until(experiment, func() bool { lead, _ := h.group(1); return lead != nil && variable(lead.Name, "RINGSIDE_ARMS") != "" })
	lead, _ := h.group(1)
	arms := strings.Split(variable(lead.Name, "RINGSIDE_ARMS"), ";")
	require.Len(t, arms, 3)
	hosts := map[string]bool{}
	for _, arm := range arms {
		_, endpoints, _ := strings.Cut(arm, "=")
		for endpoint := range strings.SplitSeq(endpoints, ",") {
			hosts[endpoint] = true
		}
	}
	assert.Len(t, hosts, 6, "no node is in two stores")
	assert.Len(t, strings.Split(variable(lead.Name, "RINGSIDE_COUNTERS"), ","), 6)

	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	filled := 0
	for _, m := range h.measurements() {
		assert.Equal(t, m.Spec.HostedAs(), m.Status.Proof.Server, m.Name)
		assert.Equal(t, map[string]string{"old": "4", "new": "5"}[m.Spec.ServerType], m.Status.Proof.Settings["version"])
		assert.Equal(t, !m.Spec.Warmup, slices.Contains(m.Status.WarningReasons, v1beta1.GateStoreNodesDiffer), "%s: new is on other nodes", m.Name)
		if m.Spec.Phase == "write" {
			filled++
		}
	}
	assert.Equal(t, 3, filled)
	h.nothingLeft()
}

func TestSideBySideAStoreThatRunsAnotherVersionEndsTheRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.settings = `{"version":"4"}`
	experiment := h.create(sideBySide)
	done := h.run(experiment)
	failed := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failed, h.describe(experiment))
	assert.Equal(t, v1beta1.ReasonVariantUnproved, failed.Reason)
	assert.Contains(t, failed.Message, "setting version: requested was 5, but store pod")
	assert.Empty(t, h.measurements())
	h.nothingLeft()
}
