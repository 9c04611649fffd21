// Package results is the table of a run: one row per finished measurement, as text, in the columns of measurements.csv.
// Figures are the Measurement's decimals to the digit: nothing here computes one.
package results

import (
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Row is one measurement. Every field is text as the CSV has it; a figure that was not taken is empty.
type Row struct {
	Experiment, Run, Round, Server, Operation, Repeat                    string
	Consistency, Threads, TargetRate, LatencyKind                        string
	Ops, Errors                                                          string
	OpRate, KeyRate, OpRateMid80, KeyRateMid80                           string
	MedianMillis, P95Millis, P99Millis, P999Millis, MaxMillis            string
	MedianMid80Millis, P95Mid80Millis, P999Mid80Millis                   string
	OperationSeconds, StartedAt                                          string
	ServerClass, PluginSHA256, ImageDigest                               string
	Valid, InvalidReasons                                                string
	Warnings, Store, ServerType, Phase, Warmup, Attempt                  string
	OpsPlanned, DurationSeconds, Keys, Pods, StartSkewMillis, FinishedAt string
	Measurement                                                          string
}

// Separator between several reasons or warnings in one cell.
const Separator = "; "

// IsValid says whether the figures may be used.
func (r *Row) IsValid() bool { return r.Valid == "true" }

// IsWarmup says that the row is of a warm-up round or a prepare phase: shown, never compared.
func (r *Row) IsWarmup() bool { return r.Warmup == "true" }

// Finished says whether the measurement's result stands, or its attempts are used up.
func Finished(m *v1alpha1.Measurement) bool {
	return meta.IsStatusConditionTrue(m.Status.Conditions, v1alpha1.ConditionFinished)
}

// FromMeasurement makes the row of a finished measurement.
func FromMeasurement(m *v1alpha1.Measurement) Row {
	spec, status := &m.Spec, &m.Status
	row := Row{
		Experiment: spec.Experiment, Run: spec.Run,
		Round: integer(spec.Round), Server: spec.Server, Operation: spec.Operation, Repeat: integer(spec.Repeat),
		Consistency: spec.Consistency, Threads: integer(spec.Threads), TargetRate: integer(spec.TargetRate),
		Valid: strconv.FormatBool(status.Valid), InvalidReasons: strings.Join(status.InvalidReasons, Separator),
		Warnings: strings.Join(status.Warnings, Separator),
		Store:    spec.Store, ServerType: spec.ServerType, Phase: spec.Phase, Warmup: strconv.FormatBool(spec.Warmup),
		Attempt: integer(status.Attempt), Keys: integer(spec.Keys), Pods: integer(spec.Pods), Measurement: m.Name,
	}
	if spec.Operations > 0 {
		row.OpsPlanned = integer(spec.Operations)
	}
	if spec.Duration != nil {
		row.DurationSeconds = strconv.FormatFloat(spec.Duration.Seconds(), 'f', -1, 64)
	}
	if proof := status.Proof; proof != nil {
		row.ServerClass, row.PluginSHA256, row.ImageDigest = proof.Class, proof.PluginSHA256, proof.ImageDigest
	}
	if result := status.Result; result != nil {
		row.fill(result)
	}
	return row
}

func (r *Row) fill(result *v1alpha1.Result) {
	r.LatencyKind = string(result.LatencyKind)
	r.Ops, r.Errors = integer(result.Operations), integer(result.Errors)
	r.OpRate, r.KeyRate = string(result.OpRate), string(result.KeyRate)
	r.OpRateMid80, r.KeyRateMid80 = string(result.OpRateMid80), string(result.KeyRateMid80)
	r.OperationSeconds = string(result.OperationSeconds)
	r.StartedAt, r.FinishedAt = instant(result.StartedAt.Time), instant(result.FinishedAt.Time)
	r.StartSkewMillis = integer(result.StartSkewMillis)
	if latency := LatencyOf(result); latency != nil {
		r.MedianMillis, r.P95Millis = string(latency.MedianMillis), string(latency.P95Millis)
		r.P99Millis, r.P999Millis = string(latency.P99Millis), string(latency.P999Millis)
		r.MaxMillis = string(latency.MaxMillis)
		r.MedianMid80Millis, r.P95Mid80Millis = string(latency.MedianMid80), string(latency.P95Mid80Millis)
		r.P999Mid80Millis = string(latency.P999Mid80Millis)
	}
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

func integer[T int32 | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}
