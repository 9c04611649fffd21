package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

func by(t *testing.T, result *Result, server, metric string) Comparison {
	t.Helper()
	for _, c := range result.Comparisons {
		if c.Server == server && c.Metric.Name == metric {
			return c
		}
	}
	require.Fail(t, "no comparison of "+server+" by "+metric)
	return Comparison{}
}

// hsha differs from itself by 1.10 [1.09, 1.11], and another server from it by 1.05.
func TestAFailedAAArmWithholdsEveryVerdict(t *testing.T) {
	run := runOf(
		rates("hsha", "hsha", 1000, 2000, 1500, 1200),
		rates("hsha-again", "hsha", 1101, 2198, 1652, 1319),
		rates("little", "little", 1051, 2099, 1576, 1259),
		rates("much", "much", 2010, 3990, 3003, 2396),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	for _, server := range []string{"little", "much"} {
		c := opRateOf(t, result, server)
		assert.Equal(t, ratio.Unresolved, c.Verdict, server)
		assert.True(t, c.Withheld, server)
		assert.Contains(t, c.Reason, "the A/A arm hsha-again, the same server under a second name, seems to differ by 1.100", server)
	}
	again := opRateOf(t, result, "hsha-again")
	assert.Equal(t, ratio.Unresolved, again.Verdict, "it differs from itself in noise alone")
	assert.Contains(t, again.Reason, "the A/A arm, the same server under two names, seems to differ")

	pair, err := Arms(Arm{run, "hsha"}, Arm{run, "much"}, Defaults())
	require.NoError(t, err)
	assert.Equal(t, ratio.Unresolved, opRateOf(t, pair, "much").Verdict, "nor between the two alone")
}

func TestARatioWithinTheNoiseOfTheAAArmIsUnresolved(t *testing.T) {
	result, err := Within(runOf(
		rates("hsha", "hsha", 1000, 1000, 1000, 1000),
		rates("hsha-again", "hsha", 1100, 930, 1120, 960),
		rates("little", "little", 1050, 1051, 1049, 1050),
		rates("much", "much", 2000, 2010, 1990, 2000),
	), to("hsha"))
	require.NoError(t, err)
	assert.True(t, opRateOf(t, result, "hsha-again").AA)
	assert.Contains(t, opRateOf(t, result, "little").Reason, "within the noise that the A/A arm shows")
	assert.Equal(t, ratio.Faster, opRateOf(t, result, "much").Verdict)
}

// at sets a rate, and latencies with enough operations for them.
func at(rate int, rows []results.Row) []results.Row {
	for i := range rows {
		rows[i].TargetRate, rows[i].Ops = rate, results.Some[int64](100_000)
		slow := time.Duration(1e12 / rows[i].OpRate.Value)
		rows[i].P99, rows[i].P999 = results.Some(slow), results.Some(2*slow)
	}
	return rows
}

func TestOneMetricOfALoadCarriesVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		rate              int
		declared, primary string
		want              string
	}{
		"closed loop":                        {0, "", "", "op_rate"},
		"constant rate":                      {500, "", "", "latency_p99_ms"},
		"declared":                           {0, "latency_p999_ms", "", "latency_p999_ms"},
		"asked for":                          {0, "latency_p999_ms", "latency_p99_ms", "latency_p99_ms"},
		"the input, whatever is asked for":   {500, "", "op_rate", "latency_p99_ms"},
		"declared at a constant rate":        {500, "latency_p999_ms", "", "latency_p999_ms"},
		"closed loop, declared the op rate":  {0, "op_rate", "", "op_rate"},
		"closed loop, declared and answered": {0, "latency_p99_ms", "", "latency_p99_ms"},
	} {
		t.Run(name, func(t *testing.T) {
			run := runOf(at(test.rate, rates("hsha", "hsha", 1000, 2000, 1500, 1200)), at(test.rate, rates("x", "x", 1210, 2380, 1810, 1450)))
			run.Experiment = &v1beta1.Experiment{}
			run.Experiment.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", PrimaryMetric: test.declared}}
			result, err := Within(run, Options{Baseline: "hsha", Primary: test.primary})
			require.NoError(t, err)
			for _, c := range result.Comparisons {
				assert.Equal(t, c.Metric.Name == test.want, c.Primary, c.Metric.Name)
				if c.Primary {
					assert.Equal(t, ratio.Faster, c.Verdict, c.Metric.Name)
				} else {
					assert.Equal(t, ratio.Descriptive, c.Verdict, c.Metric.Name)
				}
			}
		})
	}
	assert.Equal(t, cpuPerOperation, primaryMetric("", 500, []string{"op_rate", "latency_p99_ms", cpuPerOperation}))
	assert.Equal(t, opRate, primaryMetric("", 0, []string{"op_rate", cpuPerOperation}))
}

