package results

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

func measured() *v1beta1.Measurement {
	start := time.Date(2026, 11, 21, 0, 15, 0, 250_000_000, time.UTC)
	return &v1beta1.Measurement{
		ObjectMeta: metav1.ObjectMeta{Name: "cassandra-quorum-20261121-001500-r1-disruptor-read-2"},
		Spec: v1beta1.MeasurementSpec{
			Experiment: "cassandra-quorum", Run: "20261121-001500", Store: "cassandra", Server: "ours", ServerType: "disruptor",
			Round: 1, Phase: "reads", Operation: "read", Repeat: 2, Operations: 1000, Keys: 500, Threads: 50, TargetRate: 100,
			Consistency: "QUORUM", Pods: 2, Connections: 200,
			Capacity: &v1beta1.CapacitySpec{Percentile: "99.9", Bound: metav1.Duration{Duration: 20 * time.Millisecond}},
		},
		Status: v1beta1.MeasurementStatus{
			Conditions: []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}},
			Attempt:    1, Valid: false,
			InvalidReasons: []string{"12 operations failed", "a load pod was throttled"},
			Warnings:       []string{"the disk is unknown"},
			Reasons:        []v1beta1.Reason{v1beta1.GateOperationsFailed, v1beta1.GateLoadThrottled},
			WarningReasons: []v1beta1.Reason{v1beta1.GateDiskNotSSD},
			Proof:          &v1beta1.Proof{Class: "dev.ringside.Disruptor", PluginSHA256: "ab", ImageDigest: "sha256:cd", ChartDigest: "sha256:ef"},
			Result: &v1beta1.Result{
				Capacity: &v1beta1.Capacity{Rate: 1180}, PendingCompactions: new(int64(3)), PendingCompactionsAfter: new(int64(0)),
				Operations: 988, Errors: 12, ErrorsByKind: []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 2}, {Kind: v1beta1.ErrorTimedOut, Count: 10}}, Unanswered: 3, Outcomes: []v1beta1.Outcome{{Name: "hit", Count: 900}, {Name: "lost", Count: 3}, {Name: "miss", Count: 88}},
				OpRate: "99.5", KeyRate: "99.5", OpRateMid80: "99.9", KeyRateMid80: "100.1",
				OperationSeconds: "9.9", StartedAt: metav1.NewMicroTime(start), FinishedAt: metav1.NewMicroTime(start.Add(9900 * time.Millisecond)),
				StartSkewMillis: 7, LatencyKind: v1beta1.LatencyResponse,
				Latencies: []v1beta1.Latency{
					{Kind: v1beta1.LatencyService, MedianMillis: "0.001"},
					{
						Kind: v1beta1.LatencyResponse, MedianMillis: "1.900", P95Millis: "5.400", P99Millis: "20.000", P999Millis: "83.300",
						MaxMillis: "101.000", MedianMid80: "1.800", P95Mid80Millis: "5.300", P999Mid80Millis: "80.000",
						MeanMillis: "2.500", StdDevMillis: "4.100", P75Millis: "3.000", P90Millis: "4.000",
					},
				},
			},
		},
	}
}

// The contract: these names in this order, followed by further columns.
func TestKeepsTheAgreedColumnsInOrder(t *testing.T) {
	const agreed = "experiment,run,round,server,operation,repeat,consistency,threads,target_rate,latency_kind,ops,errors,op_rate,key_rate," +
		"op_rate_mid80,key_rate_mid80,latency_median_ms,latency_p95_ms,latency_p99_ms,latency_p999_ms,latency_max_ms," +
		"latency_median_mid80_ms,latency_p95_mid80_ms,latency_p999_mid80_ms,operation_time_s,started_at,server_class,plugin_sha256," +
		"image_digest,valid,invalid_reasons"
	names := strings.Split(agreed, ",")
	assert.Equal(t, names, Header()[:len(names)])
	const since = "warnings,store,server_type,phase,warmup,attempt,ops_planned,duration_s,keys,pods,start_skew_ms,finished_at,measurement," +
		"latency_mean_ms,latency_stddev_ms,latency_p75_ms,latency_p90_ms,latency_p9999_ms,latency_p99999_ms,installation,peer,unanswered,outcomes," +
		"cpu_per_op_us,cpu_server_us,cpu_request_us,cpu_messaging_us,cpu_gc_us,cpu_compiler_us,cpu_other_us,cpu_windows,cpu_windows_unknown,gc_pause_ms," +
		"connections,capacity,objective,idle_cpu_cores,profile,switches_per_op," +
		"recovery_s,recovery_all_s,recovery_sent,recovery_acknowledged,recovery_kept,recovery_lost,recovery_refused," +
		"write_amplification,read_amplification,space_amplification,written_per_op_bytes," +
		"faults,fault_availability,fault_detect_s,fault_recover_s,fault_ready_s,fault_lost_s,fault_mean_detect_s,fault_mean_recover_s,errors_by_kind," +
		"hints_kept,hints_delivered,hints_failed,read_repairs,reasons,warning_reasons,chart_digest,pending_compactions,fault_before_p99_ms,fault_during_p99_ms,pending_compactions_after"
	assert.Equal(t, strings.Split(since, ","), Header()[len(names):])
}

