package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs/simulated"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// row returns a row of a read in a round. It has no latencies, so that only one metric is compared.
func row(server, serverType string, round int, rate float64) results.Row {
	return results.Row{
		Run: "r", Server: server, ServerType: serverType, Operation: "read", Phase: "read", Threads: 50, LatencyKind: "service",
		Round: round, Repeat: 1, OpRate: results.Some(rate), Ops: results.Some[int64](1000), Valid: true,
	}
}

func rates(server, serverType string, values ...float64) []results.Row {
	var rows []results.Row
	for i, value := range values {
		rows = append(rows, row(server, serverType, i+1, value))
	}
	return rows
}

func to(baseline string) Options { return Options{Baseline: baseline, Margin: new(ratio.Share(0))} }

func runOf(parts ...[]results.Row) *archive.Run {
	run := &archive.Run{}
	for _, part := range parts {
		run.Rows = append(run.Rows, part...)
	}
	return run
}

func opRateOf(t *testing.T, result *Result, server string) Comparison {
	t.Helper()
	for _, c := range result.Comparisons {
		if c.Server == server && c.Metric.Name == "op_rate" {
			return c
		}
	}
	require.Fail(t, "no comparison of "+server)
	return Comparison{}
}

func TestVerdicts(t *testing.T) {
	base := rates("hsha", "hsha", 1000, 2000, 1500, 1200)
	for name, test := range map[string]struct {
		server []results.Row
		want   ratio.Verdict
		reason string
	}{
		"clearly more":           {rates("x", "x", 1210, 2380, 1810, 1450), ratio.Faster, ""},
		"clearly less":           {rates("x", "x", 790, 1610, 1190, 960), ratio.Slower, ""},
		"sometimes more":         {rates("x", "x", 1300, 1700, 1800, 1000), ratio.Unresolved, "the interval holds 1"},
		"two rounds, much more":  {rates("x", "x", 2000, 4000), ratio.Unresolved, "x lacks 2 of 4 rounds (not measured)"},
		"invalid rows":           {invalid(2, v1beta1.GateTargetRateMissed, rates("x", "x", 1210, 2380, 1810, 1450)), ratio.Unresolved, "x lacks 2 of 4 rounds (TargetRateMissed)"},
		"too few remain":         {invalid(2, v1beta1.GateDiskNotSSD, rates("x", "x", 1210, 2380, 1810, 1450)), ratio.Unresolved, "2 rounds: an interval needs at least 3; x lacks 2 of 4 rounds (DiskNotSSD)"},
		"warm-up rows left out":  {slices.Concat(warmup(row("x", "x", 0, 9000)), rates("x", "x", 1210, 2380, 1810, 1450)), ratio.Faster, ""},
		"rounds matched by name": {[]results.Row{row("x", "x", 4, 1450), row("x", "x", 2, 2380), row("x", "x", 1, 1210), row("x", "x", 3, 1810)}, ratio.Faster, ""},
		"not a number":           {rates("x", "x", 1210, math.NaN(), 1810, 1450), ratio.Unresolved, "x lacks 1 of 4 rounds (op rate: missing or NaN)"},
		"infinite":               {rates("x", "x", 1210, math.Inf(1), 1810, 1450), ratio.Unresolved, "x lacks 1 of 4 rounds (op rate: +Inf has no ratio)"},
		"negative":               {rates("x", "x", 1210, -2380, 1810, 1450), ratio.Unresolved, "x lacks 1 of 4 rounds (op rate: -2380 has no ratio)"},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := Within(runOf(base, test.server), to("hsha"))
			require.NoError(t, err)
			c := opRateOf(t, result, "x")
			assert.Equal(t, test.want, c.Verdict)
			assert.Contains(t, c.Reason, test.reason)
		})
	}
}

// invalid makes the first rows invalid.
func invalid(count int, reason v1beta1.Reason, rows []results.Row) []results.Row {
	for i := range count {
		rows[i].Valid, rows[i].Reasons = false, []v1beta1.Reason{reason}
	}
	return rows
}

func warmup(row results.Row) []results.Row {
	row.Warmup = true
	return []results.Row{row}
}