func TestBytesWrittenAreComparedOnlyWhereTheyArePrimary(t *testing.T) {
	run := runOf(writing(rates("stcs", "stcs", 1000, 1100, 1050, 1020), 200, 206, 197, 201), writing(rates("lcs", "lcs", 1010, 1090, 1060, 1030), 396, 410, 402, 399))
	written := func(primary string) []Comparison {
		result, err := Within(run, Options{Baseline: "stcs", Primary: primary})
		require.NoError(t, err)
		return slices.DeleteFunc(result.Comparisons, func(c Comparison) bool { return c.Metric.Name != results.WrittenPerOperation })
	}
	assert.Empty(t, written(""))
	primary := written(results.WrittenPerOperation)
	require.Len(t, primary, 1)
	assert.Equal(t, ratio.Slower, primary[0].Verdict)
	assert.Equal(t, "wrote more", primary[0].Metric.Worse)
}

// writing sets the bytes written per operation.
func writing(rows []results.Row, bytes ...float64) []results.Row {
	for i := range rows {
		rows[i].IO.WrittenPerOp = results.Some(bytes[i])
	}
	return rows
}

func TestRefusesAPrimaryMetricThatThereIsNotOrThatIsTheInput(t *testing.T) {
	require.NoError(t, CheckPrimary("", 100))
	require.NoError(t, CheckPrimary("op_rate", 0))
	assert.ErrorContains(t, CheckPrimary("speed", 0), `unknown primary metric "speed": choose from op_rate, latency_median_ms`)
	assert.ErrorContains(t, CheckPrimary("op_rate", 100), "op_rate is the input at a constant rate")
}

// bearing sets the capacities of searches.
func bearing(rows []results.Row, capacities ...float64) []results.Row {
	for i := range rows {
		rows[i].Objective, rows[i].Capacity, rows[i].LatencyKind = "p99 <= 100ms", results.Some(capacities[i]), "response"
	}
	return rows
}

// The op rate of a search is that of its last steps. Servers differ in their capacity.
func TestACapacityCarriesTheVerdictOfASearch(t *testing.T) {
	run := runOf(bearing(rates("hsha", "hsha", 500, 500, 500, 500), 1000, 1060, 1010, 1020), bearing(rates("strong", "x", 490, 510, 480, 520), 1300, 1378, 1322, 1330),
		bearing(rates("weak", "y", 500, 500, 500, 500), 800, 851, 805, 810))
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	strong, weak := by(t, result, "strong", Capacity), by(t, result, "weak", Capacity)
	assert.True(t, strong.Primary)
	assert.Equal(t, ratio.Faster, strong.Verdict)
	assert.InDelta(t, 1.303, strong.Ratio, 0.005)
	assert.Equal(t, ratio.Slower, weak.Verdict)
	assert.False(t, by(t, result, "strong", "op_rate").Primary)

	run.Rows = append(run.Rows, runOf(rates("hsha", "hsha", 500), rates("strong", "x", 600)).Rows...) // another load of the run has no such rows
	run.Rows[len(run.Rows)-1].Phase, run.Rows[len(run.Rows)-2].Phase = "plain", "plain"
	result, err = Within(run, to("hsha"))
	require.NoError(t, err)
	for _, note := range result.Notes {
		assert.NotContains(t, note, "no capacity", "nothing is missed where nothing was searched for")
	}
}

// costing sets CPU times per operation, in microseconds, and enough operations for percentiles.
func costing(rows []results.Row, micros ...float64) []results.Row {
	for i := range rows {
		rows[i].TargetRate, rows[i].Ops = 500, results.Some[int64](100_000)
		rows[i].P99 = results.Some(10 * time.Millisecond)
		rows[i].CPU.PerOp = results.Some(time.Duration(1000 * micros[i]))
	}
	return rows
}

