package results

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// Columns of the store's CPU time: per operation for all threads and for the server's own threads, and in idle phases. Not every store
// fills them.
const (
	CPUPerOperation = "cpu_per_op_us"
	CPUOfServer     = "cpu_server_us"
	CPUAtRest       = "idle_cpu_cores"
	// Switches is the number of context switches per operation.
	Switches = "switches_per_op"
)

// RecoveryTime is the time from the death of the store's processes until the store acknowledged operations again, in phases that kill the
// store.
const RecoveryTime = "recovery_s"

// Columns of the store's disk use: bytes written per byte put, bytes read per byte got, bytes on disk per live byte, and bytes written per
// operation. Not every store fills them.
const (
	WriteAmplification  = "write_amplification"
	ReadAmplification   = "read_amplification"
	SpaceAmplification  = "space_amplification"
	WrittenPerOperation = "written_per_op_bytes"
)

// Columns of phases with node faults: the share of the earlier rate that was answered after the fault, and the time until that rate was
// reached again.
const (
	FaultAvailability = "fault_availability"
	FaultRecoverTime  = "fault_recover_s"
	FaultBeforeP99    = "fault_before_p99_ms"
	FaultDuringP99    = "fault_during_p99_ms"
)

// Columns by which servers are compared in phases with faults: means over the faults of a phase, whereas the other fault columns report the
// worst one. FaultLost is the unanswered work, in seconds of the earlier rate.
const (
	FaultLost        = "fault_lost_s"
	FaultMeanDetect  = "fault_mean_detect_s"
	FaultMeanRecover = "fault_mean_recover_s"
)

// ErrorsByKind counts the failed operations by the kind of error.
const ErrorsByKind = "errors_by_kind"

// Columns of the work that nodes of the store did for each other under faults.
const (
	HintsKept      = "hints_kept"
	HintsDelivered = "hints_delivered"
	HintsFailed    = "hints_failed"
	ReadRepairs    = "read_repairs"
)

// CounterOf returns the counter behind a column that is a cost per operation; false for all other columns.
func CounterOf(column string) (counter string, ok bool) {
	switch column {
	case CPUPerOperation:
		return measure.CPUCounter, true
	case CPUOfServer:
		return measure.CPUServerCounter, true
	case Switches:
		return measure.SwitchCounter, true
	}
	return "", false
}

// Column is one column of measurements.csv. Only this type knows a field's name, meaning, encoding and decoding.
type Column struct {
	Name string
	// About is the meaning of the column, in sentences for docs/reference.
	About string
	// Unit is the unit of the figures; empty if there is none.
	Unit string
	// Encode writes a row's cell; an empty one for an unknown figure.
	Encode func(*Row) string
	// Decode reads what Encode wrote.
	Decode func(*Row, string) error
	// Value returns the cell as a number of units, with all known digits; NaN if there is none.
	Value func(*Row) float64
	// Format writes a number of units in the format of Encode; nil if the column has no figures.
	Format func(float64) string
}

func column[T any](name, about string, field func(*Row) *T, c codec[T]) Column {
	return Column{
		Name: name, About: about, Unit: c.unit, Format: c.format,
		Encode: func(r *Row) string { return c.encode(*field(r)) },
		Decode: func(r *Row, cell string) error {
			value, err := c.decode(cell)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			*field(r) = value
			return nil
		},
		Value: func(r *Row) float64 {
			if c.number == nil {
				return math.NaN()
			}
			return c.number(*field(r))
		},
	}
}

