package dashboards

import (
	"fmt"
	"testing"

	"ringside.dev/ringside/operators/metrics"
)

const day = 24 * 60 * 60

// inHistory returns a series of the history under test.
func inHistory(metric, server, load, more, samples string) series {
	return series{Series: fmt.Sprintf(`%s{experiment="e", baseline="hsha", server=%q, load=%q, metric="op_rate", first_run="r0"%s}`, metric, server, load, more), Values: samples}
}

func change(metric, server, load, run, samples string) series {
	return inHistory(metric, server, load, fmt.Sprintf(`, is="slower", run=%q`, run), samples)
}

// A sample a day is far apart from the next for Prometheus, which looks back 5 minutes.
func TestEachRunIsAPointOfItsOwnStep(t *testing.T) {
	evaluatedOver(t, "1d", "4d", []series{
		inHistory(metrics.HistoryComparison, "disruptor", "read", `, kind="ratio"`, "1 1.1 _ _ 0.9"),
		inHistory(metrics.HistoryComparison, "xedin", "read", `, kind="ratio"`, "1 1.1 1.2 _ _"),
		inHistory(metrics.HistoryComparison, "disruptor", "write", `, kind="ratio"`, "1x4"),
	}, map[string][]expected{
		inRun(ofSeries(metrics.HistoryComparison)): {
			{metrics.HistoryComparison + `{experiment="e", baseline="hsha", server="disruptor", load="read", metric="op_rate", first_run="r0", kind="ratio"}`, 0.9},
		},
	})
}

// Prometheus keeps the samples of a history that had another change, or none any more.
func TestOnlyChangesOfTheLatestHistoryAreShown(t *testing.T) {
	run := series{Series: metrics.HistoryRun + `{experiment="e"}`, Values: fmt.Sprintf("0+%dx4", day)}
	of := func(server, load, run string) string {
		return fmt.Sprintf(`{is="slower", load=%q, metric="op_rate", run=%q, server=%q}`, load, run, server)
	}
	evaluatedOver(t, "1d", "4d", []series{
		run,
		{Series: metrics.HistoryRun + `{experiment="other"}`, Values: "0x3 999999"},
		// The change at r1 was found on days 2 and 3, and moved to r2 on day 4.
		change(metrics.HistoryChangeTime, "disruptor", "read", "r1", fmt.Sprintf("_ _ %d %d _", day, day)),
		change(metrics.HistoryChangeSeen, "disruptor", "read", "r1", fmt.Sprintf("_ _ %d %d _", 2*day, 3*day)),
		change(metrics.HistoryChangeTime, "disruptor", "read", "r2", fmt.Sprintf("_ _ _ _ %d", 2*day)),
		change(metrics.HistoryChangeSeen, "disruptor", "read", "r2", fmt.Sprintf("_ _ _ _ %d", 4*day)),
		change(metrics.HistoryChange, "disruptor", "read", "r2", "_ _ _ _ 0.95"),
		// The change of another load is in the table and marks no graph of this load.
		change(metrics.HistoryChangeTime, "xedin", "write", "r1", fmt.Sprintf("_ _ %d %d %d", day, day, day)),
		change(metrics.HistoryChangeSeen, "xedin", "write", "r1", fmt.Sprintf("_ _ %d %d %d", 2*day, 3*day, 4*day)),
	}, map[string][]expected{
		changeTimes(): {{of("disruptor", "read", "r2"), 2 * day * 1000}},
		maxBy(ofLatest(metrics.HistoryChangeTime), perChange...): {{of("disruptor", "read", "r2"), 2 * day}, {of("xedin", "write", "r1"), day}},
		"count(" + ofLatest(metrics.HistoryChange) + ")":         {{"{}", 1}},
	})
}

func TestJudgedMetricsAreFirst(t *testing.T) {
	judged := func(metric, samples string) series {
		return series{Series: fmt.Sprintf(`%s{experiment="e", baseline="hsha", server="xedin", load="read", metric=%q, first_run="r0"}`, metrics.HistoryJudged, metric), Values: samples}
	}
	evaluatedOver(t, "1d", "4d", []series{judged("op_rate", "1x4"), judged("latency_p99_ms", "0x4")}, map[string][]expected{
		judgedFirst(): {{`{metric="op_rate"}`, 1}, {`{metric="latency_p99_ms"}`, 0}},
	})
}
