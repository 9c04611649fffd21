// Package results is the table of a run, with one row per finished measurement. A row has values with all known digits; the columns define
// how measurements.csv represents them. The package computes no figure that the measurement does not state.
package results

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/published"
)

// Row is one measurement.
type Row struct {
	Experiment, Run, Server, Operation string
	Round, Repeat                      int
	Consistency                        string
	Threads, TargetRate                int
	// Connections of the load; unknown if the load has no setting for them apart from threads.
	Connections             Optional[int]
	LatencyKind             v1beta1.LatencyKind
	Ops, Errors, Unanswered Optional[int64]
	// ErrorsByKind counts the failed operations by kind of error; empty if none failed, and in files older than the column.
	ErrorsByKind []v1beta1.ErrorCount
	// Outcomes counts the successful operations by outcome, if the load distinguishes outcomes.
	Outcomes []v1beta1.Outcome
	// Rates are per second.
	OpRate, KeyRate, OpRateMid80, KeyRateMid80 Optional[float64]
	Median, P95, P99, P999, Max                Optional[time.Duration]
	MedianMid80, P95Mid80, P999Mid80           Optional[time.Duration]
	Mean, StdDev, P75, P90, P9999, P99999      Optional[time.Duration]
	OperationTime                              Optional[time.Duration]
	StartedAt, FinishedAt                      time.Time
	ServerClass, PluginSHA256, ImageDigest     string
	ChartDigest                                string
	Valid                                      bool
	InvalidReasons, Warnings                   []string
	// Reasons and WarningReasons are the machine-readable reasons of both, each once; empty in files older than the columns.
	Reasons, WarningReasons  []v1beta1.Reason
	Store, ServerType, Phase string
	// Warmup marks a row of a warm-up round, a prepare phase or a profile. Such rows are shown but never compared.
	Warmup          bool
	Attempt, Pods   int
	Keys            int64
	OpsPlanned      Optional[int64]
	Duration        Optional[time.Duration]
	StartSkewMillis Optional[int64]
	Measurement     string
	// Installation is the number of the store's installation, from 1.
	Installation int
	// Capacity is the result of a capacity search, in operations per second; Objective is the objective of the search.
	Capacity  Optional[float64]
	Objective string
	// Peer is the server under load at the same time, in a duet.
	Peer     string
	CPU      StoreCPU
	IO       StoreIO
	Recovery Recovery
	Faults   Faults
	// Events counts what the other nodes did for the nodes that were away.
	Events StoreEvents
	// PendingCompactions of the store when the phase began, and at its end.
	PendingCompactions, PendingCompactionsAfter Optional[int64]
	// Profile is the profiled event; empty for a measurement.
	Profile v1beta1.ProfileEvent
}

// StoreCPU is the CPU time of the store's processes per operation, over the windows for which it is known; empty if the store does not
// report it.
type StoreCPU struct {
	PerOp Optional[time.Duration]
	// Parts of PerOp, by group of threads.
	Server, Request, Messaging, GC, Compiler, Other Optional[time.Duration]
	// Windows counts the windows with known CPU time, which the figures cover; UnknownWindows the others.
	Windows, UnknownWindows Optional[int64]
	// Switches is the number of context switches per operation, both voluntary and involuntary.
	Switches Optional[float64]
	// GCPauses is the sum over all pods in the windows.
	GCPauses Optional[time.Duration]
	// Idle is the CPU time at rest, in cores. Only idle phases have it, and no other figure.
	Idle Optional[float64]
}

// Published returns the subject to look up published figures for.
func (r *Row) Published() published.Subject {
	return published.Subject{Store: r.Store, Server: r.Server, Type: r.ServerType, Phase: r.Phase, Operation: r.Operation, AtRate: r.TargetRate > 0}
}

// AtRest reports whether the row is of an idle phase, whose only figure is the store's own CPU use.
func (r *Row) AtRest() bool { return r.CPU.Idle.Known }

// FromMeasurement returns the row of a finished measurement.
func FromMeasurement(m *v1beta1.Measurement) Row {
	spec, status := &m.Spec, &m.Status
	row := Row{
		Experiment: spec.Experiment, Run: spec.Run, Server: spec.Server, Operation: spec.Operation,
		Round: int(spec.Round), Repeat: int(spec.Repeat),
		Consistency: spec.Consistency, Threads: int(spec.Threads), TargetRate: int(spec.TargetRate),
		Valid: status.Valid, InvalidReasons: status.InvalidReasons, Warnings: status.Warnings, Reasons: status.Reasons, WarningReasons: status.WarningReasons,
		Store: spec.Store, ServerType: spec.ServerType, Phase: spec.Phase, Warmup: spec.Warmup,
		Attempt: int(status.Attempt), Keys: spec.Keys, Pods: int(spec.Pods), Measurement: m.Name, Installation: max(int(spec.Installation), 1), Peer: spec.Peer,
	}
	if spec.Capacity != nil {
		row.Objective = spec.Capacity.Objective()
	}
	if spec.Profile != nil {
		row.Profile = spec.Profile.Event
	}
	if spec.Connections > 0 {
		row.Connections = Some(int(spec.Connections))
	}
	if spec.Operations > 0 {
		row.OpsPlanned = Some(spec.Operations)
	}
	if spec.Duration != nil {
		row.Duration = Some(spec.Duration.Duration)
	}
	if proof := status.Proof; proof != nil {
		row.ServerClass, row.PluginSHA256, row.ImageDigest, row.ChartDigest = proof.Class, proof.PluginSHA256, proof.ImageDigest, proof.ChartDigest
	}
	if result := status.Result; result != nil {
		row.PendingCompactions, row.PendingCompactionsAfter = maybe(result.PendingCompactions), maybe(result.PendingCompactionsAfter)
	}
	switch result := status.Result; {
	case result == nil:
	case spec.Idle:
		row.fillIdle(result)
	default:
		row.fill(result)
	}
	return row
}

// LatencyOf returns the distribution of the result's latency kind; nil if no operation was answered.
func LatencyOf(result *v1beta1.Result) *v1beta1.Latency {
	for i := range result.Latencies {
		if result.Latencies[i].Kind == result.LatencyKind {
			return &result.Latencies[i]
		}
	}
	return nil
}

// CountInvalid returns how many rows are not valid.
func CountInvalid(rows []Row) int {
	invalid := 0
	for i := range rows {
		if !rows[i].Valid {
			invalid++
		}
	}
	return invalid
}
