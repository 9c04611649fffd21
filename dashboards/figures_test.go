package dashboards

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/metrics"
)

// expected is the expected result of a query at the end of a dashboard's time range.
type expected struct {
	Labels string  `json:"labels"`
	Value  float64 `json:"value"`
}

type series struct {
	Series string `json:"series"`
	Values string `json:"values"`
}

// load returns a series of a load pod in the run under test.
func load(metric, server, operation string, repeat, pod int, more, samples string) series {
	return series{
		Series: fmt.Sprintf(`%s{experiment="e", run="r", store="s", server=%q, operation=%q, phase=%q, round="1", repeat="%d", instance="load-%d"%s}`,
			metric, server, operation, operation, repeat, pod, more),
		Values: samples,
	}
}

// question is a query, the time of its evaluation, and its expected result.
type question struct {
	Expr    string     `json:"expr"`
	Time    string     `json:"eval_time"`
	Samples []expected `json:"exp_samples"`
}

// group has series with an interval between their samples, and queries of them.
type group struct {
	Interval  string     `json:"interval"`
	Input     []series   `json:"input_series"`
	Questions []question `json:"promql_expr_test"`
}

// promtool evaluates groups.
func promtool(t *testing.T, groups ...group) {
	t.Helper()
	program := cmp.Or(os.Getenv("PROMTOOL"), "../build/bin/promtool")
	if _, err := os.Stat(program); err != nil {
		t.Skip("left out: there is no promtool; run make $PWD/build/bin/promtool, or name one in PROMTOOL")
	}
	content, err := yaml.Marshal(map[string]any{"evaluation_interval": "5s", "tests": groups})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "figures.yaml")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	output, err := exec.Command(program, "test", "rules", file).CombinedOutput()
	require.NoError(t, err, "%s", output)
}

// chosen replaces the variables of a dashboard, with all values of label variables selected. Longer names are first.
func chosen(length, step, window, kind string) *strings.Replacer {
	return strings.NewReplacer("$experiment", "e", "$run", "r", "$server_type", ".+", "$server", ".+", "$operation", ".+", "$round", ".+", "$kind", kind,
		"$baseline", "hsha", "$instance", ".+", "$load", "read", "$metric", "op_rate", "$__rate_interval", window, "$__range_s", "1800", "$__range", length,
		"$__interval", step)
}

// evaluated evaluates queries on series of half an hour, with all values selected and hsha as the baseline.
func evaluated(t *testing.T, input []series, answers map[string][]expected) {
	t.Helper()
	evaluatedOver(t, "1s", "30m", input, answers)
}

// evaluatedOver does so with samples of another interval, at another time.
func evaluatedOver(t *testing.T, interval, end string, input []series, answers map[string][]expected) {
	t.Helper()
	var questions []question
	for expr, samples := range answers {
		questions = append(questions, question{chosen(end, interval, "4s", "service").Replace(expr), end, samples})
	}
	promtool(t, group{interval, input, questions})
}

func TestTheComparisonsOpRateIsAllThatWasAnsweredOverTheTimeItTook(t *testing.T) {
	const ends = " stale"
	evaluated(t, []series{
		// disruptor: two pods in parallel for 60 s, 100/s each, then one repeat at half that rate for 40 s.
		load(metrics.LoadOperations, "disruptor", "read", 1, 0, "", "0 0 0+100x60"+ends),
		load(metrics.LoadOperations, "disruptor", "read", 1, 1, "", "0 0 0+100x60"+ends),
		load(metrics.LoadActiveSeconds, "disruptor", "read", 1, 0, "", "0 0 0+1x60"+ends),
		load(metrics.LoadActiveSeconds, "disruptor", "read", 1, 1, "", "0 0 0+1x60"+ends),
		load(metrics.LoadOperations, "disruptor", "read", 2, 0, "", "_x100 0 0+100x40"+ends),
		load(metrics.LoadActiveSeconds, "disruptor", "read", 2, 0, "", "_x100 0 0+1x40"+ends),
		// hsha: a first attempt that was lost after 10 s, and a complete one.
		load(metrics.LoadOperations, "hsha", "read", 1, 0, "", "0 0+50x10 stale _x20 0 0+50x80"+ends),
		load(metrics.LoadActiveSeconds, "hsha", "read", 1, 0, "", "0 0+1x10 stale _x20 0 0+1x80"+ends),
		// Other operations are compared separately.
		load(metrics.LoadOperations, "disruptor", "write", 1, 0, "", "0 0+30x10"+ends),
		load(metrics.LoadActiveSeconds, "disruptor", "write", 1, 0, "", "0 0+1x10"+ends),
		load(metrics.LoadOperations, "hsha", "write", 1, 0, "", "0 0+60x10"+ends),
		load(metrics.LoadActiveSeconds, "hsha", "write", 1, 0, "", "0 0+1x10"+ends),
		// Other runs are ignored.
		{Series: metrics.LoadOperations + `{experiment="e", run="other", server="hsha", operation="read", round="1"}`, Values: "0+1000x60"},
	}, map[string][]expected{
		opRateOfAll(): {
			{`{server="disruptor", operation="read"}`, (2*6000 + 4000) / 100.0},
			{`{server="hsha", operation="read"}`, 50},
			{`{server="disruptor", operation="write"}`, 30},
			{`{server="hsha", operation="write"}`, 60},
		},
		toBaseline(opRateOfAll()): {
			{`{server="disruptor", operation="read"}`, 3.2},
			{`{server="hsha", operation="read"}`, 1},
			{`{server="disruptor", operation="write"}`, 0.5},
			{`{server="hsha", operation="write"}`, 1},
		},
	})
}

