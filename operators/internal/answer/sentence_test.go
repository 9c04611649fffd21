package answer

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func metricNamed(t *testing.T, name string) compare.Metric {
	t.Helper()
	for _, metric := range compare.Metrics() {
		if metric.Name == name {
			return metric
		}
	}
	require.Fail(t, "no metric "+name)
	return compare.Metric{}
}

// comparison of disruptor with hsha under reads.
func comparison(t *testing.T, metric string, figure, low, high float64, verdict ratio.Verdict) compare.Comparison {
	t.Helper()
	m := metricNamed(t, metric)
	margin := ratio.Share(0.03)
	if m.Difference {
		margin = ratio.Seconds(0.1)
	}
	return compare.Comparison{
		Baseline: "hsha", Server: "disruptor", Cell: compare.Cell{Phase: "read", Operation: "read"}, Load: "read", Metric: m, Primary: true, Margin: margin,
		Estimate: ratio.Estimate{Difference: m.Difference, Ratio: figure, Low: low, High: high, Rounds: 12}, Finding: ratio.Finding{Verdict: verdict, Least: 1.021},
	}
}

func TestSaysAVerdictInWords(t *testing.T) {
	for _, c := range []struct {
		metric            string
		figure, low, high float64
		verdict           ratio.Verdict
		says              string
	}{
		{"op_rate", 1.21, 1.10, 1.34, ratio.Faster, "disruptor answers 21% more reads than hsha [10%, 34%]"},
		{"op_rate", 0.8, 0.7, 0.9, ratio.Slower, "disruptor answers 20% fewer reads than hsha [10%, 30%]"},
		{"op_rate", 1.034, 1.021, 1.047, ratio.Faster, "disruptor answers 3.4% more reads than hsha [2.1%, 4.7%]"},
		{"op_rate", 4, 3.5, 4.5, ratio.Faster, "disruptor's op rate is 4.00 times hsha's [3.50, 4.50]"},
		{"capacity", 1.5, 1.4, 1.6, ratio.Faster, "disruptor sustains 50% more reads per second within its latency objective than hsha [40%, 60%]"},
		{"latency_p99_ms", 0.8, 0.7, 0.9, ratio.Faster, "disruptor has a 20% lower 99th percentile latency of reads than hsha [10%, 30%]"},
		{"latency_median_ms", 1.2, 1.1, 1.3, ratio.Slower, "disruptor has a 20% higher median latency of reads than hsha [10%, 30%]"},
		{"cpu_per_op_us", 0.8, 0.7, 0.9, ratio.Faster, "disruptor takes 20% less CPU time per read than hsha [10%, 30%]"},
		{"fault_lost_s", -3.2, -5.1, -1.2, ratio.Faster, "disruptor loses 3.2 s less to a fault than hsha [1.2 s, 5.1 s]"},
		{"fault_lost_s", -0.041, -0.0062, -0.00031, ratio.Faster, "disruptor loses 0.041 s less to a fault than hsha [0.00031 s, 0.0062 s]"},
		{"fault_lost_s", 0.00003, 0.00001, 0.00005, ratio.Slower, "disruptor loses 0.000030 s more to a fault than hsha [0.000010 s, 0.000050 s]"},
		{"op_rate", 1.002, 0.988, 1.016, ratio.Equivalent, "read: disruptor is equivalent to hsha within 3% [-1.2%, +1.6%]"},
		{"fault_lost_s", -0.01, -0.041, 0.023, ratio.Equivalent, "read: disruptor is equivalent to hsha within 0.1 s [-0.041 s, +0.023 s]"},
	} {
		result := &compare.Result{Comparisons: []compare.Comparison{comparison(t, c.metric, c.figure, c.low, c.high, c.verdict)}}
		found := sentences(result, textfmt.Units{})
		require.Len(t, found, 1, c.says)
		assert.Equal(t, c.says, found[0].Text)
	}
}

func TestASweepOfDifferencesIsInTheirUnit(t *testing.T) {
	result := &compare.Result{}
	for rate, seconds := range map[int]float64{500: -0.00012, 1000: -3.4, 2000: -2} {
		c := comparison(t, "fault_lost_s", seconds, seconds-0.5, seconds/2, ratio.Faster)
		c.Cell.TargetRate = rate
		result.Comparisons = append(result.Comparisons, c)
	}
	found := sentences(result, textfmt.Units{})
	require.Len(t, found, 1)
	assert.Equal(t, "read, by offered rate: disruptor's lost to a fault differs from hsha's by -3.400 to -0.00012 s", found[0].Text)
	assert.Equal(t, "-3.400 to -0.00012 s", columns(result, textfmt.Units{})[0].Of("disruptor").Text)
}