func TestWritesTheFiguresOfAMeasurementToTheDigit(t *testing.T) {
	row := FromMeasurement(measured())
	var out bytes.Buffer
	require.NoError(t, WriteCSV(&out, []Row{row}, ','))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	assert.Equal(t, "cassandra-quorum,20261121-001500,1,ours,read,2,QUORUM,50,100,response,988,12,99.5,99.5,99.9,100.1,"+
		"1.900,5.400,20.000,83.300,101.000,1.800,5.300,80.000,9.9,2026-11-21T00:15:00.250000Z,dev.ringside.Disruptor,ab,sha256:cd,"+
		"false,12 operations failed; a load pod was throttled,the disk is unknown,cassandra,disruptor,reads,false,1,1000,,500,2,7,"+
		"2026-11-21T00:15:10.150000Z,cassandra-quorum-20261121-001500-r1-disruptor-read-2,2.500,4.100,3.000,4.000,,,1,,3,hit=900 lost=3 miss=88,,,,,,,,,,,200,1180.0,p99.9 <= 20ms,,,,,,,,,,,,,,,,,,,,,,,refused=2 timed-out=10,,,,,OperationsFailed LoadThrottled,DiskNotSSD,sha256:ef,3,,,0", lines[1])
}

func TestAPhaseOfRestHasNoOtherFigureThanWhatTheStoreUsed(t *testing.T) {
	m := measured()
	m.Spec.Idle = true
	m.Status.Result.Operations = 0
	m.Status.Result.StoreCPU = &v1beta1.StoreCPU{Windows: 30, IdleCores: "0.0512", Counters: map[string]int64{"cpu_ns": 1_536_000_000}}
	row := FromMeasurement(m)
	assert.True(t, row.AtRest())
	assert.Equal(t, "0.0512", MustColumn("idle_cpu_cores").Encode(&row))
	for _, column := range []string{"ops", "op_rate", "latency_median_ms", "cpu_per_op_us"} {
		assert.Empty(t, MustColumn(column).Encode(&row), column)
	}
	assert.Equal(t, "30", MustColumn("cpu_windows").Encode(&row))
	loaded := FromMeasurement(measured())
	assert.False(t, loaded.AtRest())
}

func TestReadsBackWhatItWrote(t *testing.T) {
	row := FromMeasurement(measured())
	row.InvalidReasons = []string{"a, \"quoted\"\nline"}
	var out bytes.Buffer
	require.NoError(t, WriteCSV(&out, []Row{row}, ','))
	rows, notes, err := ReadCSV(&out)
	require.NoError(t, err)
	assert.Empty(t, notes)
	assert.Equal(t, []Row{row}, rows)
}

func TestKnowsTheInstallation(t *testing.T) {
	m := measured()
	m.Spec.Installation = 3
	row := FromMeasurement(m)
	assert.Equal(t, 3, row.Installation)
	assert.Equal(t, "3", MustColumn("installation").Encode(&row))
}

// A store that answers within microseconds: its medians have two digits in the file, and all digits in the row.
func TestKeepsTheDigitsThatTheFileRoundsAway(t *testing.T) {
	histogram := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
	require.NoError(t, histogram.RecordValues(21_440, 1000))
	encoded, err := measure.EncodeHistogram(histogram)
	require.NoError(t, err)
	m := measured()
	result := m.Status.Result
	result.Operations, result.OpRate = 985, "99.5" // 985 in 9.9 s are 99.4949…
	result.Latencies[1].Histogram, result.Latencies[1].MedianMillis = encoded, "0.021"
	row := FromMeasurement(m)
	assert.InDelta(t, 0.02144, MustColumn("latency_median_ms").Value(&row), 0.00002)
	assert.Equal(t, "0.021", MustColumn("latency_median_ms").Encode(&row))
	assert.InDelta(t, 985/9.9, MustColumn("op_rate").Value(&row), 1e-9)
	assert.Equal(t, "99.5", MustColumn("op_rate").Encode(&row))
	assert.Equal(t, Some(5400*time.Microsecond), row.P95, "the histogram says another: what was stated counts")
}

