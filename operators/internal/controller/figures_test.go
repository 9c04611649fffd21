package controller_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The operator's cache has none of a finished measurement's figures: no later write of the operator may remove them
// from the API server.
func TestAFinishedMeasurementKeepsAllOfItsFigures(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*v1beta1.Experiment){
		"phases of their own": func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 },
		"interleaved":         interleavedRead,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			experiment := h.create(change)
			whole := map[string]v1beta1.Measurement{}
			h.until(experiment, func() bool {
				for _, m := range h.measurements() {
					if _, seen := whole[m.Name]; !seen && m.Finished() {
						whole[m.Name] = m
					}
				}
				return h.get(experiment).Status.FinishedAt != nil
			})
			require.NotEmpty(t, whole)
			for _, m := range h.measurements() {
				assert.Equal(t, whole[m.Name], m)
				require.NotNil(t, m.Status.Result)
				require.NotEmpty(t, m.Status.Result.Latencies)
				assert.NotEmpty(t, m.Status.Result.Latencies[0].Histogram)
				assert.Len(t, m.Status.Parts, int(m.Spec.Pods))
				assert.NotNil(t, m.Status.Environment)
				assert.NotNil(t, m.Status.Proof)
			}
		})
	}
}

// printed returns a column of the measurements, as kubectl get prints it, by their names.
func printed(t *testing.T, namespace, column string) map[string]string {
	t.Helper()
	client, err := rest.HTTPClientFor(cluster)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		strings.TrimSuffix(cluster.Host, "/")+"/apis/ringside.dev/v1beta1/namespaces/"+namespace+"/measurements", nil)
	require.NoError(t, err)
	request.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // only read
	var table metav1.Table
	require.NoError(t, json.NewDecoder(response.Body).Decode(&table))
	index := func(name string) int {
		at := slices.IndexFunc(table.ColumnDefinitions, func(c metav1.TableColumnDefinition) bool { return c.Name == name })
		require.GreaterOrEqual(t, at, 0, "column %s", name)
		return at
	}
	name, wanted := index("Name"), index(column)
	out := map[string]string{}
	for _, row := range table.Rows {
		text, _ := row.Cells[wanted].(string)
		out[row.Cells[name].(string)] = text
	}
	return out
}

func TestEveryJudgedRowIsPrintedAsValidOrNot(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.measurement("quorum-r1-disruptor-write-1") != nil })
	assert.Equal(t, map[string]string{"quorum-r1-disruptor-write-1": ""}, printed(t, h.namespace, "Valid"), "not judged yet")
	h.until(experiment, func() bool { return h.measurement("quorum-r1-disruptor-read-1") != nil })
	h.world.failLoad = 64
	h.run(experiment)
	assert.Equal(t, map[string]string{"quorum-r1-disruptor-write-1": "True", "quorum-r1-disruptor-read-1": "False"}, printed(t, h.namespace, "Valid"))
}

func TestLabelsOfRingsidesOwnAreNotTaken(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	good := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Load.PodAnnotations = v1beta1.PodAnnotations{"sidecar.istio.io/inject": "false"}
		e.Spec.Load.PodLabels = v1beta1.PodLabels{"example.com/team": "storage", "empty": ""}
		e.Spec.Load.PriorityClassName = "batch.low"
	})
	for name, change := range map[string]func(*v1beta1.LoadSpec){
		"labels of ringside.dev/":      func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"ringside.dev/release": "another"} },
		"app.kubernetes.io/":           func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"app.kubernetes.io/component": "store"} },
		"job-name":                     func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"job-name": "j"} },
		"use label names":              func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"-team": "a"} },
		"spec.load.podLabels.team":     func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"team": "a b"} },
		"annotations of ringside.dev/": func(l *v1beta1.LoadSpec) { l.PodAnnotations = v1beta1.PodAnnotations{"ringside.dev/x": "y"} },
		"spec.load.priorityClassName":  func(l *v1beta1.LoadSpec) { l.PriorityClassName = "High" },
	} {
		experiment := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{GenerateName: "e-", Namespace: h.namespace}, Spec: *good.Spec.DeepCopy()}
		change(&experiment.Spec.Load)
		err := h.client.Create(h.ctx, experiment)
		require.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
		assert.ErrorContains(t, err, name)
	}
}