// At a constant rate, all servers have the same op rate and differ in their cost.
func TestLessCPUPerOperationIsBetterAtAConstantRate(t *testing.T) {
	run := runOf(costing(rates("hsha", "hsha", 500, 500, 500, 500), 600, 640, 610, 620), costing(rates("thrifty", "x", 500, 500, 500, 500), 540, 577, 549, 559),
		costing(rates("greedy", "y", 500, 500, 500, 500), 690, 736, 701, 712))
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	thrifty, greedy := by(t, result, "thrifty", cpuPerOperation), by(t, result, "greedy", cpuPerOperation)
	assert.True(t, thrifty.Primary)
	assert.Equal(t, ratio.Faster, thrifty.Verdict)
	assert.InDelta(t, 0.9, thrifty.Ratio, 0.005)
	assert.Equal(t, ratio.Slower, greedy.Verdict)
	assert.Equal(t, "less CPU time in this installation", thrifty.Statement())
	assert.Equal(t, "more CPU time in this installation", greedy.Statement())
	assert.InDelta(t, 1.15, greedy.Ratio, 0.005)
	for _, c := range result.Comparisons {
		assert.Equal(t, c.Metric.Name == cpuPerOperation, c.Primary, c.Metric.Name)
	}
}

// The CPU time of the store's own threads is noise; that of the server's threads is a fifth less for x.
func TestAPhaseMayBeDecidedByTheServersOwnThreads(t *testing.T) {
	hsha, x := costing(rates("hsha", "hsha", 500, 500, 500, 500), 600, 940, 510, 720), costing(rates("x", "x", 500, 500, 500, 500), 780, 577, 649, 859)
	for i, micros := range []float64{100, 110, 90, 104} {
		hsha[i].CPU.Server, x[i].CPU.Server = results.Some(time.Duration(1000*micros)), results.Some(time.Duration(800*micros+float64(i)))
	}
	run := runOf(hsha, x)
	run.Experiment = &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: hsha[0].Phase, PrimaryMetric: results.CPUOfServer}}}}
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	c := by(t, result, "x", results.CPUOfServer)
	assert.True(t, c.Primary)
	assert.Equal(t, "less CPU time in this installation", c.Statement())
	assert.InDelta(t, 0.8, c.Ratio, 0.005)
	assert.False(t, by(t, result, "x", cpuPerOperation).Primary)
}

func TestOfAStoreThatDoesNotTellItsCPUTimeNothingIsSaid(t *testing.T) {
	result, err := Within(runOf(rates("hsha", "hsha", 1000, 2000, 1500), rates("x", "x", 1000, 2000, 1500)), to("hsha"))
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		assert.NotEqual(t, cpuPerOperation, c.Metric.Name)
	}
	assert.NotContains(t, strings.Join(result.Notes, "\n"), "CPU")
}

func TestARoundWithoutKnownWindowsIsADropout(t *testing.T) {
	hsha := costing(rates("hsha", "hsha", 500, 500, 500, 500), 600, 640, 610, 620)
	hsha[1].CPU.PerOp = results.Optional[time.Duration]{}
	result, err := Within(runOf(hsha, costing(rates("x", "x", 500, 500, 500, 500), 540, 577, 549, 559)), to("hsha"))
	require.NoError(t, err)
	c := by(t, result, "x", cpuPerOperation)
	assert.Equal(t, []int{3, 1}, []int{c.Rounds, c.Lost[0].Rounds})
	assert.Equal(t, ratio.Unresolved, c.Verdict)
	assert.Contains(t, strings.Join(result.Notes, "\n"), "read: hsha lacks 1 of 4 rounds (CPU per operation: missing or NaN)")
}

// Not the mean of the two, because the second has most operations.
func TestPoolsTheCPUTimeOfRepeatsByTheirOperations(t *testing.T) {
	rows := costing(rates("x", "x", 500, 500), 600, 700)
	rows[0].Ops, rows[1].Ops = results.Some[int64](100), results.Some[int64](300)
	at := slices.IndexFunc(Metrics(), func(m Metric) bool { return m.Name == cpuPerOperation })
	got, err := Figure(nil, []*results.Row{&rows[0], &rows[1]}, Metrics()[at])
	require.NoError(t, err)
	assert.InDelta(t, 675, got, 1e-9)
}

