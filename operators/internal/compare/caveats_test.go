package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

func withP95(rows []results.Row, p95 time.Duration) []results.Row {
	for i := range rows {
		rows[i].P95 = results.Some(p95 + time.Duration(i)*time.Microsecond)
	}
	return rows
}

// The 95th percentiles of closed loops at 14,530 and 31,295 operations per second belong to different loads.
func TestLatenciesOfClosedLoopsAtUnlikeRatesSaySo(t *testing.T) {
	for name, test := range map[string]struct {
		rates  []float64
		edit   func(r *results.Row)
		noted  bool
		metric string
	}{
		"unlike rates":         {rates: []float64{31295, 31300, 31310, 31200}, noted: true, metric: "latency_p95_ms"},
		"the rates themselves": {rates: []float64{31295, 31300, 31310, 31200}, metric: "op_rate"},
		"rates that are alike": {rates: []float64{15000, 14900, 15100, 15050}, metric: "latency_p95_ms"},
		"at a constant rate":   {rates: []float64{31295, 31300, 31310, 31200}, metric: "latency_p95_ms", edit: func(r *results.Row) { r.TargetRate, r.LatencyKind = 40000, "response" }},
	} {
		t.Run(name, func(t *testing.T) {
			run := runOf(withP95(rates("hsha", "hsha", 14530, 14500, 14560, 14540), 2*time.Millisecond), withP95(rates("x", "x", test.rates...), time.Millisecond))
			for i := range run.Rows {
				if test.edit != nil {
					test.edit(&run.Rows[i])
				}
			}
			result, err := Within(run, to("hsha"))
			require.NoError(t, err)
			var shown []Comparison
			for _, c := range result.Comparisons {
				if c.Metric.Name == test.metric {
					shown = append(shown, c)
				}
			}
			require.Len(t, shown, 1)
			said := strings.Join(Caveats(shown), "\n")
			assert.Equal(t, test.noted, strings.Contains(said, "x, read: latencies are at 31276.2 ops/s, and those of hsha at 14532.5 ops/s: a closed loop offers each server another load"), said)
		})
	}
}

func TestCaveatsCountWhatIsShown(t *testing.T) {
	result, err := Within(runOf(withP95(rates("hsha", "hsha", 14530, 14500, 14560, 14540), 2*time.Millisecond), withP95(rates("x", "x", 14530, 14510, 14530, 14500), time.Millisecond)), to("hsha"))
	require.NoError(t, err)
	require.Len(t, result.Comparisons, 2)
	rate, p95 := result.Comparisons[:1], result.Comparisons[1:]
	assert.Equal(t, []string{"verdicts use one primary metric per load, corrected for its servers (up to 1): about 1 in 20 loads has a false verdict or interval"}, Caveats(rate))
	assert.Equal(t, []string{"1 comparison is descriptive, with an uncorrected 95% interval: it shows a difference by chance in 1 of 20 runs if the servers are equal"}, Caveats(p95))
	assert.Equal(t, "2 comparisons are descriptive, with uncorrected 95% intervals: about 0.1 would show a difference by chance if all servers were equal", Caveats(append(p95, p95...))[0])
	assert.Empty(t, Caveats(nil))
}

func TestTheMarginIsThatOfTheOptionsElseOfThePhaseElseOfTheExperiment(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1000, 2000, 1500, 1200), rates("x", "x", 1012, 1986, 1510, 1196))
	phase := run.Rows[0].Phase
	for _, test := range []struct {
		experiment, phase string
		asked             *ratio.Distance
		want              ratio.Verdict
	}{
		{"", "", nil, ratio.Equivalent},
		{"0.5%", "", nil, ratio.Unresolved},
		{"5%", "", nil, ratio.Equivalent},
		{"0%", "", nil, ratio.Unresolved},
		{"0.5%", "", new(ratio.Share(0.05)), ratio.Equivalent},
		{"", "", new(ratio.Share(0)), ratio.Unresolved},
		{"0.5%", "5%", nil, ratio.Equivalent},
		{"5%", "0.5%", nil, ratio.Unresolved},
		{"5%", "5%", new(ratio.Share(0)), ratio.Unresolved},
		{"5%", "0.1s", nil, ratio.Equivalent},
		{"5%", "", new(ratio.Seconds(0)), ratio.Equivalent},
	} {
		run.Experiment = &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Equivalent: test.experiment, Servers: []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "x"}},
			Phases: []v1beta1.PhaseSpec{{Name: phase, Equivalent: test.phase}}}}
		result, err := Within(run, Options{Margin: test.asked})
		require.NoError(t, err)
		assert.Equal(t, test.want, opRateOf(t, result, "x").Verdict, "%+v", test)
	}
}

