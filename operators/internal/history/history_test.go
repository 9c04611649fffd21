package history

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/internal/results"
)

func runsOf(t *testing.T, p planted.Plan) []*archive.Run {
	t.Helper()
	runs, err := planted.Runs(t.TempDir(), p)
	require.NoError(t, err)
	return runs
}

// of returns the history of runs, as if they were read one by one.
func of(runs []*archive.Run, o Options) (*History, error) { return Of(nightsOf(runs, o), o) }

func nightsOf(runs []*archive.Run, o Options) *Nights {
	nights := NewNights(o, true)
	for _, run := range runs {
		nights.Add(run, func() (*archive.Run, error) { return run, nil })
	}
	return nights
}

// judged returns the judged series of a server.
func judged(h *History, server string) []Series {
	var found []Series
	for _, s := range h.Series {
		if s.Judged && s.Server == server {
			found = append(found, s)
		}
	}
	return found
}

// The mean of the logarithms is that of 1 before and after.
func TestAChangeOfTheSpreadIsNoChangeForTheWorse(t *testing.T) {
	for _, metric := range []string{"op_rate", "latency_p99_ms", "fault_lost_s"} {
		s := Series{Server: "disruptor", Load: "read", Judged: true, Metric: compare.Metric{Name: metric, HigherIsBetter: metric == "op_rate", Difference: metric == "fault_lost_s"}}
		for i := range 40 {
			value := 0.001 + 0.0001*float64(i%5)
			if i >= 20 {
				value *= 200
			}
			if i%2 == 1 {
				value = -value
			}
			if !s.Metric.Difference {
				value = math.Exp(value)
			}
			s.Points = append(s.Points, Point{Run: i, Value: value})
		}
		s.find(level)
		require.Len(t, s.Changes, 1, metric)
		c := &s.Changes[0]
		assert.InDelta(t, 20, c.At, 2)
		assert.True(t, c.Low < c.Equal() && c.Equal() < c.High, "%v to %v", c.Low, c.High)
		assert.Equal(t, ratio.Unresolved, s.Verdict(c))
		assert.False(t, c.Worse)
		assert.Equal(t, "unresolved", s.Word(c))
	}
}

func TestTheLatestRunsAreComparedWithThoseBeforeEachChange(t *testing.T) {
	for name, test := range map[string]struct {
		levels []float64
		// below and above are shares between which the change to the worse that stands longest is.
		below, above float64
		faster       bool
	}{
		"once":                    {[]float64{1, 0.9}, 0.05, 0.15, false},
		"undone":                  {[]float64{1, 0.9, 1}, -1, 0, true},
		"undone by half":          {[]float64{1, 0.9, 0.95}, 0.03, 0.07, true},
		"more than undone":        {[]float64{1, 0.9, 1.1}, -1, 0, true},
		"in four steps of 2.5%":   {[]float64{1, 0.975, 0.951, 0.927, 0.904}, 0.08, 0.12, false},
		"in steps after a better": {[]float64{0.97, 1, 0.98, 0.96, 0.94}, 0.05, 0.08, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := Series{Metric: compare.Metric{HigherIsBetter: true}}
			for _, level := range test.levels {
				for i := range 12 {
					s.Points = append(s.Points, Point{Run: len(s.Points), Value: level * (1 + 0.001*float64(i*5%7-3))})
				}
			}
			s.find(level)
			require.Len(t, s.Changes, len(test.levels)-1)
			stands := func(kind ratio.Verdict, share float64) bool {
				return slices.ContainsFunc(s.Changes, func(c Change) bool { return s.Stands(&c, kind, share) })
			}
			assert.Equal(t, test.below >= 0, stands(ratio.Slower, max(test.below, 0)))
			assert.False(t, stands(ratio.Slower, test.above))
			assert.Equal(t, test.faster, stands(ratio.Faster, 0))
		})
	}
}

func TestAbsoluteFiguresHaveTheMachineInThem(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 20, Seed: 3})
	spread := func(o Options) float64 {
		h, err := of(runs, o)
		require.NoError(t, err)
		values := judged(h, "disruptor")[0].Values()
		low, high := values[0], values[0]
		for _, value := range values {
			low, high = min(low, value), max(high, value)
		}
		return high - low
	}
	assert.Less(t, spread(Options{}), 0.05)
	assert.Greater(t, spread(Options{Absolute: true}), 0.2)
}

func TestRejectsServersThatWereNotMeasured(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 1, Seed: 4})
	for server, says := range map[string]string{
		"hsah": `no server "hsah" was measured: choose from disruptor, xedin`,
		"hsha": "hsha is the baseline, and its ratio to itself is 1; choose another server, or absolute figures",
	} {
		_, err := of(runs, Options{Servers: []string{server}})
		assert.EqualError(t, err, says)
	}
	_, err := of(nil, Options{})
	assert.ErrorIs(t, err, ErrNoRuns)
}

