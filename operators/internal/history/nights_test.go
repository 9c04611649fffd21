package history

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/internal/results"
)

// big returns the run of a night with so many measurements for each of a planted run, and its own histograms.
func big(like *archive.Run, night, times int) *archive.Run {
	e := like.Experiment.DeepCopy()
	e.Labels[v1beta1.LabelRun] = time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC).AddDate(0, 0, night).Format(v1beta1.RunIDLayout)
	run := &archive.Run{Experiment: e, Measurements: map[string]*v1beta1.Measurement{}}
	for time := range times {
		for name, m := range like.Measurements {
			m = m.DeepCopy()
			m.Name, m.Spec.Repeat = fmt.Sprintf("%s-%d", name, time), m.Spec.Repeat+int32(time)
			m.Status.Proof.Environment = map[string]string{"jvm_flags": m.Name}
			run.Measurements[m.Name] = m
			run.Rows = append(run.Rows, results.FromMeasurement(m))
		}
	}
	return run
}

// live returns the bytes of live objects.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAYearOfNightsFitsIntoMemory(t *testing.T) {
	const nights, year, limit = 8, 365, 256 << 20
	like := runsOf(t, planted.Plan{Runs: 1, Seed: 1})[0]
	read, before := NewNights(Options{}, true), live()
	for night := range nights {
		read.Add(big(like, night, 20), nil)
	}
	h, err := Of(read, Options{})
	require.NoError(t, err)
	kept := live() - before
	t.Logf("%d KiB a night of %d measurements", kept/nights/1024, h.Runs[0].Measurements)
	assert.Less(t, kept*year/nights, uint64(limit))
	runtime.KeepAlive(read)
	require.Len(t, h.Runs, nights)
	assert.Len(t, judged(h, "disruptor")[0].Points, nights)
}

// Figures are taken with a run's own baseline; those with the baseline of most runs need its histograms again.
func TestARunWithAnotherBaselineIsReadAgain(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 3, Seed: 1, Edit: func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m == nil && run == 2 {
			e.Spec.Baseline = "disruptor"
		}
	}})
	nights, again := NewNights(Options{}, false), []string{}
	for _, run := range runs {
		nights.Add(run, func() (*archive.Run, error) { again = append(again, run.ID()); return run, nil })
	}
	h, err := Of(nights, Options{})
	require.NoError(t, err)
	assert.Equal(t, "hsha", h.Baseline)
	assert.Equal(t, []string{planted.Run(2)}, again)
	assert.Len(t, judged(h, "disruptor")[0].Points, 3)
	assert.Len(t, nights.all[0].run.Rows, 3, "one for each server and load")
}