func TestNamesTheLoadWhereTheSentenceDoesNot(t *testing.T) {
	rate := comparison(t, "cpu_per_op_us", 0.8, 0.7, 0.9, ratio.Faster)
	rate.Cell.Phase, rate.Cell.TargetRate, rate.Load = "read-rate", 3000, "read, rate 3000, phase read-rate"
	result := &compare.Result{Comparisons: []compare.Comparison{rate}}
	assert.Equal(t, "read-rate, 3000/s: disruptor takes 20% less CPU time per read than hsha [10%, 30%]", sentences(result, textfmt.Units{})[0].Text)
	echo := comparison(t, "op_rate", 1.21, 1.10, 1.34, ratio.Faster)
	echo.Cell.Phase, echo.Cell.Operation, echo.Load = "echo", "echo", "echo"
	packets := textfmt.UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets"}}})
	result = &compare.Result{Comparisons: []compare.Comparison{echo}}
	assert.Equal(t, "echo: disruptor answers 21% more packets than hsha [10%, 34%]", sentences(result, packets)[0].Text)
}

func TestTheLargestEffectComesFirstAndWhatIsUnresolvedIsOneSentence(t *testing.T) {
	r := run(12, "make experiment", map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 1.2, "xedin": 0.5})
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	found := Of(r, result)
	require.Len(t, found.Sentences, 4)
	assert.Contains(t, found.Sentences[0].Text, "xedin answers")
	assert.Contains(t, found.Sentences[0].Text, "fewer")
	assert.Equal(t, Worse, found.Sentences[0].Mark)
	assert.Contains(t, found.Sentences[3].Text, "disruptor answers")
	assert.Empty(t, found.Open)

	small := comparison(t, "op_rate", 1.01, 0.98, 1.04, ratio.Unresolved)
	other := small
	other.Server, other.Least = "xedin", 1.034
	few := comparison(t, "op_rate", 1.01, math.NaN(), math.NaN(), ratio.Unresolved)
	few.Cell.Phase, few.Cell.Operation, few.Load, few.Least, few.Unknown = "write", "write", "write", math.NaN(), "1 round: an interval needs at least 3"
	assert.Equal(t, "Unresolved: on read disruptor and xedin (minimum detectable effect 2.1% to 3.4%); on write disruptor (1 round: an interval needs at least 3).",
		open(&compare.Result{Comparisons: []compare.Comparison{small, other, few}}))
	assert.Equal(t, "Unresolved: on read disruptor (minimum detectable effect 2.1%).", open(&compare.Result{Comparisons: []compare.Comparison{small}}))
}

func TestARunOfOneServerSaysWhatItDidAndHowToCompareIt(t *testing.T) {
	r := run(1, "make experiment EXPERIMENT=cassandra-quorum SERVER=hsha OPS=500", apart)
	r.Rows = slices.DeleteFunc(r.Rows, func(row results.Row) bool { return row.Server != "hsha" })
	r.Experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}}
	found := Alone(r)
	require.Len(t, found.Sentences, 2)
	assert.Regexp(t, `^write: hsha answers \d+ op/s`, found.Sentences[0].Text)
	assert.Empty(t, found.Next, "no other server is known")
	r.Experiment.Annotations[runs.AnnotationOtherServer] = "disruptor"
	assert.Equal(t, "To compare it with another server: make experiment EXPERIMENT=cassandra-quorum OPS=500 SERVER=hsha,disruptor", Alone(r).Next)
	r.Experiment.Annotations[runs.AnnotationCommand] = "ringside run cassandra-quorum --server hsha"
	assert.Equal(t, "To compare it with another server: ringside run cassandra-quorum --server hsha,disruptor", Alone(r).Next)
	r.Experiment.Spec.Servers = append(r.Experiment.Spec.Servers, v1beta1.ServerSpec{Name: "xedin"})
	assert.Empty(t, Alone(r).Next, "it was compared, and that server was lost")
	r.Experiment.Spec.Servers = r.Experiment.Spec.Servers[:1]
	r.Rows[0].Valid = false
	assert.Empty(t, Alone(r).Next, "first the one server must be measured")
	r.Rows[0].Valid, r.Experiment.Status.Conditions = true, []metav1.Condition{{Type: v1beta1.ConditionFailed, Status: metav1.ConditionTrue}}
	assert.Empty(t, Alone(r).Next)
}

func TestSaysWhereTheFiguresAreAndWhichGatesWarned(t *testing.T) {
	r := run(12, "make experiment", apart)
	r.Rows[3].Warnings = append(r.Rows[3].Warnings, "noise: something else ran")
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	found := Of(r, result)
	assert.Equal(t, "Gates that warned, of 96 measurements: colocation in all, noise in 1.", found.Warned)
	found.Files = "Figures: a.csv; report: r.html"
	var out strings.Builder
	require.NoError(t, found.Write(&out, Style{Width: 100}))
	assert.Contains(t, out.String(), "\nFigures: a.csv; report: r.html\n")
}

func TestRoundsThatWarmUpAreAddedToTheCommand(t *testing.T) {
	r := run(1, "make experiment EXPERIMENT=trial", apart)
	r.Experiment.Spec.WarmupRounds = 1
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	assert.Contains(t, Of(r, result).Next, "ROUNDS=6")
}

func TestAnInterleavedRunIsNotToldToInterleave(t *testing.T) {
	e := &v1beta1.Experiment{}
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read"}}
	assert.Contains(t, instead(&archive.Run{Experiment: e}), "or an interleaved experiment")
	e.Spec.Phases[0].Interleave = &v1beta1.Interleave{}
	assert.NotContains(t, instead(&archive.Run{Experiment: e}), "interleaved")
}