func TestChosenMetricsAreJudgedInPlaceOfThePrimaryOnes(t *testing.T) {
	h, err := of(runsOf(t, planted.Plan{Runs: 2, Seed: 5}), Options{Servers: []string{"xedin"}, Metrics: []string{"latency_median_ms"}})
	require.NoError(t, err)
	require.Len(t, judged(h, "xedin"), 1)
	assert.Equal(t, "latency_median_ms", judged(h, "xedin")[0].Metric.Name)
	assert.Empty(t, judged(h, "disruptor"))
	_, err = of(runsOf(t, planted.Plan{Runs: 2, Seed: 5}), Options{Metrics: []string{"capacity"}})
	assert.EqualError(t, err, "no run has figures of capacity: choose from op_rate, latency_median_ms")
}

func TestRunsOfOneServerHaveOnlyAbsoluteFigures(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 3, Seed: 8})
	for _, run := range runs {
		run.Rows = slices.DeleteFunc(run.Rows, func(row results.Row) bool { return row.Server != "hsha" })
	}
	h, err := of(runs, Options{})
	require.NoError(t, err)
	assert.False(t, h.Judges())
	assert.Equal(t, []string{"No run has a figure to compare with hsha: absolute figures need no baseline."}, h.Limits())
	assert.Equal(t, []string{"run 20261101-010000 has one server, hsha: there is nothing to compare it with, and so it is with all other runs"}, h.Notes)
	h, err = of(runs, Options{Absolute: true})
	require.NoError(t, err)
	require.Len(t, judged(h, "hsha"), 1)
	assert.Len(t, judged(h, "hsha")[0].Points, 3)
	assert.Equal(t, "1/s", h.Unit(&judged(h, "hsha")[0]))
}

func TestRunsWithoutAValidFigureAreNamed(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 12, Seed: 4})
	for _, run := range runs[10:] {
		for i := range run.Rows {
			run.Rows[i].Valid = run.Rows[i].Server != "disruptor"
		}
	}
	h, err := of(runs, Options{})
	require.NoError(t, err)
	require.Len(t, judged(h, "disruptor"), 1)
	assert.Equal(t, []int{10, 11}, judged(h, "disruptor")[0].Missing)
	assert.Empty(t, judged(h, "xedin")[0].Missing)
	limits := h.Limits()
	require.Len(t, limits, 2)
	assert.Equal(t, "disruptor has no valid op rate of read in 2 of 12 comparable runs, the latest of them 20261112-010000: a change there is not found.", limits[1])
}

func TestAServerWithoutAnyValidFigureIsNoted(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 5, Seed: 4, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m != nil && run > 2 {
			m.Spec.Operations = 120
		}
	}})
	for _, run := range runs[2:] {
		for i := range run.Rows {
			if run.Rows[i].Server == "disruptor" {
				run.Rows[i].Valid, run.Rows[i].LatencyKind = false, "" // as of a measurement without a result
			}
		}
	}
	h, err := of(runs, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"disruptor has no valid figure of read to compare with hsha in any of 3 comparable runs, the latest of them 20261105-010000: a change there is not found"}, h.Notes)
	h, err = of(runs, Options{Absolute: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"disruptor has no valid figure of read in any of 3 comparable runs, the latest of them 20261105-010000: a change there is not found"}, h.Notes)
	h, err = of(runs, Options{Servers: []string{"xedin"}})
	require.NoError(t, err)
	assert.Empty(t, h.Notes)
}

// As SERVER=disruptor,xedin makes it: the first of the selected servers is the baseline then.
func TestARunWithoutTheBaselineDoesNotReplaceIt(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05, Edit: func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m == nil && run == 20 {
			e.Spec.Servers = e.Spec.Servers[1:]
		}
	}})
	last := runs[len(runs)-1]
	last.Rows = slices.DeleteFunc(last.Rows, func(row results.Row) bool { return row.Server == "hsha" })
	h, err := of(runs, Options{})
	require.NoError(t, err)
	assert.Equal(t, "hsha", h.Baseline)
	assert.Contains(t, h.Answer(), "1 change found in 20 runs")
	require.Len(t, judged(h, "disruptor"), 1)
	require.Len(t, judged(h, "disruptor")[0].Changes, 1)
	assert.True(t, judged(h, "disruptor")[0].Changes[0].Worse)
	assert.Equal(t, []string{
		"runs are compared with hsha, the baseline of most; that of 1 run, the latest of them 20261120-010000, is disruptor",
		`run 20261120-010000 has no server "hsha" to compare with: choose from disruptor, xedin`,
	}, h.Notes)
}