// Compared alone, x differs. Among six servers, chance would make one seem to differ this much too often.
func TestVerdictsAreCorrectedForTheNumberOfServers(t *testing.T) {
	base, x := rates("hsha", "hsha", 1000, 1000, 1000, 1000, 1000), rates("x", "x", 1020, 1070, 1040, 1090, 1010)
	alone, err := Within(runOf(base, x), to("hsha"))
	require.NoError(t, err)
	assert.Equal(t, ratio.Faster, opRateOf(t, alone, "x").Verdict)

	run := runOf(base, x)
	for _, name := range []string{"b", "c", "d", "e", "f"} {
		run.Rows = append(run.Rows, rates(name, name, 990, 1010, 1000, 1020, 980)...)
	}
	among, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.Equal(t, ratio.Unresolved, opRateOf(t, among, "x").Verdict)
	assert.Greater(t, opRateOf(t, among, "x").High, opRateOf(t, alone, "x").High)
	assert.Contains(t, strings.Join(Caveats(among.Comparisons), "\n"), "corrected for its servers (up to 6)")
}

func TestSaysInWordsWhatAVerdictSpeaksOf(t *testing.T) {
	base := rates("hsha", "hsha", 1000, 2000, 1500, 1200)
	run := runOf(base, rates("x", "x", 1210, 2380, 1810, 1450), rates("same", "same", 1001, 1999, 1501, 1199), rates("wild", "wild", 1300, 1700, 1800, 1000))
	result, err := Within(run, Options{Baseline: "hsha", Margin: new(ratio.Share(0.025))})
	require.NoError(t, err)
	x, same, wild := opRateOf(t, result, "x"), opRateOf(t, result, "same"), opRateOf(t, result, "wild")
	assert.Equal(t, "faster in this installation", x.Statement())
	assert.Equal(t, "equivalent within 2.5% in this installation", same.Statement())
	assert.Regexp(t, `^unresolved, minimum detectable effect [0-9.]+%$`, wild.Statement())

	run.Experiment = &v1beta1.Experiment{}
	run.Experiment.Spec.Store.Hosting = v1beta1.HostingDedicated
	result, err = Within(run, to("hsha"))
	require.NoError(t, err)
	x = opRateOf(t, result, "x")
	assert.Equal(t, "faster over 4 installations", x.Statement(), "each round has its own")
}

