// Package results is the table of a run: one row per finished measurement. A row has values, with all the digits that are known;
// its columns say how each is written in measurements.csv. Nothing here computes a figure that the measurement does not state.
package results

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/published"
)

// Row is one measurement.
type Row struct {
	Experiment, Run, Server, Operation string
	Round, Repeat                      int
	Consistency                        string
	Threads, TargetRate                int
	// Connections, where the load tells them from threads.
	Connections             Optional[int]
	LatencyKind             v1alpha1.LatencyKind
	Ops, Errors, Unanswered Optional[int64]
	// ErrorsByKind are why operations failed; nothing where none did, and in files that are older than the column.
	ErrorsByKind []v1alpha1.ErrorCount
	// Outcomes of the operations that did not fail, where the load tells them apart.
	Outcomes []v1alpha1.Outcome
	// Rates are per second.
	OpRate, KeyRate, OpRateMid80, KeyRateMid80 Optional[float64]
	Median, P95, P99, P999, Max                Optional[time.Duration]
	MedianMid80, P95Mid80, P999Mid80           Optional[time.Duration]
	Mean, StdDev, P75, P90, P9999, P99999      Optional[time.Duration]
	OperationTime                              Optional[time.Duration]
	StartedAt, FinishedAt                      time.Time
	ServerClass, PluginSHA256, ImageDigest     string
	// Valid reports whether the figures may be used.
	Valid                    bool
	InvalidReasons, Warnings []string
	Store, ServerType, Phase string
	// Warmup marks a row of a warm-up round, of a prepare phase or of a profile: shown, never compared.
	Warmup          bool
	Attempt, Pods   int
	Keys            int64
	OpsPlanned      Optional[int64]
	Duration        Optional[time.Duration]
	StartSkewMillis Optional[int64]
	Measurement     string
	// Installation of the store that the measurement was taken on, from 1.
	Installation int
	// Capacity that a search found, in operations per second, and the Objective that it keeps.
	Capacity  Optional[float64]
	Objective string
	// Peer that was under load at the same moment, in a duet.
	Peer string
	CPU  StoreCPU
	IO   StoreIO
	// Recovery of a store that was killed meanwhile.
	Recovery Recovery
	// Faults that befell nodes of the store meanwhile.
	Faults Faults
	// Events are what the other nodes did meanwhile for those that were away.
	Events StoreEvents
	// Profile is the event that the store was looked into for meanwhile; empty for what was measured.
	Profile v1alpha1.ProfileEvent
}

// StoreCPU is the CPU time of the store's processes for an operation, over the windows of which it is known; nothing where the store
// does not tell.
type StoreCPU struct {
	PerOp Optional[time.Duration]
	// Parts of PerOp by groups of threads.
	Server, Request, Messaging, GC, Compiler, Other Optional[time.Duration]
	// Windows that the figures are of, and those of which it is not known.
	Windows, UnknownWindows Optional[int64]
	// Switches of context for an operation, whether a thread gave up its core or lost it.
	Switches Optional[float64]
	// GCPauses over all pods in the windows.
	GCPauses Optional[time.Duration]
	// Idle is what the store used at rest, in cores: of an idle phase, which has no other figures.
	Idle Optional[float64]
}

// Published is what published figures are sought for.
func (r *Row) Published() published.Subject {
	return published.Subject{Store: r.Store, Server: r.Server, Type: r.ServerType, Phase: r.Phase, Operation: r.Operation, AtRate: r.TargetRate > 0}
}

// AtRest reports that nothing was asked of the store, so that what it used meanwhile is the only figure.
func (r *Row) AtRest() bool { return r.CPU.Idle.Known }

// Finished reports whether the measurement's result stands, or its attempts are used up.
func Finished(m *v1alpha1.Measurement) bool {
	return meta.IsStatusConditionTrue(m.Status.Conditions, v1alpha1.ConditionFinished)
}

// FromMeasurement makes the row of a finished measurement.
func FromMeasurement(m *v1alpha1.Measurement) Row {
	spec, status := &m.Spec, &m.Status
	row := Row{
		Experiment: spec.Experiment, Run: spec.Run, Server: spec.Server, Operation: spec.Operation,
		Round: int(spec.Round), Repeat: int(spec.Repeat),
		Consistency: spec.Consistency, Threads: int(spec.Threads), TargetRate: int(spec.TargetRate),
		Valid: status.Valid, InvalidReasons: status.InvalidReasons, Warnings: status.Warnings,
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
		row.ServerClass, row.PluginSHA256, row.ImageDigest = proof.Class, proof.PluginSHA256, proof.ImageDigest
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

// LatencyOf is the distribution of the kind that the row speaks of; nil when nothing was answered.
func LatencyOf(result *v1alpha1.Result) *v1alpha1.Latency {
	for i := range result.Latencies {
		if result.Latencies[i].Kind == result.LatencyKind {
			return &result.Latencies[i]
		}
	}
	return nil
}
