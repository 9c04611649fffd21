package report

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

func TestShowsWhatTheLossOfANodeCost(t *testing.T) {
	ready, noticed, back := int64(2_500_000), int64(1_200_000), int64(2_000_000)
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation != "write" {
			return
		}
		m.Status.Result.Faults = []v1beta1.FaultEffect{{Kind: v1beta1.FaultMaintain, Task: "repair", Node: 1, AtMicros: 3_000_000, ReadyMicros: &ready, LevelOpRate: "200.0",
			DetectMicros: &noticed, RecoverMicros: &back, Availability: "0.9700", BeforeP99Millis: "4.100", DuringP99Millis: "9.300"}}
		m.Status.Result.Errors, m.Status.Result.ErrorsByKind = 15, []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 12}}
		m.Status.Result.StoreEvents = &v1beta1.StoreEvents{Nodes: 3, Of: 4, Counts: map[string]int64{"hints_kept": 40, "hints_delivered": 38, "read_repairs": 0}}
		if m.Spec.Server == "xedin" {
			m.Status.Result.Faults[0].ReadyMicros, m.Status.Result.Faults[0].RecoverMicros = nil, nil
			m.Status.Valid, m.Status.InvalidReasons = false, []string{"store restart: store pod s-1 did not return"}
		}
	})
	text, page := render(t, folder)
	require.Len(t, page.Faults, 3)
	shown := tableOf(t, text, "faults")
	require.Len(t, shown, 5, "a heading, three measurements, and why one of them has no figures")
	for i, row := range page.Faults {
		cells := shown[i+1]
		assert.Equal(t, row.Server, cells[0])
		assert.Equal(t, []string{"write", "1"}, cells[1:3])
		if row.Server == "xedin" {
			assert.Empty(t, cells[3])
			assert.Equal(t, []string{"store restart: store pod s-1 did not return"}, shown[i+2])
			continue
		}
		assert.Equal(t, []string{"maintain-repair:1@3.000+2.500", "0.9700", "1.200", "2.000", "2.500", "4.100", "9.300", "15"}, cells[3:11])
		assert.Equal(t, []string{"refused 3", "timed-out 12"}, row.ErrorsByKind)
		assert.Contains(t, text, "refused 3<br>timed-out 12</td>")
		assert.Equal(t, []string{"40", "38", "0"}, cells[12:15])
	}
	for _, load := range page.Loads {
		for _, figure := range load.Figures {
			stretches := 0
			for _, chart := range figure.Charts {
				stretches += len(chart.Faults)
				for _, away := range chart.Faults {
					assert.Greater(t, away.Right, away.Left)
					assert.LessOrEqual(t, away.Right, chart.Plot.Right)
				}
			}
			overTime := load.Name == "write" && (figure.Title == "Op rate over time" || figure.Title == "95th percentile over time")
			assert.Equal(t, overTime || figure.Title == "Answered since a fault", stretches > 0, "%s, %s", load.Name, figure.Title)
			if overTime {
				assert.Contains(t, figure.Note, "Shaded from bottom to top")
			}
		}
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.Faults)
	assert.NotContains(t, plain, `class="fault"`)
}

// faulted is a run in which two nodes are killed under each measurement.
func faulted(t *testing.T, rounds int32, names ...string) archive.Folder {
	t.Helper()
	lasts, rate := metav1.Duration{Duration: 110 * time.Second}, int64(60)
	kill := func(node int32, at time.Duration) v1beta1.FaultSpec {
		return v1beta1.FaultSpec{Kind: v1beta1.FaultKill, Node: node, At: metav1.Duration{Duration: at}}
	}
	phase := v1beta1.PhaseSpec{Name: "read", Type: v1beta1.PhaseFaults, Repeats: 1, Threads: 8, Duration: &lasts, TargetRate: rate, Consistency: "QUORUM",
		Faults: []v1beta1.FaultSpec{kill(1, 20*time.Second), kill(2, 70*time.Second)}}
	folder, err := simulated.Archive(t.TempDir(), simulated.Experiment("cassandra-faults", "20261121-001500", servers(names...), rounds, 0, phase), nil)
	require.NoError(t, err)
	return folder
}

