package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// cost of a fault in one round, in seconds; a value below 0 was not reached.
type cost struct{ lost, recover, detect float64 }

func hit(server string, rounds ...cost) []results.Row {
	known := func(seconds float64) results.Optional[time.Duration] {
		return results.Optional[time.Duration]{Known: seconds >= 0, Value: time.Duration(seconds * float64(time.Second))}
	}
	rows := at(200, rates(server, server, make([]float64, len(rounds))...))
	for i, c := range rounds {
		rows[i].OpRate = results.Some(200.0)
		rows[i].Faults = results.Faults{List: []results.Fault{{Kind: v1beta1.FaultKill, Node: 1}}, Lost: known(c.lost), MeanRecover: known(c.recover), MeanDetect: known(c.detect)}
	}
	return rows
}

func TestServersUnderAFaultAreComparedByWhatItCostInSeconds(t *testing.T) {
	base := hit("hsha", cost{4, 9, 2}, cost{5, 10, 2}, cost{3, 8, 1}, cost{4.5, 9, 2})
	for name, test := range map[string]struct {
		server []results.Row
		metric string
		// effect, from and to as formatted for people, and the verdict's statement
		effect, from, to, says, reason string
	}{
		"lost more": {hit("x", cost{14.1, 9, 2}, cost{15, 9, 2}, cost{12.9, 9, 2}, cost{14.5, 9, 2}), results.FaultLost,
			"+10.000 s", "+9.870 s", "+10.130 s", "lost more in this installation", ""},
		"lost nothing, which has no ratio": {hit("x", cost{0, 0, -1}, cost{0, 0, -1}, cost{0, 0, -1}, cost{0.1, 0, -1}), results.FaultLost,
			"-4.100 s", "-5.438 s", "-2.762 s", "lost less in this installation", ""},
		"as much in all, it seems": {hit("x", cost{6, 9, 2}, cost{3, 9, 2}, cost{4, 9, 2}, cost{4, 9, 2}), results.FaultLost,
			"+0.125 s", "-2.660 s", "+2.910 s", "unresolved, minimum detectable effect 3.641 s", "the interval holds 0"},
		"as much to hundredths of a second": {hit("x", cost{4.03, 9, 2}, cost{4.99, 9, 2}, cost{3.01, 8, 1}, cost{4.49, 9, 2}), results.FaultLost,
			"+0.005 s", "-0.025 s", "+0.035 s", "unresolved, minimum detectable effect 0.040 s", "the interval holds 0"},
		"one round": {hit("x", cost{6, 9, 2}), results.FaultLost, "", "", "", "unresolved", "x lacks 3 of 4 rounds (not measured)"},
		"sooner at the level": {hit("x", cost{4, 4, 2}, cost{4, 5, 2}, cost{4, 3, 2}, cost{4, 4.5, 2}), results.FaultMeanRecover,
			"-4.875 s", "-5.273 s", "-4.477 s", "descriptive", ""},
		"never less than the level, which is at once": {hit("x", cost{0, 0, -1}, cost{0, 0, -1}, cost{0, 0, -1}, cost{0, 0, -1}), results.FaultMeanRecover,
			"-9.000 s", "-10.299 s", "-7.701 s", "descriptive", ""},
		"not back in time": {hit("x", cost{90, -1, 2}, cost{4, 5, 2}, cost{4, 3, 2}, cost{90, -1, 2}), results.FaultMeanRecover, "", "", "", "descriptive",
			"x lacks 2 of 4 rounds (not recovered by the phase's end)"},
		"in no round back in time": {hit("x", cost{90, -1, 2}, cost{90, -1, 2}, cost{90, -1, 2}, cost{90, -1, 2}), results.FaultMeanRecover, "", "", "", "descriptive",
			"x lacks 4 of 4 rounds (not recovered by the phase's end)"},
		"nothing to detect": {hit("x", cost{0, 0, -1}, cost{0, 0, -1}, cost{4, 5, 2}, cost{4, 5, 2}), results.FaultMeanDetect, "", "", "", "descriptive",
			"x lacks 2 of 4 rounds (less than 95% of the rate in no second)"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Within(runOf(base, test.server), Options{Baseline: "hsha"})
			require.NoError(t, err)
			c := by(t, result, "x", test.metric)
			assert.Equal(t, test.metric == results.FaultLost, c.Primary)
			assert.Equal(t, test.effect, c.Effect())
			from, to, _ := c.Interval()
			assert.Equal(t, []string{test.from, test.to, test.says}, []string{from, to, c.Statement()})
			if test.reason == "" {
				assert.Empty(t, c.Reason)
			} else {
				assert.Contains(t, c.Reason, test.reason)
			}
			if test.effect == "" {
				assert.Contains(t, strings.Join(result.Notes, "\n"), c.Reason)
			}
		})
	}
}

