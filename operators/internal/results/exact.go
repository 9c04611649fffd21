package results

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// fill copies the figures of a result. The result's decimals are rounded for people. If the result also has the exact value, the row keeps
// that: a median of 21 µs has only two digits in milliseconds, too few for a ratio of two medians.
func (r *Row) fill(result *v1beta1.Result) {
	r.LatencyKind = result.LatencyKind
	r.Ops, r.Errors, r.ErrorsByKind = Some(result.Operations), Some(result.Errors), result.ErrorsByKind
	if result.Capacity != nil {
		r.Capacity = Some(float64(result.Capacity.Rate))
	}
	r.Unanswered, r.Outcomes = Some(result.Unanswered), result.Outcomes
	r.StartedAt, r.FinishedAt = result.StartedAt.UTC(), result.FinishedAt.UTC()
	r.StartSkewMillis = Some(result.StartSkewMillis)
	operations, whole := result.Operations, r.FinishedAt.Sub(r.StartedAt)
	if common := result.Common; common != nil {
		operations, whole = common.Operations, common.FinishedAt.Sub(common.StartedAt.Time)
	}
	r.OperationTime = unrounded(result.OperationSeconds, seconds(1), whole)
	took := r.OperationTime.Value.Seconds()
	r.OpRate = unrounded(result.OpRate, perSecond(), float64(operations)/took)
	r.KeyRate = unrounded(result.KeyRate, perSecond(), float64(operations)/took) // most loads use one key per operation
	r.OpRateMid80, r.KeyRateMid80 = rounded(result.OpRateMid80, perSecond()), rounded(result.KeyRateMid80, perSecond())
	if latency := LatencyOf(result); latency != nil {
		r.fillLatency(latency)
	}
	if result.StoreCPU != nil {
		r.CPU.fill(result.StoreCPU)
	}
	if result.Recovery != nil {
		r.Recovery.fill(result.Recovery)
	}
	r.Faults.fill(result.Faults, whole)
	r.Events.fill(result.StoreEvents)
	if result.StoreIO != nil {
		r.IO.fill(result.StoreIO, result.Operations)
	}
}

// fillIdle copies the result of an idle phase, which has no operations and therefore no rates or latencies.
func (r *Row) fillIdle(result *v1beta1.Result) {
	r.StartedAt, r.FinishedAt = result.StartedAt.UTC(), result.FinishedAt.UTC()
	r.OperationTime = unrounded(result.OperationSeconds, seconds(1), r.FinishedAt.Sub(r.StartedAt))
	if result.StoreCPU != nil {
		r.CPU.fill(result.StoreCPU)
		r.CPU.Idle = rounded(result.StoreCPU.IdleCores, cores())
	}
}

func (c *StoreCPU) fill(cpu *v1beta1.StoreCPU) {
	c.Windows, c.UnknownWindows = Some(cpu.Windows), Some(cpu.UnknownWindows)
	if pauses, told := cpu.Counters[measure.PauseCounter]; told {
		c.GCPauses = Some(time.Duration(pauses) * time.Millisecond)
	}
	if switches, told := cpu.Counters[measure.SwitchCounter]; told && cpu.Operations > 0 {
		c.Switches = Some(float64(switches) / float64(cpu.Operations))
	}
	perOp := func(decimal v1beta1.Decimal, group string) Optional[time.Duration] {
		if decimal == "" {
			return Optional[time.Duration]{}
		}
		return unrounded(decimal, microseconds(), time.Duration(math.Round(measure.CPUPerOperation(cpu, group))))
	}
	c.PerOp = perOp(cpu.PerOpMicros, "")
	fields := map[string]*Optional[time.Duration]{
		"server": &c.Server, "request": &c.Request, "messaging": &c.Messaging, "gc": &c.GC, "compiler": &c.Compiler, "other": &c.Other,
	}
	for _, group := range cpu.Groups {
		if field := fields[group.Name]; field != nil {
			*field = perOp(group.PerOpMicros, group.Name)
		}
	}
}

func (r *Row) fillLatency(latency *v1beta1.Latency) {
	histogram, err := measure.DecodeHistogram(latency.Histogram)
	if err != nil {
		histogram = nil // the decimals are still known
	}
	for _, at := range []struct {
		field      *Optional[time.Duration]
		decimal    v1beta1.Decimal
		percentile float64
	}{
		{&r.Median, latency.MedianMillis, 50}, {&r.P95, latency.P95Millis, 95}, {&r.P99, latency.P99Millis, 99},
		{&r.P999, latency.P999Millis, 99.9}, {&r.Max, latency.MaxMillis, 100}, {&r.P75, latency.P75Millis, 75}, {&r.P90, latency.P90Millis, 90},
		{&r.P9999, latency.P9999Millis, 99.99}, {&r.P99999, latency.P99999Millis, 99.999},
	} {
		*at.field = unrounded(at.decimal, milliseconds(), valueAt(histogram, at.percentile))
	}
	r.MedianMid80, r.P95Mid80 = rounded(latency.MedianMid80, milliseconds()), rounded(latency.P95Mid80Millis, milliseconds())
	r.P999Mid80 = rounded(latency.P999Mid80Millis, milliseconds())
	r.Mean, r.StdDev = rounded(latency.MeanMillis, milliseconds()), rounded(latency.StdDevMillis, milliseconds())
}

func valueAt(histogram *hdrhistogram.PackedHistogram, percentile float64) time.Duration {
	if histogram == nil {
		return 0
	}
	return time.Duration(measure.ValueAt(histogram, percentile))
}

// rounded reads a decimal. An empty or invalid one is unknown.
func rounded[T any](decimal v1beta1.Decimal, c codec[T]) Optional[T] {
	value, err := optional(c).decode(string(decimal))
	if err != nil {
		return Optional[T]{}
	}
	return value
}

// unrounded returns the exact value if the decimal was rounded from it; else the decimal, which is the stated figure.
func unrounded[T any](decimal v1beta1.Decimal, c codec[T], exact T) Optional[T] {
	if decimal != "" && c.encode(exact) == string(decimal) {
		return Some(exact)
	}
	return rounded(decimal, c)
}