func TestTheComparisonsPercentilesAreOfMergedHistograms(t *testing.T) {
	const service = `, kind="service"`
	// Schema 0: bucket i ends at 2^i seconds. 98 operations up to 1 s in one pod, 2 up to 8 s in the other.
	quick := "{{schema:0 sum:70 count:98 buckets:[98]}}x5 stale"
	slow := "{{schema:0 sum:12 count:2 offset:3 buckets:[2]}}x5 stale"
	evaluated(t, []series{
		load(metrics.LoadLatency, "disruptor", "read", 1, 0, service, quick),
		load(metrics.LoadLatency, "disruptor", "read", 1, 1, service, slow),
		load(metrics.LoadLatency, "hsha", "read", 1, 0, service, slow),
		// Response times are not included.
		load(metrics.LoadLatency, "hsha", "read", 1, 0, `, kind="response"`, "{{schema:0 sum:100 count:2 offset:6 buckets:[2]}}x5 stale"),
	}, map[string][]expected{
		latencyOfAll(p95) + " <= bool 1": {
			{`{server="disruptor", operation="read"}`, 1},
			{`{server="hsha", operation="read"}`, 0},
		},
		latencyOfAll(p99) + " > bool 4": {
			{`{server="disruptor", operation="read"}`, 1},
			{`{server="hsha", operation="read"}`, 1},
		},
		latencyOfAll(p999) + " <= bool 8": {
			{`{server="disruptor", operation="read"}`, 1},
			{`{server="hsha", operation="read"}`, 1},
		},
		toBaseline(latencyOfAll(median)) + " < bool 0.25": {
			{`{server="disruptor", operation="read"}`, 1},
			{`{server="hsha", operation="read"}`, 0},
		},
	})
}

func TestLatencyFallsBackToThePodsOwnQuantilesWhereNoHistogramsAreStored(t *testing.T) {
	const ofP95 = `, kind="service", quantile="0.95"`
	evaluated(t, []series{
		load(metrics.LoadIntervalLatency, "hsha", "read", 1, 0, ofP95, "0.004x1800"),
		load(metrics.LoadIntervalLatency, "hsha", "read", 1, 1, ofP95, "0.006x1800"),
		load(metrics.LoadIntervalLatency, "hsha", "read", 1, 1, `, kind="wait", quantile="0.95"`, "7x1800"),
	}, map[string][]expected{
		latency(p95): {{`{server="hsha", operation="read"}`, 0.006}},
	})
}

func TestTheOperatorsBaselineIsAboveAllOtherServersAndNoneIsLeftOut(t *testing.T) {
	baseline := func(server, samples string) series {
		return series{Series: fmt.Sprintf(`%s{experiment="e", run="r", server=%q}`, metrics.ExperimentBaseline, server), Values: samples}
	}
	evaluated(t, []series{
		baseline("disruptor", "0x900 stale"), baseline("hsha", "1x900 stale"), // the experiment has been deleted
		load(metrics.LoadPhaseInfo, "hsha", "read", 1, 0, "", "1x60 stale"),
		load(metrics.LoadPhaseInfo, "xedin", "read", 1, 0, "", "1x60 stale"),
	}, map[string][]expected{
		serversBaselineFirst(): {{`{server="hsha"}`, 1}, {`{server="disruptor"}`, 0}, {`{server="xedin"}`, 0}},
	})
}

func TestFaultsAreToldInMillisecondsOnceForEachMoment(t *testing.T) {
	told := func(server, round, event, values string) series {
		return series{Series: fmt.Sprintf(`%s{experiment="e", run="r", store="cassandra", server=%q, operation="read", phase="read", round=%q, repeat="1", `+
			`measurement="m%s", index="0", fault="kill", node="1", event=%q, instance="operator"}`, metrics.ExperimentFault, server, round, round, event), Values: values}
	}
	evaluated(t, []series{
		told("hsha", "1", metrics.FaultHit, "1200.25x1800"), told("hsha", "1", metrics.FaultReady, "1220x1800"), told("hsha", "2", metrics.FaultHit, "_x1790 1795x10"),
	}, map[string][]expected{
		faultMoments(): {
			{`{server="hsha", phase="read", round="1", repeat="1", measurement="m1", index="0", fault="kill", node="1", event="hit"}`, 1200250},
			{`{server="hsha", phase="read", round="1", repeat="1", measurement="m1", index="0", fault="kill", node="1", event="ready again"}`, 1220000},
			{`{server="hsha", phase="read", round="2", repeat="1", measurement="m2", index="0", fault="kill", node="1", event="hit"}`, 1795000},
		},
	})
}