func TestOfLoadsWithoutAFaultNothingIsSaidOfItsCost(t *testing.T) {
	result, err := Within(runOf(rates("hsha", "hsha", 100, 101, 99), rates("x", "x", 100, 99, 101)), to("hsha"))
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		assert.False(t, c.Difference, c.Metric.Name)
	}
	assert.False(t, result.HasDifferences())
}

func TestAPhaseWithFaultsMayDeclareAnotherPrimaryMetric(t *testing.T) {
	run := runOf(hit("hsha", cost{4, 9, 2}, cost{5, 10, 2}, cost{3, 8, 1}), hit("x", cost{4, -1, 2}, cost{5, 10, 2}, cost{3, 8, 1}))
	result, err := Within(run, Options{Baseline: "hsha", Primary: results.FaultMeanRecover})
	require.NoError(t, err)
	c := by(t, result, "x", results.FaultMeanRecover)
	assert.True(t, c.Primary)
	assert.Equal(t, "unresolved", c.Statement())
	assert.Contains(t, c.Reason, "x lacks 1 of 3 rounds (not recovered by the phase's end)")
}

func TestRepeatsUnderAFaultCountByTheirMeanAndOnlyIfAllAreKnown(t *testing.T) {
	rows := hit("hsha", cost{0, 4, 1}, cost{5, 10, 2}, cost{7, -1, -1})
	run := runOf(rows)
	mean, err := Figure(run, []*results.Row{&rows[0], &rows[1]}, metric(t, results.FaultLost))
	require.NoError(t, err)
	assert.InDelta(t, 2.5, mean, 1e-9)
	assert.True(t, metric(t, results.FaultMeanRecover).isOpen([]*results.Row{&rows[0], &rows[2]}))
	assert.False(t, metric(t, results.FaultLost).isOpen([]*results.Row{&rows[0], &rows[2]}))
}

func TestTwoRunsUnderAFaultAreComparedBySecondsToo(t *testing.T) {
	a, b := runOf(hit("hsha", cost{0, 0, -1}, cost{1, 5, 1}, cost{2, 8, 1})), runOf(hit("hsha", cost{10, -1, 1}, cost{11, 9, 1}, cost{12, 8, 1}))
	result, err := Runs(a, b, Options{AllowDifferent: true})
	require.NoError(t, err)
	c := by(t, result, result.Comparisons[0].Server, results.FaultLost)
	assert.Equal(t, "+10.000 s", c.Effect())
	assert.Equal(t, "lost more between these two runs", c.Statement())
}

func TestAThresholdIsAShareOfWhatTheBaselineLost(t *testing.T) {
	result, err := Within(runOf(hit("hsha", cost{4, 9, 2}, cost{5, 10, 2}, cost{3, 8, 1}), hit("x", cost{5, 9, 2}, cost{6.1, 10, 2}, cost{4, 8, 1})), to("hsha"))
	require.NoError(t, err)
	c := by(t, result, "x", results.FaultLost)
	assert.True(t, c.Beyond(c.Ratio, 0.2))
	assert.False(t, c.Beyond(c.Ratio, 0.3))
}