func TestDropoutsStandBesideTheVerdict(t *testing.T) {
	base, x := rates("hsha", "hsha", 1000, 2000, 1500, 1200, 1100), rates("x", "x", 1210, 2380, 1810, 1450, 1300)
	base[1].Valid, x[4].Valid = false, false
	result, err := Within(runOf(base, x[1:]), to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	assert.Equal(t, "hsha 1, x 2 of 5", c.DropoutsText())
	assert.Equal(t, 2, c.Rounds)
	none, err := Within(runOf(rates("hsha", "hsha", 1000, 2000), rates("x", "x", 1210, 2380)), to("hsha"))
	require.NoError(t, err)
	c = opRateOf(t, none, "x")
	assert.Empty(t, c.DropoutsText())
}

// The first of three reads in a row is the slowest, so a round that lost one is not comparable with complete rounds.
func TestARoundWithoutAllItsRepeatsIsLeftOut(t *testing.T) {
	var rows []results.Row
	for _, server := range []string{"hsha", "x"} {
		for repeat := 1; repeat <= 2; repeat++ {
			part := rates(server, server, 1000, 2000, 1500, 1200)
			for i := range part {
				part[i].Repeat = repeat
			}
			rows = append(rows, part...)
		}
	}
	rows[len(rows)-1].Valid = false
	result, err := Within(runOf(rows), to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	assert.Equal(t, 3, c.Rounds)
	assert.Equal(t, "x 1 of 4", c.DropoutsText())
	assert.Contains(t, strings.Join(result.Notes, "\n"), "read: x lacks 1 of 4 rounds (invalid)")
}

// A round of 30 s in a closed loop. The pauses of x make its rounds slow, and it answers too few operations in those for a 99.9th percentile: all of
// its rounds have one, or none.
func TestPercentile_isOfAllRoundsOrNone(t *testing.T) {
	tails := func(server string, rounds int, of func(round int) (operations int64, p999 time.Duration)) []results.Row {
		rows := rates(server, server, make([]float64, rounds)...)
		for i := range rows {
			operations, p999 := of(i)
			rows[i].Ops, rows[i].OpRate = results.Some(operations), results.Some(float64(operations)/30)
			rows[i].P999, rows[i].P99 = results.Some(p999+time.Duration(i)*time.Microsecond), results.Some(p999/2+time.Duration(i*i)*time.Microsecond)
		}
		return rows
	}
	steady := func(int) (int64, time.Duration) { return 10_200, 41 * time.Millisecond }
	for name, test := range map[string]struct {
		slow int64
		want ratio.Verdict
	}{
		"too few operations on average": {9_720, ratio.Unresolved},
		"enough on average":             {9_990, ratio.Slower},
	} {
		t.Run(name, func(t *testing.T) {
			x := tails("x", 12, func(round int) (int64, time.Duration) {
				if round%2 == 0 {
					return 10_080, 39 * time.Millisecond
				}
				return test.slow, 156 * time.Millisecond
			})
			result, err := Within(runOf(tails("hsha", 12, steady), x), Options{Baseline: "hsha", Primary: "latency_p999_ms"})
			require.NoError(t, err)
			c := by(t, result, "x", "latency_p999_ms")
			assert.Equal(t, test.want, c.Verdict, c.Statement())
			if test.slow == 9_720 {
				assert.Equal(t, "a round of x has 9900 operations on average, fewer than ten beyond the 99.9th percentile", c.Reason)
				assert.Equal(t, "not known", cmp.Or(c.Effect(), "not known"))

				result, err = Within(runOf(tails("hsha", 12, steady), x), Options{Baseline: "hsha"})
				require.NoError(t, err)
				assert.Contains(t, result.Notes, "read, 99.9th: not compared for x: a round has fewer than ten operations beyond this percentile on average")
			} else {
				assert.InDelta(t, math.Sqrt(39*156.0)/41, c.Ratio, 0.01)
				assert.Equal(t, 12, c.Rounds)
			}
		})
	}
}

func TestPrimaryMetric_withoutFiguresIsAGap(t *testing.T) {
	result, err := Within(runOf(at(0, rates("hsha", "hsha", 1000, 2000, 1500)), at(0, rates("x", "x", 1210, 2380, 1810))), Options{Baseline: "hsha", Primary: "latency_median_ms"})
	require.NoError(t, err)
	assert.Equal(t, []string{"read: no verdict, because its primary metric latency_median_ms has no figures"}, result.Gaps)
}

// Of twelve rounds of x, three are as fast as the baseline's. A gate makes the nine invalid that have half its rate.
func TestVerdict_needsTheRoundsThatASlowServerLoses(t *testing.T) {
	base, x := rates("hsha", "hsha", make([]float64, 12)...), rates("x", "x", make([]float64, 12)...)
	for i := range x {
		base[i].OpRate, x[i].OpRate = results.Some(1000+float64(i)), results.Some(1000+float64(i)+float64(i*i%7)-2)
	}
	for _, test := range []struct {
		lost    int
		reason  v1beta1.Reason
		verdict ratio.Verdict
		missing string
	}{
		{0, "", ratio.Equivalent, ""},
		{9, v1beta1.GateTargetRateMissed, ratio.Unresolved, "x lacks 9 of 12 rounds (TargetRateMissed)"},
		{2, v1beta1.GateOperationsFailed, ratio.Unresolved, "x lacks 2 of 12 rounds (OperationsFailed)"},
		{1, v1beta1.GateLoadCPUSaturated, ratio.Equivalent, "x lacks 1 of 12 rounds (LoadCPUSaturated)"},
		{9, v1beta1.GateNodesShared, ratio.Equivalent, "x lacks 9 of 12 rounds (NodesShared)"},
	} {
		t.Run(test.missing, func(t *testing.T) {
			result, err := Within(runOf(base, invalid(test.lost, test.reason, slices.Clone(x))), Options{Baseline: "hsha"})
			require.NoError(t, err)
			c := opRateOf(t, result, "x")
			assert.Equal(t, test.verdict, c.Verdict, c.Reason)
			assert.Equal(t, test.missing, c.Missing())
			assert.Equal(t, test.lost == 9 && test.verdict == ratio.Unresolved || test.lost == 2, c.ServerLost())
			if test.verdict == ratio.Unresolved {
				assert.Equal(t, test.missing, c.Reason)
				assert.True(t, math.IsNaN(c.Ratio) && math.IsNaN(c.Value))
				assert.False(t, math.IsNaN(c.BaselineValue))
				require.ErrorContains(t, Lacks(runOf(base, invalid(test.lost, test.reason, slices.Clone(x))), "x", c.Cell, c.Metric), test.missing)
			}
		})
	}
}

// A user stopped the run in its last round. A failed run ends where a slow server timed out.
func TestRoundOfAStoppedRun_isNotLost(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1000, 2000, 1500, 1700), rates("x", "x", 1210, 2380, 1810))
	run.Experiment = &v1beta1.Experiment{}
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.Equal(t, ratio.Faster, opRateOf(t, result, "x").Verdict)
	run.Experiment.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFailed, Status: metav1.ConditionTrue}}
	result, err = Within(run, to("hsha"))
	require.NoError(t, err)
	assert.Equal(t, "x lacks 1 of 4 rounds (not measured)", opRateOf(t, result, "x").Reason)
}