func sinceOf(t *testing.T, page *Page) *Figure {
	t.Helper()
	for _, figure := range page.Loads[0].Figures {
		if figure.Title == "Answered since a fault" {
			return figure
		}
	}
	require.Fail(t, "no figure of what was answered since a fault")
	return nil
}

func TestWhatWasAnsweredSinceAFaultIsDrawnForEachServer(t *testing.T) {
	_, page := render(t, faulted(t, 3, "hsha", "disruptor", "xedin"))
	figure := sinceOf(t, page)
	require.Len(t, figure.Charts, 1, "few servers are drawn beside each other")
	chart := figure.Charts[0]
	thin, means := 0, []string{}
	for _, line := range chart.Lines {
		if line.Thin {
			thin++
		} else {
			means = append(means, line.Name)
		}
	}
	assert.Equal(t, 3*3*2, thin, "one for each fault of each round")
	assert.Equal(t, []string{"hsha, mean", "disruptor, mean", "xedin, mean"}, means)
	require.Len(t, chart.Faults, 1)
	assert.InDelta(t, chart.px(since{lead, newExtent(49.5)}, 20), chart.Faults[0].Right, 3, "until the node was ready, after 20 s")
	assert.Greater(t, chart.Faults[0].Left, chart.Plot.Left, "the seconds before are there to see the level")
	assert.Equal(t, "0", chart.XTicks[0].Label)
	assert.InDelta(t, chart.Faults[0].Left, chart.XTicks[0].At, 1e-9)
	require.Len(t, figure.Table.Rows, 3)
	assert.Equal(t, []string{"hsha", "6"}, figure.Table.Rows[0][:2])
	assert.Equal(t, "20.0", figure.Table.Rows[0][4])
	assert.Less(t, figure.Table.Rows[0][2], "0.4", "a fifth is answered at first")
	assert.Contains(t, figure.Note, "on the mean")
}

func TestManyServersSinceAFaultAreDrawnApart(t *testing.T) {
	_, page := render(t, faulted(t, 3, "hsha", "disruptor", "xedin", "threadpool"))
	figure := sinceOf(t, page)
	require.Len(t, figure.Charts, 4)
	for _, chart := range figure.Charts {
		behind := 0
		for _, line := range chart.Lines {
			if line.Context {
				behind++
			}
		}
		assert.Equal(t, 3, behind)
		assert.Len(t, chart.Faults, 1)
		assert.NotEmpty(t, chart.Caption)
	}
}

func TestOfLoadsWithoutAFaultNothingIsDrawnSinceOne(t *testing.T) {
	text, page := render(t, dedicated(t, nil))
	for _, load := range page.Loads {
		for _, figure := range load.Figures {
			assert.NotEqual(t, "Answered since a fault", figure.Title)
		}
	}
	assert.NotContains(t, text, "Answered since a fault")
	assert.NotContains(t, text, "differences from it")
}

func TestWhatAFaultCostIsComparedBySecondsInTheReport(t *testing.T) {
	text, page := render(t, faulted(t, 5, "hsha", "xedin"))
	assert.Contains(t, page.Metrics, "lost to a fault")
	require.NotEmpty(t, page.Comparison)
	shown := false
	for i, title := range page.Metrics {
		cell := page.Comparison[0].Cells[i]
		if title == "lost to a fault" {
			shown = true
			assert.Regexp(t, `^[+-]\d+\.\d{3} s$`, cell.Ratio)
			assert.Regexp(t, `^[+-]\d+\.\d{3} s to [+-]\d+\.\d{3} s$`, cell.Interval)
			assert.NotEmpty(t, cell.Verdict, "it is the primary metric")
		}
	}
	assert.True(t, shown)
	assert.Contains(t, text, "lost to a fault, difference in s, less is better")
	assert.Contains(t, text, "ratios to hsha, or differences from it")
	for _, forest := range []*Forest{page.Answer.Forest, page.Loads[0].Forest} {
		require.NotNil(t, forest)
		assert.True(t, forest.Differences)
		for _, group := range forest.Layouts[0].Groups {
			for _, row := range group.Rows {
				assert.True(t, row.Drawn, group.Title)
				if row.Known {
					assert.LessOrEqual(t, row.Left, row.X)
					assert.LessOrEqual(t, row.X, row.Right)
				}
			}
		}
	}
}

