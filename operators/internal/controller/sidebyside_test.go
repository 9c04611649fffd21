package controller_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// sideBySide makes a run on four stores at once, one with values and one with a chart of its own: a phase that fills each of them, and an
// interleaved one.
func sideBySide(e *v1beta1.Experiment) {
	e.Spec.Store.Chart, e.Spec.Store.Hosting = "shelf", v1beta1.HostingSideBySide
	e.Spec.Servers = []v1beta1.ServerSpec{{Name: "old"}, {Name: "old-again", Type: "old", Values: &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 3}`)}},
		{Name: "new"}, {Name: "other", Type: "hsha", Chart: "ledger"}}
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
	nodes := map[bool]int{true: 3, false: 2}[strings.Contains(first, "old-again")]
	assert.Len(t, strings.Split(variable(first, "RINGSIDE_ENDPOINTS"), ","), nodes, "a fill writes to the nodes of one store")
	assert.Len(t, strings.Split(variable(first, "RINGSIDE_COUNTERS"), ","), nodes, "and its bytes are those of the same nodes")
	h.world.holdLoad = false
	h.until(experiment, func() bool { lead, _ := h.group(1); return lead != nil && variable(lead.Name, "RINGSIDE_ARMS") != "" })
	lead, _ := h.group(1)
	arms := strings.Split(variable(lead.Name, "RINGSIDE_ARMS"), ";")
	require.Len(t, arms, 4)
	hosts := map[string]bool{}
	for _, arm := range arms {
		_, endpoints, _ := strings.Cut(arm, "=")
		for endpoint := range strings.SplitSeq(endpoints, ",") {
			hosts[endpoint] = true
		}
	}
	assert.Len(t, hosts, 9, "no node is in two stores")
	assert.Len(t, strings.Split(variable(lead.Name, "RINGSIDE_COUNTERS"), ","), 9)

	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	filled := 0
	for _, m := range h.measurements() {
		assert.Equal(t, m.Spec.HostedAs(), m.Status.Proof.Server, m.Name)
		assert.True(t, strings.HasSuffix(m.Status.Proof.Release, "-"+m.Spec.Server), m.Status.Proof.Release)
		assert.Len(t, m.Status.Environment.StoreNodes, map[bool]int{true: 3, false: 2}[m.Spec.Server == "old-again"], "the nodes of its own store")
		assert.Equal(t, map[string]string{"old": "4", "new": "5"}[m.Spec.ServerType], m.Status.Proof.Settings["version"])
		assert.Equal(t, !m.Spec.Warmup, slices.Contains(m.Status.WarningReasons, v1beta1.GateStoreNodesDiffer), "%s: new is on other nodes", m.Name)
		if m.Spec.Phase == "write" {
			filled++
		}
	}
	assert.Equal(t, 4, filled)
	h.nothingLeft()
}

func TestSideBySide_aFaultHitsANodeOfItsOwnServer(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		sideBySide(e)
		oneFault(e)
		e.Spec.Gates.Disk = v1beta1.GateOff // only two nodes are labelled
	})
	done := h.run(experiment)
	assert.EqualValues(t, 4, done.Status.Finished, h.describe(experiment))
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	for _, m := range h.measurements() {
		assert.Empty(t, m.Status.InvalidReasons, m.Name)
		require.Len(t, m.Status.Faults, 1, m.Name)
		assert.Regexp(t, "^shared-[0-9a-f]{6}-"+m.Spec.Server+"-1$", m.Status.Faults[0].Pod)
		assert.NotNil(t, m.Status.Faults[0].ReadyAt, m.Name)
	}
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

// profiledRead makes a run that reads from two servers in two rounds, and then takes profiles.
func profiledRead(e *v1beta1.Experiment) {
	e.Spec.Store.Hosting, e.Spec.Rounds = v1beta1.HostingShared, 2
	e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}}
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 10, Duration: &metav1.Duration{Duration: time.Minute},
		Interleave: &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Warmup: metav1.Duration{Duration: 5 * time.Second}, Mode: v1beta1.InterleaveWindows},
		Profile:    []v1beta1.ProfileEvent{v1beta1.ProfileCPU, v1beta1.ProfileLock}}}
}

func environmentOf(container corev1.Container) map[string]string {
	env := map[string]string{}
	for _, variable := range container.Env {
		env[variable.Name] = variable.Value
	}
	return env
}

func TestProfilesAreTakenOnceAfterAllRoundsAndSurviveARestart(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(profiledRead)
	var current []string
	restarted := false
	h.until(experiment, func() bool {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			measurement := h.measurement(job.Labels[v1beta1.LabelMeasurement])
			if measurement == nil || measurement.Spec.Profile == nil {
				continue
			}
			load, meter := environmentOf(job.Spec.Template.Spec.Containers[0]), environmentOf(job.Spec.Template.Spec.Containers[1])
			assert.Equal(t, []string{"/load"}, job.Spec.Template.Spec.Containers[0].Command[4:])
			assert.NotEmpty(t, load["RINGSIDE_ENDPOINTS"], "an ordinary load of one server")
			assert.Empty(t, load["RINGSIDE_ARMS"])
			assert.Len(t, strings.Split(meter["RINGSIDE_PROFILERS"], ","), 2, "all pods of the store are asked: %s", meter["RINGSIDE_PROFILERS"])
			assert.Contains(t, meter["RINGSIDE_PROFILERS"], ":9406")
			assert.Empty(t, load["RINGSIDE_PROFILERS"], "the load tool has nothing to do with it")
			if !restarted {
				restarted = true
				h.restart()
			}
		}
		if now := h.get(experiment).Status.Current; strings.HasPrefix(now, "profile ") && !slices.Contains(current, now) {
			current = append(current, now)
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	done := h.get(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.True(t, restarted)
	assert.ElementsMatch(t, []string{"profile cpu of disruptor, read", "profile cpu of hsha, read", "profile lock of disruptor, read", "profile lock of hsha, read"}, current)
	require.Len(t, h.measurements(), 2*2+2*2)
	assert.Equal(t, done.Status.Planned, done.Status.Finished)
	assert.Zero(t, done.Status.Invalid)
	var measured, profiled time.Time
	for _, m := range h.measurements() {
		finished := meta.FindStatusCondition(m.Status.Conditions, v1beta1.ConditionFinished).LastTransitionTime.Time
		if m.Spec.Profile == nil {
			assert.Nil(t, m.Status.Result.Profile)
			measured = latest(measured, finished)
			continue
		}
		if profiled.IsZero() || finished.Before(profiled) {
			profiled = finished
		}
		assert.True(t, m.Spec.Warmup, "never compared")
		assert.Nil(t, m.Spec.Interleave)
		assert.Equal(t, 22*time.Second, m.Spec.Duration.Duration)
		assert.Equal(t, int32(1), m.Status.Attempt)
		assert.Equal(t, 1, h.world.loads[m.Name])
		require.NotNil(t, m.Status.Result.Profile, m.Name)
		assert.Equal(t, m.Spec.Profile.Event, m.Status.Result.Profile.Event)
	}
	assert.False(t, profiled.Before(measured), "after all that is measured")
	h.nothingLeft()
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func TestAProfileThatCannotBeTakenEndsNoRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Phases = e.Spec.Phases[:1]
		e.Spec.Phases[0].Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU}
	})
	h.until(experiment, func() bool {
		if m := h.measurement("quorum-r1-disruptor-write-cpu-1"); m != nil {
			h.world.failLoad = 3
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	done := h.get(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	m := h.measurement("quorum-r1-disruptor-write-cpu-1")
	assert.Len(t, m.Status.Failures, 2)
	assert.Nil(t, m.Status.Result)
	assert.True(t, h.measurement("quorum-r1-disruptor-write-1").Status.Valid)
	h.nothingLeft()
}