func TestNamesTheServersThereAre(t *testing.T) {
	_, err := Within(runOf(rates("hsha", "hsha", 1), rates("x", "x", 1)), to("nope"))
	assert.ErrorContains(t, err, `no server "nope" to compare with: choose from hsha, x`)
	_, err = Within(runOf(rates("hsha", "hsha", 1)), Defaults())
	assert.ErrorIs(t, err, ErrNothingToCompare)
	_, err = Runs(runOf(rates("hsha", "hsha", 1)), runOf(rates("x", "x", 1)), Defaults())
	assert.ErrorIs(t, err, ErrNothingToCompare)
}

func TestDoesNotCompareDifferentLoads(t *testing.T) {
	other := rates("x", "x", 1, 2, 3)
	for i := range other {
		other[i].Threads = 100
	}
	result, err := Within(runOf(rates("hsha", "hsha", 1, 2, 3), other), to("hsha"))
	require.NoError(t, err)
	assert.Empty(t, result.Comparisons)
}

func TestRunsAreComparedAsIndependentSamples(t *testing.T) {
	a, b := runOf(rates("hsha", "hsha", 1000, 1010, 990)), runOf(rates("hsha", "hsha", 1500, 1510, 1490))
	result, err := Runs(a, b, Defaults())
	require.NoError(t, err)
	c := opRateOf(t, result, "r/hsha")
	assert.Equal(t, ratio.Faster, c.Verdict)
	assert.InDelta(t, 1.5, c.Ratio, 0.01)
	assert.Contains(t, strings.Join(result.Notes, "\n"), "two runs share no rounds")
}

// Repeats within a round give one figure: all operations over all time, and the percentiles of the merged histograms.
func TestPoolsTheRepeatsOfARound(t *testing.T) {
	run := &archive.Run{Measurements: map[string]*v1beta1.Measurement{}}
	var logs []*measure.Log
	start := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for i, load := range []simulated.Load{
		{Operation: "read", Start: start, Intervals: 2, PerInterval: 300, MedianMillis: 2, Sigma: 0.5},
		{Operation: "read", Start: start.Add(time.Minute), Intervals: 4, PerInterval: 100, MedianMillis: 20, Sigma: 0.5},
	} {
		log, err := load.Log(uint64(i))
		require.NoError(t, err)
		result, err := measure.Summarize([]measure.PodLog{{Log: log}})
		require.NoError(t, err)
		m := &v1beta1.Measurement{}
		m.Name = fmt.Sprint("m", i)
		m.Spec = v1beta1.MeasurementSpec{Server: "x", ServerType: "x", Operation: "read", Phase: "read", Round: 1, Repeat: int32(i + 1), Threads: 50}
		m.Status = v1beta1.MeasurementStatus{Valid: true, Result: &result}
		run.Measurements[m.Name] = m
		run.Rows = append(run.Rows, results.FromMeasurement(m))
		logs = append(logs, log)
	}
	figuresOf := func(name string) figures {
		s := draw(Arm{run, "x"}, "", kindsOf(run))
		require.Len(t, s.cells, 1)
		return s.figures(s.cells[0], metric(t, name))
	}
	assert.InDelta(t, 1000.0/6, figuresOf("op_rate").values[replicate{1, 1}], 0.1)
	both, err := measure.Merge(logs...)
	require.NoError(t, err)
	total, err := both.Total(v1beta1.LatencyService)
	require.NoError(t, err)
	want := float64(measure.ValueAt(total, 95)) / 1e6
	assert.InDelta(t, want, figuresOf("latency_p95_ms").values[replicate{1, 1}], 1e-9)

	run.Measurements = nil
	assert.Empty(t, figuresOf("latency_p95_ms").values, "percentiles are never averaged")
	assert.Equal(t, "x lacks 1 of 1 round (95th: m0 has no manifest with a histogram)", lostOf("x", figuresOf("latency_p95_ms")).String())
}

func TestLaysThePublishedRatioBesideOurs(t *testing.T) {
	ofCassandra := func(rows []results.Row) []results.Row {
		for i := range rows {
			rows[i].Store = "cassandra"
		}
		return rows
	}
	result, err := Within(runOf(ofCassandra(rates("hsha", "hsha", 1000, 2000, 1500)), ofCassandra(rates("x", "xedin", 1100, 2200, 1650))), to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 2.932, opRateOf(t, result, "x").Published, 0.001)
	result, err = Within(runOf(rates("hsha", "hsha", 1000, 2000, 1500), rates("x", "xedin", 1100, 2200, 1650)), to("hsha"))
	require.NoError(t, err)
	assert.True(t, math.IsNaN(opRateOf(t, result, "x").Published), "of another store")
}