func TestAMeasurementSaysWhatItsLoadMadeTheStoreWrite(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		index := int64(part.Index)
		part.StoreReadings = &v1beta1.StoreReadings{
			Before: map[string]int64{"put_bytes": 100 + index, "written_bytes": 1000 + index},
			After:  map[string]int64{"put_bytes": 2100 - index, "written_bytes": 7000 - index},
			Sizes:  map[string]int64{"live_bytes": 400},
		}
		return 0
	}
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Phases = e.Spec.Phases[:1] })
	asked := false
	h.until(experiment, func() bool {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			containers := job.Spec.Template.Spec.Containers
			asked = asked || hasVariable(containers[1], "RINGSIDE_COUNTERS") && !hasVariable(containers[0], "RINGSIDE_COUNTERS")
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.True(t, asked, "meter is told where the store tells what it counted, the load is not")
	measurements := h.measurements()
	require.NotEmpty(t, measurements)
	for _, m := range measurements {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		io := m.Status.Result.StoreIO
		require.NotNil(t, io)
		assert.Equal(t, int64(2000), *io.PutBytes)
		assert.Equal(t, v1beta1.Decimal("3.000"), io.WriteAmplification)
		assert.Nil(t, io.DiskBytes)
		assert.Empty(t, io.SpaceAmplification)
		assert.NotEmpty(t, io.WrittenPerOp)
	}
	h.nothingLeft()
}

func TestWhatAStoreWroteIsUnknownIfAPodOfItRestarted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		part.StoreReadings = &v1beta1.StoreReadings{Before: map[string]int64{"written_bytes": 4000}, After: map[string]int64{"written_bytes": 4700}}
		return 0
	}
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Gates.StoreRestart = v1beta1.GateWarn })
	h.until(experiment, func() bool { return h.running(firstWrite) })
	restartStorePod(h, 0)
	h.world.holdLoad = false
	h.run(experiment)
	measurements := h.measurements()
	require.Greater(t, len(measurements), 1)
	for _, m := range measurements {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		assert.Equal(t, m.Name == firstWrite, m.Status.Result.StoreIO == nil, m.Name)
	}
	assert.Contains(t, h.measurement(firstWrite).Status.Warnings[0], "store restart: store pod")
}

func TestAMeasurementThatBeganWithPendingCompactionsIsInvalidWhereTheExperimentSaysSo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		if part.Index == 0 {
			part.PendingCompactions = new(int64(6))
		}
		return 0
	}
	h.run(h.create(func(e *v1beta1.Experiment) {
		e.Spec.Phases = e.Spec.Phases[:1]
		e.Spec.Phases[0].AwaitCompactions = &metav1.Duration{Duration: time.Minute}
		e.Spec.Gates.PendingCompactions = v1beta1.GateEnforce
	}))
	measurements := h.measurements()
	require.NotEmpty(t, measurements)
	for _, m := range measurements {
		assert.Equal(t, &metav1.Duration{Duration: time.Minute}, m.Spec.AwaitCompactions)
		assert.Equal(t, new(int64(6)), m.Status.Result.PendingCompactions)
		assert.Equal(t, []v1beta1.Reason{v1beta1.GateCompactionsPending}, m.Status.Reasons, m.Name)
	}
	h.nothingLeft()
}

func TestAPhaseOfRestAsksNothingOfTheStoreAndSaysWhatItUsed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Load.Pods = 2
		e.Spec.Phases = append(e.Spec.Phases[:1], v1beta1.PhaseSpec{Name: "rest", Repeats: 1, Threads: 50, Type: v1beta1.PhaseIdle, Duration: &metav1.Duration{Duration: 10 * time.Second}})
	})
	var commands [][]string
	h.until(experiment, func() bool {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			container := job.Spec.Template.Spec.Containers[0]
			if container.Command[len(container.Command)-1] == "idle" && len(commands) == 0 {
				commands = append(commands, container.Command)
				assert.Equal(t, int32(1), *job.Spec.Completions, "one looks, however many pods a load has")
				assert.True(t, hasVariable(container, "RINGSIDE_COUNTERS"))
			}
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.Equal(t, [][]string{{"/ringside/meter", "tool", "/ringside/socket", "--", "/ringside/meter", "idle"}}, commands)
	assert.Equal(t, &v1beta1.Units{Operations: "entries"}, h.get(experiment).Status.Units, "as the store's chart says")
	rested := 0
	for _, m := range h.measurements() {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		if m.Spec.Idle {
			rested++
			assert.Equal(t, v1beta1.Decimal("0.0500"), m.Status.Result.StoreCPU.IdleCores)
			assert.Zero(t, m.Status.Result.Operations)
		}
	}
	assert.Equal(t, 1, rested)
	h.nothingLeft()
}

func hasVariable(container corev1.Container, name string) bool {
	for _, variable := range container.Env {
		if variable.Name == name && variable.Value != "" {
			return true
		}
	}
	return false
}