// costed returns a measurement of a store that reported its CPU time in three of four windows.
func costed() *v1beta1.Measurement {
	m := measured()
	m.Status.Result.StoreCPU = &v1beta1.StoreCPU{
		Windows: 3, UnknownWindows: 1, Operations: 900, PerOpMicros: "612.3",
		Groups: []v1beta1.CPUGroup{
			{Name: "gc", PerOpMicros: "0.1"}, {Name: "messaging", PerOpMicros: "100.0"}, {Name: "request", PerOpMicros: "200.0"},
			{Name: "server", PerOpMicros: "150.0"}, {Name: "unheardof", PerOpMicros: "2.0"}, {Name: "other", PerOpMicros: "160.2"},
		},
		Counters: map[string]int64{
			"cpu_ns": 900 * 612_345, "cpu_gc_ns": 900 * 123, "cpu_messaging_ns": 900 * 100_000, "cpu_request_ns": 900 * 200_000,
			"cpu_server_ns": 900 * 150_000, "cpu_unheardof_ns": 900 * 2000, "gc_pause_ms": 17, "context_switches": 900 * 62,
		},
	}
	return m
}

// cpuCells returns the ten cells of the store's CPU time.
func cpuCells(row *Row) []string {
	from := slices.Index(Header(), "cpu_per_op_us")
	return row.Cells()[from : from+10]
}

func TestWritesWhatTheStoreUsedForAnOperation(t *testing.T) {
	row := FromMeasurement(costed())
	assert.Equal(t, []string{"612.3", "150.0", "200.0", "100.0", "0.1", "", "160.2", "3", "1", "17.000"}, cpuCells(&row))
	assert.InDelta(t, 612.345, MustColumn("cpu_per_op_us").Value(&row), 1e-9, "with the digits that the file rounds away")
	assert.Equal(t, "62.00", MustColumn(Switches).Encode(&row))
}

func TestKnowsNoCPUTimeOfWindowsThatAreAllUnknown(t *testing.T) {
	m := costed()
	m.Status.Result.StoreCPU = &v1beta1.StoreCPU{UnknownWindows: 4}
	row := FromMeasurement(m)
	assert.Equal(t, []string{"", "", "", "", "", "", "", "0", "4", ""}, cpuCells(&row))
	assert.Empty(t, MustColumn(Switches).Encode(&row))
}

func TestReadsEveryColumnBackAsItWroteIt(t *testing.T) {
	row := FromMeasurement(costed())
	for _, column := range Columns() {
		var back Row
		require.NoError(t, column.Decode(&back, column.Encode(&row)), column.Name)
		assert.Equal(t, column.Encode(&row), column.Encode(&back), column.Name)
		if value := column.Value(&row); !math.IsNaN(value) {
			assert.Equal(t, column.Encode(&row), column.Format(value), column.Name)
		}
	}
}

func TestLeavesTheFiguresOfAFailedMeasurementEmpty(t *testing.T) {
	m := measured()
	m.Status.Result, m.Status.Proof = nil, nil
	row := FromMeasurement(m)
	for _, name := range []string{"ops", "op_rate", "latency_p95_ms", "operation_time_s", "started_at", "server_class"} {
		assert.Empty(t, MustColumn(name).Encode(&row), name)
	}
	assert.True(t, math.IsNaN(MustColumn("op_rate").Value(&row)))
	assert.Equal(t, "false", MustColumn("valid").Encode(&row))
}

func TestReadsAnotherVersionAndSaysWhatItLacks(t *testing.T) {
	rows, notes, err := ReadCSV(strings.NewReader("run,experiment,round,server,operation,repeat,op_rate,colour\n" +
		"r,e,1,hsha,read,1,8176,red\nshort,line\nr,e,1,hsha,read,1,many,red\n"))
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, Some(8176.0), rows[0].OpRate)
	assert.Equal(t, 1, rows[0].Installation, "there was one")
	require.Len(t, notes, 4)
	assert.Contains(t, notes[0], "it lacks consistency, threads")
	assert.Contains(t, notes[1], "left out: colour")
	assert.Equal(t, "line 3 of measurements.csv has 2 cells instead of 8 and was left out", notes[2])
	assert.Equal(t, `line 4 of measurements.csv was left out: op_rate: "many" is no figure: a number from 0 on`, notes[3])
}

