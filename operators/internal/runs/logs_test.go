package runs_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// loadPods creates load pods with one log each, and the measurement that names the logs. Each pod's load is slower than
// the previous one's.
func loadPods(t *testing.T, c client.Client, pods int) (*v1beta1.Measurement, []*measure.Log) {
	t.Helper()
	m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: "m"}}
	m.Status.Attempt = 1
	var logs []*measure.Log
	for i := range pods {
		log, err := simulated.Load{Operation: "read", Start: time.Unix(1_700_000_000, 0), Intervals: 3, PerInterval: 10 + i, MedianMillis: 8, Sigma: 0.6}.Log(uint64(i))
		require.NoError(t, err)
		chunks, err := measure.PackLog(log, measure.MaxChunks)
		require.NoError(t, err)
		part := v1beta1.Part{Index: int32(i), Attempt: 1, State: v1beta1.PartDone}
		for j, chunk := range chunks {
			name := fmt.Sprintf("log-%d-%d", i, j)
			part.Logs = append(part.Logs, name)
			require.NoError(t, c.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: name}, BinaryData: map[string][]byte{measure.LogKey: chunk}}))
		}
		m.Status.Parts = append(m.Status.Parts, part)
		unpacked, err := measure.UnpackLog(chunks)
		require.NoError(t, err)
		logs = append(logs, unpacked)
	}
	return m, logs
}

// gate blocks requests until the given number of them wait, unless it is open.
type gate struct {
	mutex         sync.Mutex
	waiting, most int
	together      int
	open          chan struct{}
}

func (g *gate) pass() {
	g.mutex.Lock()
	g.waiting++
	g.most = max(g.most, g.waiting)
	if g.waiting == g.together {
		close(g.open)
		g.together = 0
	}
	g.mutex.Unlock()
	<-g.open
	g.mutex.Lock()
	g.waiting--
	g.mutex.Unlock()
}

func TestLogsOfLoadPodsAreReadSideBySideButBounded(t *testing.T) {
	const pods, readers = 40, 8
	fake := simulated.NewClient()
	m, want := loadPods(t, fake, pods)
	together := &gate{together: readers, open: make(chan struct{})}
	cluster := runs.New(interceptor.NewClient(fake, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
			together.pass() // a single request would not pass
			return c.Get(ctx, key, object, opts...)
		},
	}), simulated.Namespace, "simulation")
	log, err := cluster.Log(t.Context(), m)
	require.NoError(t, err)
	assert.Equal(t, readers, together.most)
	merged, err := measure.Merge(want...)
	require.NoError(t, err)
	assert.Equal(t, merged, log, "in the order of the pods")
}

// The figures of the CSV use the clock that all pods had access to. A log with another clock would shift the chart in
// time, and the operations since a fault.
func TestTheLogIsByTheSameClockAsTheFigures(t *testing.T) {
	fake := simulated.NewClient()
	m, logs := loadPods(t, fake, 2)
	ahead, wrong := (5 * time.Second).Microseconds(), int64(1000)
	m.Status.Parts[1].ClockOffsetMicros, m.Status.Parts[1].ClockErrorMicros = &ahead, &wrong
	log, err := runs.New(fake, simulated.Namespace, "simulation").Log(t.Context(), m)
	require.NoError(t, err)
	result, err := measure.Summarize([]measure.PodLog{{Log: logs[0]}, {Log: logs[1], Ahead: 5 * time.Second}})
	require.NoError(t, err)
	assert.Equal(t, result.StartedAt.Time, log.Start.Truncate(time.Microsecond))
	assert.Equal(t, result.FinishedAt.Time, log.End.Truncate(time.Microsecond))
	assert.Equal(t, logs[0].OperationCount()+logs[1].OperationCount(), log.OperationCount())
}

func TestALogThatCannotBeReadEndsTheReading(t *testing.T) {
	fake := simulated.NewClient()
	m, _ := loadPods(t, fake, 40)
	away := errors.New("connection refused")
	cluster := runs.New(interceptor.NewClient(fake, interceptor.Funcs{
		Get: func(ctx context.Context, _ client.WithWatch, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
			if key.Name == "log-3-0" {
				return away
			}
			<-ctx.Done() // ends once another request has failed
			return ctx.Err()
		},
	}), simulated.Namespace, "simulation")
	_, err := cluster.Log(t.Context(), m)
	assert.ErrorContains(t, err, away.Error())
	assert.NotErrorIs(t, err, context.Canceled)
}