func TestDifferencesAreEquivalentWithinSecondsThatWereAskedFor(t *testing.T) {
	run := runOf(hit("hsha", cost{4, 9, 2}, cost{5, 10, 2}, cost{3, 8, 1}, cost{4.5, 9, 2}), hit("x", cost{4.03, 9, 2}, cost{4.99, 9, 2}, cost{3.01, 8, 1}, cost{4.49, 9, 2}))
	phase := run.Rows[0].Phase
	for _, test := range []struct {
		experiment, phase string
		asked             *ratio.Distance
		says              string
	}{
		{"", "0.1s", nil, "equivalent within 0.1 s in this installation"},
		{"", "36ms", nil, "equivalent within 0.036 s in this installation"},
		{"", "0.03s", nil, "unresolved, minimum detectable effect 0.040 s"},
		{"", "0s", nil, "unresolved, minimum detectable effect 0.040 s"},
		{"5%", "", nil, "unresolved, minimum detectable effect 0.040 s"},
		{"", "", new(ratio.Seconds(0.1)), "equivalent within 0.1 s in this installation"},
		{"", "0.1s", new(ratio.Seconds(0.01)), "unresolved, minimum detectable effect 0.040 s"},
		{"", "0.1s", new(ratio.Share(0)), "equivalent within 0.1 s in this installation"},
	} {
		run.Experiment = &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Equivalent: test.experiment, Servers: []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "x"}},
			Phases: []v1beta1.PhaseSpec{{Name: phase, Equivalent: test.phase}}}}
		result, err := Within(run, Options{Margin: test.asked})
		require.NoError(t, err)
		c := by(t, result, "x", results.FaultLost)
		assert.Equal(t, test.says, c.Statement(), "%+v", test)
	}
}

func TestDifferencesAreInSeconds(t *testing.T) {
	for _, metric := range Metrics() {
		if metric.Difference {
			assert.Equal(t, "s", metric.column.Unit, metric.Name)
		}
	}
}

func TestADistanceOfAPhaseIsOfTheKindOfItsPrimaryMetric(t *testing.T) {
	faults := v1beta1.PhaseSpec{Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}}
	rate := faults
	rate.PrimaryMetric = p99
	recovery := v1beta1.PhaseSpec{Type: v1beta1.PhaseRecovery, Recovery: &v1beta1.RecoverySpec{}, PrimaryMetric: results.FaultLost}
	for _, test := range []struct {
		phase v1beta1.PhaseSpec
		text  string
		wrong string
	}{
		{v1beta1.PhaseSpec{}, "", ""},
		{v1beta1.PhaseSpec{}, "5%", ""},
		{v1beta1.PhaseSpec{}, "0.1s", "use a share, as in 3%"},
		{v1beta1.PhaseSpec{Type: v1beta1.PhaseIdle}, "0.1s", "idle_cpu_cores is compared by ratios"},
		{v1beta1.PhaseSpec{PrimaryMetric: results.FaultMeanRecover}, "100ms", ""},
		{faults, "", ""},
		{faults, "0.1s", ""},
		{faults, "5%", "fault_lost_s is compared by differences in seconds: use a time, as in 0.1s"},
		{rate, "5%", ""},
		{rate, "0.1s", "latency_p99_ms is compared by ratios"},
		{recovery, "0.1s", "is compared by ratios"},
		{faults, "0.1 seconds", "use a share of at least 0% and less than 100%, as in 3%, or a time, as in 0.1s"},
	} {
		err := CheckPhaseDistance(&test.phase, test.text)
		if test.wrong == "" {
			assert.NoError(t, err, "%+v", test)
		} else {
			assert.ErrorContains(t, err, test.wrong)
		}
	}
}