func TestServersWithoutFiguresOfTheirOwnAreNamed(t *testing.T) {
	evaluated(t, []series{
		load(metrics.LoadPhaseInfo, "ours", "read", 1, 0, `, server_type="disruptor"`, "1x60 stale"),
		load(metrics.LoadPhaseInfo, "theirs", "read", 1, 0, `, server_type="hsha"`, "1x60 stale"),
		{Series: metrics.ThriftConnections + `{experiment="e", run="r", instance="a-0", server_type="disruptor"}`, Values: "50x60 stale"},
	}, map[string][]expected{
		whetherReported(): {{`{server_type="disruptor"}`, 1}, {`{server_type="hsha"}`, 0}},
	})
}

func TestPhasesAreMarkedOnceWhereTheyBeginUnlessTheyAreMany(t *testing.T) {
	begins := func(repeat int, samples string) series {
		return load(metrics.LoadPhaseActive, "hsha", "read", repeat, 0, "", samples)
	}
	of := func(repeat string) []expected {
		return []expected{{fmt.Sprintf(`{server="hsha", phase="read", round="1", repeat=%q}`, repeat), 1}}
	}
	few := []series{begins(1, "0x9 1x20 0x9 stale"), begins(2, "_x60 0x9 1x20")}
	for end, marked := range map[string][]expected{"9s": {}, "10s": of("1"), "11s": {}, "31s": {}, "69s": {}, "70s": of("2"), "71s": {}} {
		evaluatedOver(t, "1s", end, few, map[string][]expected{phaseBeginnings(): marked})
	}
	var many []series
	for repeat := range mostPhases + 1 {
		many = append(many, begins(repeat, "0x9 1x20"))
	}
	evaluatedOver(t, "1s", "10s", many, map[string][]expected{phaseBeginnings(): {}})
	evaluatedOver(t, "1s", "10s", many[:1], map[string][]expected{phaseBeginnings(): of("0")})
}

func TestTheLagIsTheQueueOverWhatLeavesIt(t *testing.T) {
	const of = `{experiment="e", run="r", instance="a-0", server="lmdb"}`
	evaluated(t, []series{
		{Series: metrics.TripQueue + of, Values: "1000x1800"},
		{Series: metrics.TripPoints + of, Values: "0+500x1800"},
		{Series: metrics.TripPutBytes + of, Values: "100x1800"},
		{Series: metrics.TripDiskWrittenBytes + `{experiment="e", run="r", instance="a-0"}`, Values: "250x1800"},
		// The queue does not shrink: the time to drain it is unknown.
		{Series: metrics.TripQueue + `{experiment="e", run="r", instance="a-0", server="heap"}`, Values: "7x1800"},
		{Series: metrics.TripPoints + `{experiment="e", run="r", instance="a-0", server="heap"}`, Values: "9x1800"},
	}, map[string][]expected{
		lag():           {{`{member="lmdb a-0"}`, 2}},
		amplification(): {{`{member=" a-0"}`, 2.5}},
	})
}

func TestNodesAreNamedByServerAndOrdinal(t *testing.T) {
	node := func(pod, server string, n int) series {
		return series{Series: fmt.Sprintf(`up{instance=%q, server=%q}`, pod, server), Values: fmt.Sprintf("%dx60", n)}
	}
	evaluatedOver(t, "1s", "1m", []series{
		node("hsha-again-r1-0a1b2c-0", "hsha", 1), node("hsha-again-r2-3d4e5f-0", "hsha", 2), // two rounds
		node("hsha-r1-0a1b2c-1", "hsha", 4),
		node("shared-0a1b2c-0", "disruptor", 8), node("shared-i2-3d4e5f-0", "xedin", 16),
		node("shared-0a1b2c-4.1-3", "4.1", 32), // side by side
		node("another-0", "xedin", 64),
	}, map[string][]expected{
		sumServers("up", metrics.LabelServer): {
			{`{member="hsha-again 0"}`, 3}, {`{member="hsha 1"}`, 4}, {`{member="disruptor 0"}`, 8}, {`{member="xedin 0"}`, 16},
			{`{member="4.1 3"}`, 32}, {`{member="xedin another-0"}`, 64},
		},
		sumNodes("up"): {
			{`{member="hsha-again 0"}`, 3}, {`{member="hsha 1"}`, 4}, {`{member="shared 0"}`, 8 + 16},
			{`{member="4.1 3"}`, 32}, {`{member=" another-0"}`, 64},
		},
	})
}