// By chance, a capacity search whose range ends at the capacity of x has half of its rounds below.
func TestCapacity_aboveTheRangeIsLost(t *testing.T) {
	x := invalid(2, v1beta1.GateCapacityAboveRange, bearing(rates("x", "x", 500, 500, 500, 500), 4000, 4000, 3850, 3830))
	result, err := Within(runOf(bearing(rates("hsha", "hsha", 500, 500, 500, 500), 3000, 3030, 3010, 3020), x), to("hsha"))
	require.NoError(t, err)
	c := by(t, result, "x", Capacity)
	assert.True(t, c.Primary)
	assert.Equal(t, "x lacks 2 of 4 rounds (CapacityAboveRange)", c.Reason)
}

// The phase write exists for hsha only.
func TestLoadOfOneServer_isAGap(t *testing.T) {
	write := rates("hsha", "hsha", 1000, 2000, 1500)
	for i := range write {
		write[i].Phase, write[i].Operation = "write", "write"
	}
	result, err := Within(runOf(rates("hsha", "hsha", 1000, 2000, 1500), rates("x", "x", 1210, 2380, 1810), write), to("hsha"))
	require.NoError(t, err)
	assert.Equal(t, []string{"write at 50 threads was not measured with x"}, result.Gaps)
}

// on returns the rows of three installations, with rounds numbered from 1 in each.
func on(server string, installations ...[]float64) []results.Row {
	var rows []results.Row
	for i, values := range installations {
		part := rates(server, server, values...)
		for j := range part {
			part[j].Installation = i + 1
		}
		rows = append(rows, part...)
	}
	return rows
}

// Each installation alone gives a precise ratio of its own, 1.15, 1.2 or 1.25. Only the three together allow a conclusion about the server.
func TestSeveralInstallationsSpeakOfTheServer(t *testing.T) {
	result, err := Within(runOf(
		on("hsha", []float64{1000, 1001, 1002, 1003}, []float64{2000, 2001, 2002, 2003}, []float64{500, 501, 502, 503}),
		on("x", []float64{1151, 1150, 1153, 1152}, []float64{2401, 2400, 2403, 2402}, []float64{626, 625, 628, 627}),
	), to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	assert.Equal(t, "faster over 3 installations", c.Statement())
	assert.Equal(t, []int{12, 3}, []int{c.Rounds, c.Installations})
	assert.InDelta(t, 1.08, c.Low, 0.01, "the standard error of the three is 2.4%, and two degrees of freedom want 4.3 of it")
	assert.InDelta(t, 1.2, c.Ratio, 0.01)

	result, err = Within(runOf(
		on("hsha", []float64{1000, 1001, 1002, 1003}, []float64{2000, 2001, 2002, 2003}),
		on("x", []float64{1101, 1100, 1103, 1102}, []float64{2401, 2400, 2403, 2402}),
	), to("hsha"))
	require.NoError(t, err)
	c = opRateOf(t, result, "x")
	assert.Equal(t, "faster in these 2 installations", c.Statement())
	assert.Greater(t, c.Low, 1.14, "which are what they are")
}
