package results

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// Columns of the store's CPU time, which not every store fills: per operation, of all its threads and of the server's, and where nothing
// was asked of it.
const (
	CPUPerOperation = "cpu_per_op_us"
	CPUOfServer     = "cpu_server_us"
	CPUAtRest       = "idle_cpu_cores"
	// Switches of context for an operation.
	Switches = "switches_per_op"
)

// RecoveryTime is from the death of the store's processes until it acknowledged operations again, where it was killed.
const RecoveryTime = "recovery_s"

// Columns of what the store wrote and read, which not every store fills: bytes written for each that was put, read for each that was got,
// on disk for each that is live, and written for an operation.
const (
	WriteAmplification  = "write_amplification"
	ReadAmplification   = "read_amplification"
	SpaceAmplification  = "space_amplification"
	WrittenPerOperation = "written_per_op_bytes"
)

// Columns of phases in which nodes of the store were lost: the share of the rate before that was answered from a fault on, and how long it
// took until that rate was answered again.
const (
	FaultAvailability = "fault_availability"
	FaultRecoverTime  = "fault_recover_s"
)

// Columns that servers are compared by in such phases: means of a phase's faults, where the others tell of the worst of them. FaultLost is what
// was not answered, in seconds of the rate before.
const (
	FaultLost        = "fault_lost_s"
	FaultMeanDetect  = "fault_mean_detect_s"
	FaultMeanRecover = "fault_mean_recover_s"
)

// ErrorsByKind is why operations failed.
const ErrorsByKind = "errors_by_kind"

// Columns of what nodes of the store did for one another under faults.
const (
	HintsKept      = "hints_kept"
	HintsDelivered = "hints_delivered"
	HintsFailed    = "hints_failed"
	ReadRepairs    = "read_repairs"
)

// CounterOf a column that is what an operation costs the store: the counter that it is made of. False of all other columns.
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

// Column is one column of measurements.csv: the only place that knows how a field of a row is called, written and read.
type Column struct {
	Name string
	// Unit of the figures; empty for what has none.
	Unit string
	// Encode writes a row's cell; an empty one for a figure that is not known.
	Encode func(*Row) string
	// Decode reads what Encode wrote.
	Decode func(*Row, string) error
	// Value is the cell as a number of units, with all the digits that are known; NaN where there is none.
	Value func(*Row) float64
	// Format writes a number of units as Encode writes a cell; nil for what is no figure.
	Format func(float64) string
}