// Columns returns the columns of measurements.csv in order. This is the only list of them. Add new ones at the end.
func Columns() []Column {
	count, rate, latency, cpu := optional(whole[int64]()), optional(perSecond()), optional(milliseconds()), optional(microseconds())
	return []Column{
		column("experiment", "Name of the experiment file, without its extension.",
			func(r *Row) *string { return &r.Experiment }, text[string]()),
		column("run", "Identifier of the run: its start in UTC, as in 20261121-001500.",
			func(r *Row) *string { return &r.Run }, text[string]()),
		column("round", "Round, from 1.",
			func(r *Row) *int { return &r.Round }, whole[int]()),
		column("server", "Name of the server that was measured.",
			func(r *Row) *string { return &r.Server }, text[string]()),
		column("operation", "Operation of the phase: write, read, ...",
			func(r *Row) *string { return &r.Operation }, text[string]()),
		column("repeat", "Repeat of the phase within the round, from 1.",
			func(r *Row) *int { return &r.Repeat }, whole[int]()),
		column("consistency", "Consistency level of the operations, where the store has one.",
			func(r *Row) *string { return &r.Consistency }, text[string]()),
		column("threads", "Threads of the load over all load pods.",
			func(r *Row) *int { return &r.Threads }, whole[int]()),
		column("target_rate", "Constant rate that was asked for, in operations per second over all load pods; 0 for a closed loop.",
			func(r *Row) *int { return &r.TargetRate }, whole[int]()),
		column("latency_kind", "What the latency columns measure: response (from when an operation was due) at a constant rate, else service (from when it was sent).",
			func(r *Row) *v1beta1.LatencyKind { return &r.LatencyKind }, text[v1beta1.LatencyKind]()),
		column("ops", "Operations that were answered.",
			func(r *Row) *Optional[int64] { return &r.Ops }, count),
		column("errors", "Operations that failed.",
			func(r *Row) *Optional[int64] { return &r.Errors }, count),
		column("op_rate", "Operations answered per second, from the start of the first interval to the end of the last; in an interleaved phase over the server's windows; with several load pods while all of them drove load.",
			func(r *Row) *Optional[float64] { return &r.OpRate }, rate),
		column("key_rate", "Keys per second over the same time. It differs from op_rate only where an operation touches several keys.",
			func(r *Row) *Optional[float64] { return &r.KeyRate }, rate),
		column("op_rate_mid80", "op_rate without the first and the last tenth of the intervals, as published tables have it.",
			func(r *Row) *Optional[float64] { return &r.OpRateMid80 }, rate),
		column("key_rate_mid80", "key_rate without the first and the last tenth of the intervals.",
			func(r *Row) *Optional[float64] { return &r.KeyRateMid80 }, rate),
		column("latency_median_ms", "Median latency.",
			func(r *Row) *Optional[time.Duration] { return &r.Median }, latency),
		column("latency_p95_ms", "95th percentile of the latency.",
			func(r *Row) *Optional[time.Duration] { return &r.P95 }, latency),
		column("latency_p99_ms", "99th percentile of the latency.",
			func(r *Row) *Optional[time.Duration] { return &r.P99 }, latency),
		column("latency_p999_ms", "99.9th percentile of the latency.",
			func(r *Row) *Optional[time.Duration] { return &r.P999 }, latency),
		column("latency_max_ms", "Longest latency.",
			func(r *Row) *Optional[time.Duration] { return &r.Max }, latency),
		column("latency_median_mid80_ms", "Median latency without the first and the last tenth of the intervals.",
			func(r *Row) *Optional[time.Duration] { return &r.MedianMid80 }, latency),
		column("latency_p95_mid80_ms", "95th percentile without the first and the last tenth of the intervals.",
			func(r *Row) *Optional[time.Duration] { return &r.P95Mid80 }, latency),
		column("latency_p999_mid80_ms", "99.9th percentile without the first and the last tenth of the intervals.",
			func(r *Row) *Optional[time.Duration] { return &r.P999Mid80 }, latency),
		column("operation_time_s", "Time that op_rate covers.",
			func(r *Row) *Optional[time.Duration] { return &r.OperationTime }, optional(seconds(1))),
		column("started_at", "Start of the first interval of the load, in UTC.",
			func(r *Row) *time.Time { return &r.StartedAt }, instant()),
		column("server_class", "Class of the server, from the proof that the store logged.",
			func(r *Row) *string { return &r.ServerClass }, text[string]()),
		column("plugin_sha256", "SHA-256 of the jar that contains the class, from the same proof.",
			func(r *Row) *string { return &r.PluginSHA256 }, text[string]()),
		column("image_digest", "Digest of the store's image, as the node reports it.",
			func(r *Row) *string { return &r.ImageDigest }, text[string]()),
		column("valid", "true if no gate made the row invalid. An invalid row is never compared.",
			func(r *Row) *bool { return &r.Valid }, flag()),
		column("invalid_reasons", "Why the row is invalid, separated by \"; \".",
			func(r *Row) *[]string { return &r.InvalidReasons }, lines()),
		column("warnings", "What gates in mode Warn found, separated by \"; \".",
			func(r *Row) *[]string { return &r.Warnings }, lines()),
		column("store", "Name of the store's chart.",
			func(r *Row) *string { return &r.Store }, text[string]()),
		column("server_type", "Type of the server: a value of server.types of the chart. Two servers can have one type.",
			func(r *Row) *string { return &r.ServerType }, text[string]()),
		column("phase", "Name of the phase.",
			func(r *Row) *string { return &r.Phase }, text[string]()),
		column("warmup", "true for a warm-up round, a phase of type Prepare or a profile: shown, never compared.",
			func(r *Row) *bool { return &r.Warmup }, flag()),
		column("attempt", "Attempt that gave the row, from 1.",
			func(r *Row) *int { return &r.Attempt }, whole[int]()),
		column("ops_planned", "Operations that were ordered; empty where a duration bounds the phase.",
			func(r *Row) *Optional[int64] { return &r.OpsPlanned }, count),
		column("duration_s", "Duration that was ordered; empty where a number of operations bounds the phase.",
			func(r *Row) *Optional[time.Duration] { return &r.Duration }, optional(seconds(-1))),
		column("keys", "Number of keys in the data set.",
			func(r *Row) *int64 { return &r.Keys }, whole[int64]()),
		column("pods", "Load pods.",
			func(r *Row) *int { return &r.Pods }, whole[int]()),
		column("start_skew_ms", "Time between the first interval of the first load pod and that of the last.",
			func(r *Row) *Optional[int64] { return &r.StartSkewMillis }, count),
		column("finished_at", "End of the last interval of the load, in UTC.",
			func(r *Row) *time.Time { return &r.FinishedAt }, instant()),
		column("measurement", "Name of the Measurement object.",
			func(r *Row) *string { return &r.Measurement }, text[string]()),
		column("latency_mean_ms", "Mean latency, from the buckets of the histogram.",
			func(r *Row) *Optional[time.Duration] { return &r.Mean }, latency),
		column("latency_stddev_ms", "Standard deviation of the latency, from the buckets of the histogram.",
			func(r *Row) *Optional[time.Duration] { return &r.StdDev }, latency),
		column("latency_p75_ms", "75th percentile of the latency.",
			func(r *Row) *Optional[time.Duration] { return &r.P75 }, latency),
		column("latency_p90_ms", "90th percentile of the latency.",
			func(r *Row) *Optional[time.Duration] { return &r.P90 }, latency),
		column("latency_p9999_ms", "99.99th percentile of the latency. A percentile with fewer than ten values beyond it is not reported.",
			func(r *Row) *Optional[time.Duration] { return &r.P9999 }, latency),
		column("latency_p99999_ms", "99.999th percentile of the latency. A percentile with fewer than ten values beyond it is not reported.",
			func(r *Row) *Optional[time.Duration] { return &r.P99999 }, latency),
		column("installation", "Installation of the store that the row was measured on, from 1.",
			func(r *Row) *int { return &r.Installation }, ordinal()),
		column("peer", "Server that was under load at the same moment, in a duet.",
			func(r *Row) *string { return &r.Peer }, text[string]()),
		column("unanswered", "Operations that were neither answered nor failed, such as a lost datagram.",
			func(r *Row) *Optional[int64] { return &r.Unanswered }, count),
		column("outcomes", "Operations by outcome, as in hit=600 miss=400, where the load distinguishes outcomes.",
			func(r *Row) *[]v1beta1.Outcome { return &r.Outcomes }, outcomes()),
		column(CPUPerOperation, "CPU time of the store's processes per operation, over the server's windows.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.PerOp }, cpu),
		column(CPUOfServer, "Part of cpu_per_op_us that the server's own threads used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.Server }, cpu),
		column("cpu_request_us", "Part of cpu_per_op_us that the threads of the store's request stages used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.Request }, cpu),
		column("cpu_messaging_us", "Part of cpu_per_op_us that the threads between the store's nodes used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.Messaging }, cpu),
		column("cpu_gc_us", "Part of cpu_per_op_us that the garbage collector used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.GC }, cpu),
		column("cpu_compiler_us", "Part of cpu_per_op_us that the JIT compiler used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.Compiler }, cpu),
		column("cpu_other_us", "Part of cpu_per_op_us that all other threads used.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.Other }, cpu),
		column("cpu_windows", "Windows that the CPU columns cover.",
			func(r *Row) *Optional[int64] { return &r.CPU.Windows }, count),
		column("cpu_windows_unknown", "Windows that the CPU columns leave out, because the answer of a store pod was lost.",
			func(r *Row) *Optional[int64] { return &r.CPU.UnknownWindows }, count),
		column("gc_pause_ms", "Pauses of the garbage collector in those windows, summed over the store's pods.",
			func(r *Row) *Optional[time.Duration] { return &r.CPU.GCPauses }, latency),
		column("connections", "Connections of the load over all load pods; empty where the phase sets none: then there is one for each thread, or, in loads over CQL, one for each node of the store.",
			func(r *Row) *Optional[int] { return &r.Connections }, optional(whole[int]())),
		column("capacity", "Highest rate at which half of the steps of a search keep the objective.",
			func(r *Row) *Optional[float64] { return &r.Capacity }, rate),
		column("objective", "Objective of that search, as in p99 <= 100ms.",
			func(r *Row) *string { return &r.Objective }, text[string]()),
		column(CPUAtRest, "CPU time of the store's processes per time while nothing is asked of the store (idle phases only).",
			func(r *Row) *Optional[float64] { return &r.CPU.Idle }, optional(cores())),
		column("profile", "Event of the profile that was taken during the row: cpu, alloc, lock or wall; empty for a row that was measured.",
			func(r *Row) *v1beta1.ProfileEvent { return &r.Profile }, oneOf(v1beta1.ProfileEvents())),
		column(Switches, "Context switches of the store's processes per operation.",
			func(r *Row) *Optional[float64] { return &r.CPU.Switches }, optional(times())),
		column(RecoveryTime, "Time from the kill of the store's processes until an interrupted operation was acknowledged again.",
			func(r *Row) *Optional[time.Duration] { return &r.Recovery.First }, optional(seconds(3))),
		column("recovery_all_s", "Time from the kill until that was so on every connection.",
			func(r *Row) *Optional[time.Duration] { return &r.Recovery.All }, optional(seconds(3))),
		column("recovery_sent", "Operations that the load sent, each counted once.",
			func(r *Row) *Optional[int64] { return &r.Recovery.Sent }, count),
		column("recovery_acknowledged", "Operations that the store acknowledged.",
			func(r *Row) *Optional[int64] { return &r.Recovery.Acknowledged }, count),
		column("recovery_kept", "Acknowledged operations that are in the store at the end, as they were sent.",
			func(r *Row) *Optional[int64] { return &r.Recovery.Kept }, count),
		column("recovery_lost", "Acknowledged operations that are not in the store at the end.",
			func(r *Row) *Optional[int64] { return &r.Recovery.Lost }, count),
		column("recovery_refused", "Acknowledged operations that the store reports as refused, because what they build on is missing.",
			func(r *Row) *Optional[int64] { return &r.Recovery.Refused }, count),
		column(WriteAmplification, "Bytes written to the store's disks for each byte put.",
			func(r *Row) *Optional[float64] { return &r.IO.Write }, optional(amplification())),
		column(ReadAmplification, "Bytes read from the store's disks for each byte got.",
			func(r *Row) *Optional[float64] { return &r.IO.Read }, optional(amplification())),
		column(SpaceAmplification, "Bytes on the store's disks for each byte that is live.",
			func(r *Row) *Optional[float64] { return &r.IO.Space }, optional(amplification())),
		column(WrittenPerOperation, "Bytes written to the store's disks for an operation.",
			func(r *Row) *Optional[float64] { return &r.IO.WrittenPerOp }, optional(meanBytes())),
		column("faults", "Faults of the phase, as in kill:1@30.215+41.300 or maintain-repair:1@30.215+41.300: kind with its task, node, seconds from the start, and seconds until the node was ready again, or its task had ended.",
			func(r *Row) *[]Fault { return &r.Faults.List }, faults()),
		column(FaultAvailability, "Share of the rate before the fault that was answered from the fault on. With several faults, that of the worst.",
			func(r *Row) *Optional[float64] { return &r.Faults.Availability }, optional(share())),
		column("fault_detect_s", "Time from the fault to the end of the first second with less than 95% of that rate. With several faults, that of the worst.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.Detect }, optional(seconds(3))),
		column(FaultRecoverTime, "Time from the fault until 95% of that rate was answered again; 0 where it was never less, empty where it was not reached. With several faults, that of the worst.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.Recover }, optional(seconds(3))),
		column("fault_ready_s", "Time from the fault until the node was ready again. With several faults, that of the worst.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.Ready }, optional(seconds(3))),
		column(FaultLost, "Operations that a fault cost, in seconds of the rate before it. With several faults, the mean.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.Lost }, optional(seconds(3))),
		column(FaultMeanDetect, "Mean of the times to detect, over the faults of the phase.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.MeanDetect }, optional(seconds(3))),
		column(FaultMeanRecover, "Mean of the times to recover, over the faults of the phase.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.MeanRecover }, optional(seconds(3))),
		column(ErrorsByKind, "Failed operations by kind, as in refused=3 timed-out=12.",
			func(r *Row) *[]v1beta1.ErrorCount { return &r.ErrorsByKind }, errorKinds()),
		column(HintsKept, "Writes that nodes kept for a node that was away.",
			func(r *Row) *Optional[int64] { return &r.Events.HintsKept }, count),
		column(HintsDelivered, "Kept writes that were sent to the node when it was back.",
			func(r *Row) *Optional[int64] { return &r.Events.HintsDelivered }, count),
		column(HintsFailed, "Attempts to send a kept write that failed or timed out.",
			func(r *Row) *Optional[int64] { return &r.Events.HintsFailed }, count),
		column(ReadRepairs, "Rows that a read found to differ between replicas, and repaired.",
			func(r *Row) *Optional[int64] { return &r.Events.ReadRepairs }, count),
		column("reasons", "Machine-readable reasons why the row is invalid, each once, separated by spaces.",
			func(r *Row) *[]v1beta1.Reason { return &r.Reasons }, words[v1beta1.Reason]()),
		column("warning_reasons", "Machine-readable reasons of the warnings, each once, separated by spaces.",
			func(r *Row) *[]v1beta1.Reason { return &r.WarningReasons }, words[v1beta1.Reason]()),
		column("chart_digest", "Digest of the store's chart in its registry; empty for a chart of the operator's image.",
			func(r *Row) *string { return &r.ChartDigest }, text[string]()),
		column("pending_compactions", "Compactions that were pending in the store when the phase began; empty if the store does not report them.",
			func(r *Row) *Optional[int64] { return &r.PendingCompactions }, count),
		column(FaultBeforeP99, "99th percentile of latency before the first fault of the phase; empty without a fault that lasts.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.BeforeP99 }, optional(milliseconds())),
		column(FaultDuringP99, "99th percentile of the latency of the operations that were due while the fault lasted, whenever they ended; failed ones count at least their timeout. With several faults, that of the worst.",
			func(r *Row) *Optional[time.Duration] { return &r.Faults.DuringP99 }, optional(milliseconds())),
		column("pending_compactions_after", "Compactions that were pending in the store at the end of the phase, after its wait for them if it has one; empty if the store does not report them.",
			func(r *Row) *Optional[int64] { return &r.PendingCompactionsAfter }, count),
	}
}

// Header returns the names of the columns.
func Header() []string {
	columns := Columns()
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// MustColumn returns the column with a name. It panics if there is none, because names are constants of the program.
func MustColumn(name string) Column {
	columns := Columns()
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("measurements have no column %q", name))
	}
	return columns[at]
}

// Cells returns the cells of the row, in the order of the columns.
func (r *Row) Cells() []string {
	columns := Columns()
	cells := make([]string, len(columns))
	for i, column := range columns {
		cells[i] = column.Encode(r)
	}
	return cells
}