func TestAServerThatDidNotRecoverIsToldOfAndNotDrawnAsADifference(t *testing.T) {
	folder := faulted(t, 3, "hsha", "xedin")
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	for i := range run.Rows {
		if run.Rows[i].Server == "xedin" && run.Rows[i].Round == 2 {
			run.Rows[i].Faults.Recover, run.Rows[i].Faults.MeanRecover = results.Optional[time.Duration]{}, results.Optional[time.Duration]{}
		}
	}
	page := Build(run)
	for i, title := range page.Metrics {
		if title == "time to recover" {
			cell := page.Comparison[0].Cells[i]
			assert.Equal(t, "not known", cell.Ratio)
			assert.Empty(t, cell.Interval)
			assert.Contains(t, cell.Reason, "xedin lacks 1 of 3 rounds (not recovered by the phase's end)")
		}
	}
	for _, group := range page.Loads[0].Forest.Layouts[0].Groups {
		assert.NotContains(t, group.Title, "time to recover")
	}
	assert.Contains(t, page.CompareSay, "xedin, read, time to recover: "+page.Comparison[0].Cells[indexOf(t, page.Metrics, "time to recover")].Reason)
}

func indexOf(t *testing.T, all []string, one string) int {
	t.Helper()
	for i, other := range all {
		if other == one {
			return i
		}
	}
	require.Fail(t, "no "+one)
	return -1
}

func TestShadesThatOverlapAreOne(t *testing.T) {
	for name, test := range map[string]struct{ all, want []stretch }{
		"none":             {nil, nil},
		"the same in each": {[]stretch{{20, 40}, {70, 90}, {20.1, 40.2}, {70.1, 89}}, []stretch{{20, 40.2}, {70, 90}}},
		"apart":            {[]stretch{{70, 90}, {20, 40}}, []stretch{{20, 40}, {70, 90}}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, joined(test.all)) })
	}
}

func TestTheMeanOfLinesEndsWhereMostOfThemDo(t *testing.T) {
	mean := meanLine(arm{server: Server{Name: "x"}, lines: []series{
		{x: []float64{-5, 0, 1, 2}, y: []float64{1, 0.2, 0.4, 1}},
		{x: []float64{-5, 0, 1}, y: []float64{1, 0.4, 0.8}},
		{x: []float64{-5, 0, 1}, y: []float64{1, 0.6, 0.6}},
	}})
	require.Len(t, mean.x, 7)
	assert.InDelta(t, 1, mean.x[6], 1e-9, "at 2 s one of three is left")
	assert.InDelta(t, 0.4, mean.y[5], 1e-9)
	assert.InDelta(t, 0.6, mean.y[6], 1e-9)
	assert.InDelta(t, 0.5, meanUntil(mean, 2), 1e-9)
	assert.True(t, math.IsNaN(meanUntil(mean, 5)), "the line ends before")
}

func TestShowsWhatTheDeathOfAStoreCost(t *testing.T) {
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation == "write" {
			m.Status.Result.Recovery = &v1beta1.Recovery{FirstMicros: 2_000_000, AllMicros: 2_500_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}
		}
	})
	text, page := render(t, folder)
	require.NotEmpty(t, page.Recoveries)
	shown := tableOf(t, text, "recoveries")
	require.Len(t, shown, len(page.Recoveries)+1)
	for i, row := range page.Recoveries {
		assert.Equal(t, "2.500", row.AllSeconds)
		assert.Equal(t, "write", row.Load)
		cells := shown[i+1]
		assert.Equal(t, row.Server, cells[0])
		assert.Contains(t, cells[2], "2.0", "seconds until it was back")
		assert.Equal(t, []string{row.Sent, row.Acknowledged, row.Kept, row.Lost, row.Refused}, cells[4:9])
		assert.NotEqual(t, "0", row.Lost)
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.Recoveries)
	assert.NotContains(t, plain, "Killed under load")
}