func column[T any](name string, field func(*Row) *T, c codec[T]) Column {
	return Column{
		Name: name, Unit: c.unit, Format: c.format,
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

// Columns of measurements.csv, in order. This is the only list of them: further ones go at the end.
func Columns() []Column {
	count, rate, latency, cpu := optional(whole[int64]()), optional(perSecond()), optional(milliseconds()), optional(microseconds())
	return []Column{
		column("experiment", func(r *Row) *string { return &r.Experiment }, text[string]()),
		column("run", func(r *Row) *string { return &r.Run }, text[string]()),
		column("round", func(r *Row) *int { return &r.Round }, whole[int]()),
		column("server", func(r *Row) *string { return &r.Server }, text[string]()),
		column("operation", func(r *Row) *string { return &r.Operation }, text[string]()),
		column("repeat", func(r *Row) *int { return &r.Repeat }, whole[int]()),
		column("consistency", func(r *Row) *string { return &r.Consistency }, text[string]()),
		column("threads", func(r *Row) *int { return &r.Threads }, whole[int]()),
		column("target_rate", func(r *Row) *int { return &r.TargetRate }, whole[int]()),
		column("latency_kind", func(r *Row) *v1alpha1.LatencyKind { return &r.LatencyKind }, text[v1alpha1.LatencyKind]()),
		column("ops", func(r *Row) *Optional[int64] { return &r.Ops }, count),
		column("errors", func(r *Row) *Optional[int64] { return &r.Errors }, count),
		column("op_rate", func(r *Row) *Optional[float64] { return &r.OpRate }, rate),
		column("key_rate", func(r *Row) *Optional[float64] { return &r.KeyRate }, rate),
		column("op_rate_mid80", func(r *Row) *Optional[float64] { return &r.OpRateMid80 }, rate),
		column("key_rate_mid80", func(r *Row) *Optional[float64] { return &r.KeyRateMid80 }, rate),
		column("latency_median_ms", func(r *Row) *Optional[time.Duration] { return &r.Median }, latency),
		column("latency_p95_ms", func(r *Row) *Optional[time.Duration] { return &r.P95 }, latency),
		column("latency_p99_ms", func(r *Row) *Optional[time.Duration] { return &r.P99 }, latency),
		column("latency_p999_ms", func(r *Row) *Optional[time.Duration] { return &r.P999 }, latency),
		column("latency_max_ms", func(r *Row) *Optional[time.Duration] { return &r.Max }, latency),
		column("latency_median_mid80_ms", func(r *Row) *Optional[time.Duration] { return &r.MedianMid80 }, latency),
		column("latency_p95_mid80_ms", func(r *Row) *Optional[time.Duration] { return &r.P95Mid80 }, latency),
		column("latency_p999_mid80_ms", func(r *Row) *Optional[time.Duration] { return &r.P999Mid80 }, latency),
		column("operation_time_s", func(r *Row) *Optional[time.Duration] { return &r.OperationTime }, optional(seconds(1))),
		column("started_at", func(r *Row) *time.Time { return &r.StartedAt }, instant()),
		column("server_class", func(r *Row) *string { return &r.ServerClass }, text[string]()),
		column("plugin_sha256", func(r *Row) *string { return &r.PluginSHA256 }, text[string]()),
		column("image_digest", func(r *Row) *string { return &r.ImageDigest }, text[string]()),
		column("valid", func(r *Row) *bool { return &r.Valid }, flag()),
		column("invalid_reasons", func(r *Row) *[]string { return &r.InvalidReasons }, lines()),
		column("warnings", func(r *Row) *[]string { return &r.Warnings }, lines()),
		column("store", func(r *Row) *string { return &r.Store }, text[string]()),
		column("server_type", func(r *Row) *string { return &r.ServerType }, text[string]()),
		column("phase", func(r *Row) *string { return &r.Phase }, text[string]()),
		column("warmup", func(r *Row) *bool { return &r.Warmup }, flag()),
		column("attempt", func(r *Row) *int { return &r.Attempt }, whole[int]()),
		column("ops_planned", func(r *Row) *Optional[int64] { return &r.OpsPlanned }, count),
		column("duration_s", func(r *Row) *Optional[time.Duration] { return &r.Duration }, optional(seconds(-1))),
		column("keys", func(r *Row) *int64 { return &r.Keys }, whole[int64]()),
		column("pods", func(r *Row) *int { return &r.Pods }, whole[int]()),
		column("start_skew_ms", func(r *Row) *Optional[int64] { return &r.StartSkewMillis }, count),
		column("finished_at", func(r *Row) *time.Time { return &r.FinishedAt }, instant()),
		column("measurement", func(r *Row) *string { return &r.Measurement }, text[string]()),
		column("latency_mean_ms", func(r *Row) *Optional[time.Duration] { return &r.Mean }, latency),
		column("latency_stddev_ms", func(r *Row) *Optional[time.Duration] { return &r.StdDev }, latency),
		column("latency_p75_ms", func(r *Row) *Optional[time.Duration] { return &r.P75 }, latency),
		column("latency_p90_ms", func(r *Row) *Optional[time.Duration] { return &r.P90 }, latency),
		column("latency_p9999_ms", func(r *Row) *Optional[time.Duration] { return &r.P9999 }, latency),
		column("latency_p99999_ms", func(r *Row) *Optional[time.Duration] { return &r.P99999 }, latency),
		column("installation", func(r *Row) *int { return &r.Installation }, ordinal()),
		column("peer", func(r *Row) *string { return &r.Peer }, text[string]()),
		column("unanswered", func(r *Row) *Optional[int64] { return &r.Unanswered }, count),
		column("outcomes", func(r *Row) *[]v1alpha1.Outcome { return &r.Outcomes }, outcomes()),
		column(CPUPerOperation, func(r *Row) *Optional[time.Duration] { return &r.CPU.PerOp }, cpu),
		column(CPUOfServer, func(r *Row) *Optional[time.Duration] { return &r.CPU.Server }, cpu),
		column("cpu_request_us", func(r *Row) *Optional[time.Duration] { return &r.CPU.Request }, cpu),
		column("cpu_messaging_us", func(r *Row) *Optional[time.Duration] { return &r.CPU.Messaging }, cpu),
		column("cpu_gc_us", func(r *Row) *Optional[time.Duration] { return &r.CPU.GC }, cpu),
		column("cpu_compiler_us", func(r *Row) *Optional[time.Duration] { return &r.CPU.Compiler }, cpu),
		column("cpu_other_us", func(r *Row) *Optional[time.Duration] { return &r.CPU.Other }, cpu),
		column("cpu_windows", func(r *Row) *Optional[int64] { return &r.CPU.Windows }, count),
		column("cpu_windows_unknown", func(r *Row) *Optional[int64] { return &r.CPU.UnknownWindows }, count),
		column("gc_pause_ms", func(r *Row) *Optional[time.Duration] { return &r.CPU.GCPauses }, latency),
		column("connections", func(r *Row) *Optional[int] { return &r.Connections }, optional(whole[int]())),
		column("capacity", func(r *Row) *Optional[float64] { return &r.Capacity }, rate),
		column("objective", func(r *Row) *string { return &r.Objective }, text[string]()),
		column(CPUAtRest, func(r *Row) *Optional[float64] { return &r.CPU.Idle }, optional(cores())),
		column("profile", func(r *Row) *v1alpha1.ProfileEvent { return &r.Profile }, text[v1alpha1.ProfileEvent]()),
		column(Switches, func(r *Row) *Optional[float64] { return &r.CPU.Switches }, optional(times())),
		column(RecoveryTime, func(r *Row) *Optional[time.Duration] { return &r.Recovery.First }, optional(seconds(3))),
		column("recovery_all_s", func(r *Row) *Optional[time.Duration] { return &r.Recovery.All }, optional(seconds(3))),
		column("recovery_sent", func(r *Row) *Optional[int64] { return &r.Recovery.Sent }, count),
		column("recovery_acknowledged", func(r *Row) *Optional[int64] { return &r.Recovery.Acknowledged }, count),
		column("recovery_kept", func(r *Row) *Optional[int64] { return &r.Recovery.Kept }, count),
		column("recovery_lost", func(r *Row) *Optional[int64] { return &r.Recovery.Lost }, count),
		column("recovery_refused", func(r *Row) *Optional[int64] { return &r.Recovery.Refused }, count),
		column(WriteAmplification, func(r *Row) *Optional[float64] { return &r.IO.Write }, optional(amplification())),
		column(ReadAmplification, func(r *Row) *Optional[float64] { return &r.IO.Read }, optional(amplification())),
		column(SpaceAmplification, func(r *Row) *Optional[float64] { return &r.IO.Space }, optional(amplification())),
		column(WrittenPerOperation, func(r *Row) *Optional[float64] { return &r.IO.WrittenPerOp }, optional(meanBytes())),
		column("faults", func(r *Row) *[]Fault { return &r.Faults.List }, faults()),
		column(FaultAvailability, func(r *Row) *Optional[float64] { return &r.Faults.Availability }, optional(share())),
		column("fault_detect_s", func(r *Row) *Optional[time.Duration] { return &r.Faults.Detect }, optional(seconds(3))),
		column(FaultRecoverTime, func(r *Row) *Optional[time.Duration] { return &r.Faults.Recover }, optional(seconds(3))),
		column("fault_ready_s", func(r *Row) *Optional[time.Duration] { return &r.Faults.Ready }, optional(seconds(3))),
		column(FaultLost, func(r *Row) *Optional[time.Duration] { return &r.Faults.Lost }, optional(seconds(3))),
		column(FaultMeanDetect, func(r *Row) *Optional[time.Duration] { return &r.Faults.MeanDetect }, optional(seconds(3))),
		column(FaultMeanRecover, func(r *Row) *Optional[time.Duration] { return &r.Faults.MeanRecover }, optional(seconds(3))),
		column(ErrorsByKind, func(r *Row) *[]v1alpha1.ErrorCount { return &r.ErrorsByKind }, errorKinds()),
		column(HintsKept, func(r *Row) *Optional[int64] { return &r.Events.HintsKept }, count),
		column(HintsDelivered, func(r *Row) *Optional[int64] { return &r.Events.HintsDelivered }, count),
		column(HintsFailed, func(r *Row) *Optional[int64] { return &r.Events.HintsFailed }, count),
		column(ReadRepairs, func(r *Row) *Optional[int64] { return &r.Events.ReadRepairs }, count),
	}
}

// Header is the names of the columns.
func Header() []string {
	columns := Columns()
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// MustColumn is the column of that name; asking for one that there is not is a mistake in the program.
func MustColumn(name string) Column {
	columns := Columns()
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		panic(fmt.Sprintf("measurements have no column %q", name))
	}
	return columns[at]
}

// Cells of the row, in the order of the columns.
func (r *Row) Cells() []string {
	columns := Columns()
	cells := make([]string, len(columns))
	for i, column := range columns {
		cells[i] = column.Encode(r)
	}
	return cells
}