func TestDifferencesHaveColumnsOfTheirOwn(t *testing.T) {
	result, err := Within(runOf(hit("hsha", cost{4, 9, 2}, cost{5, 10, 2}, cost{3, 8, 1}), hit("x", cost{5, 9, 2}, cost{6.5, 10, 2}, cost{4, 8, 1})), to("hsha"))
	require.NoError(t, err)
	assert.True(t, result.HasDifferences())
	lost := result.Table().Select("metric", "ratio", "ci_low", "ci_high", "difference", "difference_low", "difference_high", "baseline_value", "server_value", "mde")
	for i, c := range result.Comparisons {
		if c.Metric.Name == results.FaultLost {
			assert.Equal(t, []string{results.FaultLost, "", "", "", "1.167", "0.450", "1.884", "4.000", "5.167", "0.894"}, lost.Rows[i].Cells)
		} else {
			assert.NotEqual(t, "", lost.Rows[i].Cells[0])
		}
	}
}

func TestRunsWithOtherFaultsDidNotMeasureTheSame(t *testing.T) {
	with := func(node int32) *archive.Run {
		run := whole()
		run.Experiment.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: node}}}}
		return run
	}
	different, _ := Differences(with(1), with(2), []string{"hsha"})
	require.NotEmpty(t, different)
	assert.Contains(t, different[0], "spec.phases.read.faults: ")
	different, _ = Differences(with(1), with(1), []string{"hsha"})
	assert.Empty(t, different)
}

func TestServersThatWereKilledAreComparedByHowLongTheyWereAway(t *testing.T) {
	killed := func(server string, away ...time.Duration) []results.Row {
		rows := rates(server, server, 100, 100, 100, 100)
		for i := range rows {
			rows[i].Recovery.First = results.Some(away[i])
		}
		return rows
	}
	second := time.Second
	run := runOf(killed("rocksdb", 4*second, 4100*time.Millisecond, 4*second, 3900*time.Millisecond), killed("lmdb", 2*second, 2*second, 2100*time.Millisecond, 1900*time.Millisecond))
	result, err := Within(run, to("rocksdb"))
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		assert.Equal(t, c.Metric.Name == results.RecoveryTime, c.Primary, c.Metric.Name)
		if c.Primary {
			assert.InDelta(t, 0.5, c.Ratio, 0.05)
			assert.Equal(t, "faster", string(c.Verdict))
		}
	}
	mean, err := Figure(run, []*results.Row{&run.Rows[0], &run.Rows[1]}, metric(t, results.RecoveryTime))
	require.NoError(t, err)
	assert.InDelta(t, 4.05, mean, 1e-9)
}

func resting(server string, cores ...float64) []results.Row {
	var rows []results.Row
	for i, used := range cores {
		row := results.Row{Run: "r", Server: server, ServerType: server, Operation: "idle", Phase: "idle", Threads: 1, Round: i + 1, Repeat: 1, Valid: true,
			OperationTime: results.Some(30 * time.Second)}
		row.CPU.Idle = results.Some(used)
		rows = append(rows, row)
	}
	return rows
}

func TestServersAtRestAreComparedByWhatTheyUseAndByNothingElse(t *testing.T) {
	run := runOf(resting("blocking", 0.010, 0.011, 0.010, 0.0105), resting("spinner", 1.99, 2.0, 1.98, 2.0), rates("blocking", "blocking", 100, 101, 99, 100), rates("spinner", "spinner", 100, 99, 101, 100))
	result, err := Within(run, to("blocking"))
	require.NoError(t, err)
	compared := map[string][]string{}
	for _, c := range result.Comparisons {
		compared[c.Cell.Operation] = append(compared[c.Cell.Operation], c.Metric.Name)
		if c.Cell.Operation == "idle" {
			assert.True(t, c.Primary)
			assert.Greater(t, c.Ratio, 150.0)
			assert.Equal(t, "slower", string(c.Verdict))
		}
	}
	assert.Equal(t, map[string][]string{"idle": {results.CPUAtRest}, "read": {"op_rate"}}, compared)
	for _, note := range result.Notes {
		assert.NotContains(t, note, "idle", "nobody misses a rate of what was idle")
	}
}

func TestRepeatsAtRestAreWeighedByTheirTime(t *testing.T) {
	rows := resting("blocking", 0.1, 0.4)
	rows[1].OperationTime = results.Some(60 * time.Second)
	value, err := Figure(runOf(rows), []*results.Row{&rows[0], &rows[1]}, metric(t, results.CPUAtRest))
	require.NoError(t, err)
	assert.InDelta(t, 0.3, value, 1e-9)
}