func TestARunWithAnotherPrimaryMetricDoesNotReplaceIt(t *testing.T) {
	metricsOf := func(h *History) []string {
		var names []string
		for _, s := range judged(h, "disruptor") {
			names = append(names, s.Metric.Name)
		}
		return names
	}
	for other, want := range map[int][]string{0: {"op_rate"}, 6: {"op_rate"}, 12: {"op_rate", "latency_median_ms"}} {
		h, err := of(runsOf(t, planted.Plan{Runs: 12, Seed: 1, Edit: func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
			if m == nil && run == other {
				e.Spec.Phases[0].PrimaryMetric = "latency_median_ms"
			}
		}}), Options{})
		require.NoError(t, err)
		assert.Equal(t, want, metricsOf(h), "run %d", other)
	}
}

func TestRunsOfOneServerChooseNoBaseline(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 5, Seed: 1, Edit: func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m == nil && run > 2 {
			e.Spec.Servers = e.Spec.Servers[1:2]
		}
	}})
	for _, run := range runs[2:] {
		run.Rows = slices.DeleteFunc(run.Rows, func(row results.Row) bool { return row.Server != "disruptor" })
	}
	h, err := of(runs, Options{})
	require.NoError(t, err)
	assert.Equal(t, "hsha", h.Baseline)
	assert.Len(t, judged(h, "disruptor")[0].Points, 2)
}

func TestRunsWithoutRatiosForSeveralReasonsAreNotedEach(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 3, Seed: 8})
	for i, run := range runs {
		run.Rows = slices.DeleteFunc(run.Rows, func(row results.Row) bool { return (row.Server == "hsha") == (i == 1) })
	}
	h, err := of(runs, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"run 20261101-010000 has one server, hsha: there is nothing to compare it with",
		`run 20261102-010000 has no server "hsha" to compare with: choose from disruptor, xedin`,
		"run 20261103-010000 has one server, hsha: there is nothing to compare it with",
	}, h.Notes)
}

func TestOtavaReadsARowForEachRun(t *testing.T) {
	h, err := of(runsOf(t, planted.Plan{Runs: 2, Seed: 6}), Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, h.RunsTable().Write(&out, "csv", false))
	lines := strings.Split(out.String(), "\n")
	assert.Contains(t, lines[0], "time,run,branch,store_image,plugin,load_image,nodes,kernel,hardware,disruptor.read.op_rate,")
	assert.Contains(t, lines[1], "2026-11-01T01:00:00Z,20261101-010000,1,6105d6cc76af,5e689e2b0167,")
	assert.Len(t, lines, 4)
}

func TestJSONHasEverySeriesAndChange(t *testing.T) {
	h, err := of(runsOf(t, planted.Plan{Runs: 12, Seed: 7, Slow: 7, Share: 0.3}), Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, h.WriteJSON(&out))
	var read struct {
		Runs   []struct{ Run string }
		Series []struct {
			Server, Metric string
			Judged         bool
			Points         []struct{ Value float64 }
			Changes        []struct{ FirstAfter, Verdict string }
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &read))
	assert.Len(t, read.Runs, 12)
	require.Equal(t, "disruptor", read.Series[0].Server)
	assert.Len(t, read.Series[0].Points, 12)
	require.Len(t, read.Series[0].Changes, 1)
	assert.Equal(t, planted.Run(7), read.Series[0].Changes[0].FirstAfter)
	assert.Equal(t, "slower", read.Series[0].Changes[0].Verdict)
}

func TestWhatTwoRunsRecordDifferently(t *testing.T) {
	digest := func(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }
	for name, test := range map[string]struct {
		a, b map[string]string
		says []string
	}{
		"nothing": {map[string]string{factImage: "x"}, map[string]string{factImage: "x"}, nil},
		"digests are cut, and images come first": {
			map[string]string{factKernel: "6.1", factImage: digest("a")}, map[string]string{factKernel: "6.2", factImage: digest("b")},
			[]string{"store image from aaaaaaaaaaaa to bbbbbbbbbbbb", "kernel from 6.1 to 6.2"}},
		"a setting explains the digest of all": {
			map[string]string{factSettings: "1"}, map[string]string{factSettings: "2", factSetting + "workers": "64"},
			[]string{"setting workers from default to 64"}},
		"a digest alone": {map[string]string{factSettings: "1"}, map[string]string{factSettings: "2"}, []string{"settings' digest from 1 to 2"}},
		"settings that one run does not report": {map[string]string{}, map[string]string{factSettings: "2", factSetting + "workers": "64"},
			[]string{"settings' digest is known of one run only"}},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, d := range factsDiffer(test.a, test.b) {
				said = append(said, d.line)
			}
			assert.Equal(t, test.says, said)
		})
	}
}