func TestWritesTheAgreedColumns(t *testing.T) {
	result, err := Within(runOf(rates("hsha", "hsha", 1000, 2000, 1500), rates("x", "x", 1101, 2198, 1651)), to("hsha"))
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, result.WriteCSV(&out))
	assert.Equal(t, "baseline,server,operation,metric,ratio,ci_low,ci_high,difference,baseline_value,server_value,rounds,verdict,mde,threads,target_rate,aa,reason,published_ratio,"+
		"statement,dropouts,installations,phase,connections,adjusted_for,difference_low,difference_high,settings_differ\n"+
		"hsha,x,read,op_rate,1.100,1.098,1.103,144.5,1442.2,1586.8,3,faster,1.003,50,0,false,,,faster in this installation,,1,read,0,,,,\n", out.String())
}

// beside sets the server that was under load at the same time.
func beside(peer string, rows []results.Row) []results.Row {
	for i := range rows {
		rows[i].Peer = peer
	}
	return rows
}

// In a duet the baseline runs next to each other server, so slow moments of one pair do not affect another.
func TestServersOfADuetAreComparedWithTheBaselineThatWasBesideThem(t *testing.T) {
	run := runOf(
		beside("quick", rates("hsha", "hsha", 1000, 1100, 1200, 1300)), beside("hsha", rates("quick", "quick", 2000, 2200, 2400, 2600)),
		beside("slow", rates("hsha", "hsha", 500, 600, 700, 800)), beside("hsha", rates("slow", "slow", 250, 300, 350, 400)),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 2, opRateOf(t, result, "quick").Ratio, 1e-9)
	assert.InDelta(t, 0.5, opRateOf(t, result, "slow").Ratio, 1e-9)
	assert.Equal(t, 4, opRateOf(t, result, "slow").Rounds)
	assert.Equal(t, 0, opRateOf(t, result, "slow").Lost[1].Rounds)
	assert.True(t, opRateOf(t, result, "slow").Duet)
}

// Where each server has pods of its own, the sides of a duet have their own costs.
func TestServersOfADuetAreComparedByTheirCostNextToEachOther(t *testing.T) {
	run := runOf(
		beside("thrifty", costing(rates("hsha", "hsha", 500, 500, 500, 500), 600, 640, 610, 620)),
		beside("hsha", costing(rates("thrifty", "x", 500, 500, 500, 500), 540, 577, 549, 559)),
		beside("greedy", costing(rates("hsha", "hsha", 500, 500, 500, 500), 300, 320, 305, 310)),
		beside("hsha", costing(rates("greedy", "y", 500, 500, 500, 500), 345, 368, 351, 356)),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 0.9, by(t, result, "thrifty", cpuPerOperation).Ratio, 0.005)
	assert.InDelta(t, 1.15, by(t, result, "greedy", cpuPerOperation).Ratio, 0.005)
}

func TestDuetsAreNotComparedBetweenRuns(t *testing.T) {
	run := func() *archive.Run {
		return runOf(beside("quick", rates("hsha", "hsha", 1000, 1100)), beside("hsha", rates("quick", "quick", 2000, 2200)))
	}
	_, err := Runs(run(), run(), Defaults())
	assert.ErrorContains(t, err, "in a duet, the figures of a server depend on the other of its pair; compare the servers of each run alone")
}

func TestAnArmWithOptionsOfItsOwnIsNoSecondNameOfTheBaseline(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1000, 2000, 1500, 1200), rates("hsha-again", "hsha", 1010, 1990, 1510, 1190), rates("hsha-slowed", "hsha", 900, 1810, 1340, 1085))
	run.Experiment = &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Servers: []v1beta1.ServerSpec{
		{Name: "hsha"}, {Name: "hsha-again", Type: "hsha", OwnInstance: true}, {Name: "hsha-slowed", Type: "hsha", Options: map[string]string{"hold": "0.05"}},
	}}}
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.True(t, opRateOf(t, result, "hsha-again").AA)
	slowed := opRateOf(t, result, "hsha-slowed")
	assert.False(t, slowed.AA)
	assert.Equal(t, ratio.Slower, slowed.Verdict)
}