func TestReadCSV_leavesOutFiguresThatAreNone(t *testing.T) {
	for _, cell := range []string{"NaN", "+Inf", "-1", "1e999"} {
		rows, notes, err := ReadCSV(strings.NewReader("run,experiment,round,server,operation,repeat,op_rate\nr,e,1,hsha,read,1," + cell + "\n"))
		require.NoError(t, err)
		assert.Empty(t, rows, cell)
		assert.Contains(t, notes[len(notes)-1], cell)
	}
}

func TestReadCSV_leavesOutRowsThatContradictThemselvesOrRepeatAnother(t *testing.T) {
	const header = "run,experiment,round,server,operation,repeat,measurement,latency_median_ms,latency_p95_ms,latency_max_ms,started_at,finished_at\n"
	for name, test := range map[string]struct{ lines, want string }{
		"another unit":   {"r,e,1,hsha,read,1,m,1.5,0.004,9,,", "line 2 of measurements.csv was left out: p95, 4µs, is below the median, 1.5ms: use milliseconds in all columns of latencies"},
		"a past maximum": {"r,e,1,hsha,read,1,m,1.5,,0.009,,", "line 2 of measurements.csv was left out: the maximum, 9µs, is below the median, 1.5ms: use milliseconds in all columns of latencies"},
		"times": {"r,e,1,hsha,read,1,m,,,,2026-11-29T12:00:00Z,2026-11-29T11:00:00Z",
			"line 2 of measurements.csv was left out: it finished at 2026-11-29T11:00:00Z, before it started at 2026-11-29T12:00:00Z"},
		"a row twice": {"r,e,1,hsha,read,1,m,1,2,3,,\nr,e,1,hsha,read,1,m,1,2,3,,", "line 3 of measurements.csv was left out: it repeats measurement m"},
	} {
		rows, notes, err := ReadCSV(strings.NewReader(header + test.lines + "\n"))
		require.NoError(t, err, name)
		assert.Len(t, rows, strings.Count(test.lines, "\n"), name)
		assert.Equal(t, test.want, notes[len(notes)-1], name)
	}
}

func TestRefusesAFileThatIsNotItsOwn(t *testing.T) {
	_, _, err := ReadCSV(strings.NewReader("a,b\n1,2\n"))
	assert.EqualError(t, err, `measurements.csv has no column "experiment": it is not a file of ringside`)
	_, _, err = ReadCSV(strings.NewReader(""))
	assert.ErrorContains(t, err, "is empty")
}

func TestSortsByTheTimeOfTakingWithTheNeverStartedLast(t *testing.T) {
	rows := []Row{
		{Measurement: "never", Round: 1},
		{Measurement: "late", StartedAt: time.Date(2026, 11, 21, 0, 20, 0, 0, time.UTC)},
		{Measurement: "early", StartedAt: time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC)},
	}
	Sort(rows)
	assert.Equal(t, []string{"early", "late", "never"}, []string{rows[0].Measurement, rows[1].Measurement, rows[2].Measurement})
}

func TestWhatAColumnOfCostIsMadeOfIsKeptOfEachWindow(t *testing.T) {
	var made []string
	for _, column := range Columns() {
		if counter, ok := CounterOf(column.Name); ok {
			made = append(made, counter)
		}
	}
	assert.ElementsMatch(t, measure.CostCounters(), made)
}

func TestTellsOnceWhatWasPublishedInWords(t *testing.T) {
	row := func(server, phase string) Row {
		return Row{Store: "udp-echo", Server: server, ServerType: server, Phase: phase}
	}
	rows := []Row{row("disruptor-sleeping", "echo"), row("blocking", "echo"), row("disruptor-sleeping", "idle"), row("blocking", "idle"), row("disruptor-sleeping", "idle")}
	assert.Equal(t, []string{
		"disruptor: steady percentiles 50 and 99; above 4 client threads the 99th rises, as requests queue",
		"disruptor: 4 to 6% CPU a core at rest",
	}, Said(rows))
	assert.Equal(t, []string{"disruptor against disruptor that spins has better percentiles, and threads that migrate were suspected"},
		Said([]Row{row("disruptor-sleeping", "echo"), row("disruptor-busyspin", "echo")})[1:])
	assert.Empty(t, Said([]Row{row("inline", "idle")}))
}