func TestOnlyTheLogsOfTheLastAttemptAreRead(t *testing.T) {
	fake := simulated.NewClient()
	m, want := loadPods(t, fake, 2)
	m.Status.Parts[0].Attempt = 0
	log, err := runs.New(fake, simulated.Namespace, "simulation").Log(t.Context(), m)
	require.NoError(t, err)
	merged, err := measure.Merge(want[1])
	require.NoError(t, err)
	assert.Equal(t, merged, log)

	m.Status.Parts = nil
	log, err = runs.New(fake, simulated.Namespace, "simulation").Log(t.Context(), m)
	require.NoError(t, err)
	assert.Nil(t, log)
}

// runOfTwo creates a run with two measurements, of which the first is finished, and a report of a load pod of each.
func runOfTwo(t *testing.T, c client.Client) (*v1beta1.Experiment, []*v1beta1.MeasurementPart) {
	t.Helper()
	operations := int64(100)
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 2, Threads: 5, Operations: &operations})
	require.NoError(t, c.Create(t.Context(), e))
	var reports []*v1beta1.MeasurementPart
	for i, cell := range plan.Build(e, 42).Cells() {
		m := simulated.Measurement(e, cell)
		require.NoError(t, c.Create(t.Context(), m))
		if i == 0 {
			_, err := simulated.Finish(m, time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC))
			require.NoError(t, err)
		}
		m.Status.Attempt = 1
		require.NoError(t, c.Status().Update(t.Context(), m))
		pod := plan.JobName(m.Name, 1) + "-0-abcde"
		report := &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: pod, Labels: m.Labels, OwnerReferences: []metav1.OwnerReference{{UID: m.UID}}},
			Part: v1beta1.Part{Attempt: 1, Pod: pod, State: v1beta1.PartRunning, Operations: 50}}
		report.Labels[v1beta1.LabelMeasurement] = m.Name
		require.NoError(t, c.Create(t.Context(), report))
		reports = append(reports, report)
	}
	return e, reports
}

// current returns the parts of the measurement that is not finished; nil if it is not known yet.
func current(follower *runs.Follower) []v1beta1.Part {
	for _, m := range follower.Snapshot().Measurements {
		if !m.Finished() {
			return m.CurrentParts()
		}
	}
	return nil
}

func TestFollowsWhatLoadPodsReport(t *testing.T) {
	c := simulated.NewClient()
	e, reports := runOfTwo(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	follower := runs.New(c, simulated.Namespace, "simulation").Follow(ctx, e)
	operations := func() int64 {
		var sum int64
		for _, part := range current(follower) {
			sum += part.Operations
		}
		return sum
	}
	require.Eventually(t, func() bool { return operations() == 50 }, 10*time.Second, time.Millisecond)
	reports[1].Part.Operations = 75
	require.Eventually(t, func() bool { // until the watch has begun, and shows a change
		require.NoError(t, c.Update(ctx, reports[1]))
		return operations() == 75
	}, 10*time.Second, time.Millisecond)
	for _, m := range follower.Snapshot().Measurements {
		if m.Finished() {
			assert.Empty(t, m.Status.Parts, "of a finished one, what the operator has recorded counts")
		}
	}

	// An admission policy ties the owner and the name of a report to the pod that writes it, but not its labels.
	foreign := reports[0].DeepCopy()
	foreign.ResourceVersion, foreign.Labels = "", reports[1].Labels
	require.NoError(t, c.Delete(ctx, reports[0]))
	require.NoError(t, c.Create(ctx, foreign))
	reports[1].Part.Operations = 80
	require.NoError(t, c.Update(ctx, reports[1]))
	require.Eventually(t, func() bool { return operations() >= 80 }, 10*time.Second, time.Millisecond)
	assert.Equal(t, int64(80), operations(), "the report of another measurement's pod is not counted")

	require.NoError(t, c.Delete(ctx, reports[1]))
	require.Eventually(t, func() bool { return operations() == 0 }, 10*time.Second, time.Millisecond)
}