func TestCallsALoadByWhatTellsItFromTheOthers(t *testing.T) {
	read, write := Cell{Phase: "read", Operation: "read", Threads: 24, TargetRate: 150}, Cell{Phase: "write", Operation: "write", Threads: 4}
	lossy, wide, faster, open := read, read, read, read
	lossy.Phase = "read-lossy"
	wide.Connections = 96
	faster.TargetRate = 300
	open.TargetRate, open.Threads = 0, 1
	rate, rates := Cell{Phase: "search", Operation: "rate", TargetRate: 100}, Cell{Phase: "search", Operation: "rate", TargetRate: 200}
	for name, test := range map[string]struct {
		cell   Cell
		others []Cell
		want   string
	}{
		"alone":                            {read, []Cell{read, write}, "read"},
		"of two phases":                    {lossy, []Cell{read, lossy, write}, "read, phase read-lossy"},
		"with more connections":            {wide, []Cell{read, wide}, "read, 96 connections"},
		"with as many as threads":          {read, []Cell{read, wide}, "read, 24 connections"},
		"at another rate":                  {faster, []Cell{read, faster}, "read, rate 300"},
		"of an operation called rate":      {rate, []Cell{rate, rates}, "rate, rate 100"},
		"at no rate, and with a thread":    {open, []Cell{read, open}, "read, 1 thread"},
		"each difference is told but once": {read, []Cell{read, faster, open, faster, open}, "read, 24 threads, rate 150"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, test.cell.NameAmong(test.others)) })
	}
}

// Percentiles are left out: they need histograms.
func TestTwoEqualMeasurementsHaveTheFigureOfOne(t *testing.T) {
	for _, metric := range Metrics() {
		if metric.Percentile > 0 {
			continue
		}
		t.Run(metric.Name, func(t *testing.T) {
			row := results.Row{Ops: results.Some[int64](1000), OpRate: results.Some(500.0), OperationTime: results.Some(2 * time.Second)}
			require.NoError(t, metric.column.Decode(&row, "7"))
			one, err := Figure(runOf(), []*results.Row{&row}, metric)
			require.NoError(t, err)
			both, err := Figure(runOf(), []*results.Row{&row, &row}, metric)
			require.NoError(t, err)
			assert.InDelta(t, 7, one, 1e-9)
			assert.InDelta(t, one, both, 1e-9)
		})
	}
}

func TestBytesWrittenInRepeatsAreThoseOfAnOperation(t *testing.T) {
	rows := writing(rates("stcs", "stcs", 5000, 5000), 100, 200)
	rows[1].Ops = results.Some[int64](3000)
	value, err := Figure(runOf(rows), []*results.Row{&rows[0], &rows[1]}, metric(t, results.WrittenPerOperation))
	require.NoError(t, err)
	assert.InDelta(t, (1000*100+3000*200)/4000.0, value, 1e-9)
}

func TestRepeatsAreComparedByTheBytesThatTheyWrote(t *testing.T) {
	run := runOf(twice(writing(rates("stcs", "stcs", 5000, 5010, 4990, 5000), 200, 206, 197, 201)), twice(writing(rates("lcs", "lcs", 5010, 5000, 5000, 4990), 396, 410, 402, 399)))
	result, err := Within(run, Options{Baseline: "stcs", Primary: results.WrittenPerOperation})
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		if c.Metric.Name == results.WrittenPerOperation {
			assert.InDelta(t, 2, c.Ratio, 0.03)
			assert.Equal(t, ratio.Slower, c.Verdict)
			return
		}
	}
	assert.Fail(t, "bytes written are not compared")
}

// twice returns each row as two repeats of its round.
func twice(rows []results.Row) []results.Row {
	var both []results.Row
	for _, row := range rows {
		again := row
		again.Repeat = 2
		both = append(both, row, again)
	}
	return both
}

func TestAMetricIsToldInAStoresOwnUnits(t *testing.T) {
	in := textfmt.UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}}})
	rows := []*results.Row{{OpRate: results.Some(10.52), P95: results.Some(1234567 * time.Nanosecond)}}
	told := map[string][]string{}
	for _, metric := range Metrics() {
		own := metric.In(in)
		told[metric.Name] = []string{metric.Text(&archive.Run{}, rows), metric.Unit(), own.Text(&archive.Run{}, rows), own.Unit(), own.Title}
	}
	assert.Equal(t, []string{"10.5", "1/s", "10.5", "1/s", "packets"}, told["op_rate"])
	assert.Equal(t, []string{"1.235", "ms", "1234.6", "µs", "95th"}, told["latency_p95_ms"])
	assert.InDelta(t, 500, Metrics()[1].In(in).Shown(0.5), 0)
}
