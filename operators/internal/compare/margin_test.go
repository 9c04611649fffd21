package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

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
