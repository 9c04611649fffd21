package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// supported reports whether enough operations lie beyond the percentile that it does not depend on chance.
func supported(rows []*results.Row, metric Metric) bool {
	operations := int64(0)
	for _, row := range rows {
		operations += row.Ops.Value
	}
	return metric.Percentile == 0 || measure.Supported(operations, metric.Percentile)
}

// FigureOf returns the figure of one measurement; unknown if too few operations lie beyond a percentile.
func FigureOf(run *archive.Run, row *results.Row, metric Metric) (value float64, known bool) {
	rows := []*results.Row{row}
	value, err := Figure(run, rows, metric)
	return value, err == nil && supported(rows, metric)
}

// Figure returns the figure of several measurements as if they were one: all operations over all time, the percentile of the merged histograms.
// That of a single measurement is the row's own. A figure that is not positive is an error if the metric is compared by ratios.
func Figure(run *archive.Run, rows []*results.Row, metric Metric) (float64, error) {
	if len(rows) == 1 {
		return metric.usable(metric.value(rows[0]))
	}
	switch {
	case metric.AtRest:
		return pooledRest(rows, metric)
	case isCost(metric.Name), metric.Name == results.WrittenPerOperation:
		return pooledCost(rows, metric)
	case metric.Name == results.RecoveryTime, metric.Difference:
		return meanOf(rows, metric)
	case metric.Name == Capacity:
		return meanCapacity(rows, metric)
	case metric.Name == opRate:
		return pooledRate(rows)
	case metric.Percentile == 0:
		return 0, fmt.Errorf("%s of several measurements is not defined", metric.Name)
	}
	merged, err := Merged(run, rows)
	if err != nil {
		return 0, err
	}
	return positive(float64(measure.ValueAt(merged, metric.Percentile)) / 1e6)
}

// Merged returns the merged histogram of several rows.
func Merged(run *archive.Run, rows []*results.Row) (*hdrhistogram.PackedHistogram, error) {
	histograms := make([]*hdrhistogram.PackedHistogram, len(rows))
	for i, row := range rows {
		histogram, err := Histogram(run, row)
		if err != nil {
			return nil, err
		}
		histograms[i] = histogram
	}
	return measure.Combine(histograms...)
}

func pooledRate(rows []*results.Row) (float64, error) {
	var operations, seconds float64
	for _, row := range rows {
		ops, err := positive(results.MustColumn("ops").Value(row))
		if err != nil {
			return 0, err
		}
		rate, err := positive(results.MustColumn("op_rate").Value(row))
		if err != nil {
			return 0, err
		}
		operations += ops
		seconds += ops / rate
	}
	return operations / seconds, nil
}

// meanCapacity returns the geometric mean of several searches, because a search changes the rate by ratios.
func meanCapacity(rows []*results.Row, metric Metric) (float64, error) {
	values := make([]float64, len(rows))
	for i, row := range rows {
		value, err := positive(metric.value(row))
		if err != nil {
			return 0, err
		}
		values[i] = value
	}
	return ratio.GeometricMean(values), nil
}

// meanOf returns the mean of several measurements, which weigh the same because each has the same number of events.
func meanOf(rows []*results.Row, metric Metric) (float64, error) {
	sum := 0.0
	for _, row := range rows {
		value, err := metric.usable(metric.value(row))
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum / float64(len(rows)), nil
}

// pooledCost returns the mean cost of an operation, weighted by the operations.
func pooledCost(rows []*results.Row, metric Metric) (float64, error) {
	var operations, sum float64
	for _, row := range rows {
		ops, err := positive(results.MustColumn("ops").Value(row))
		if err != nil {
			return 0, err
		}
		cost, err := positive(metric.value(row))
		if err != nil {
			return 0, err
		}
		operations += ops
		sum += ops * cost
	}
	return sum / operations, nil
}

// pooledRest returns the mean use at rest, weighted by time.
func pooledRest(rows []*results.Row, metric Metric) (float64, error) {
	var seconds, sum float64
	for _, row := range rows {
		took, err := positive(row.OperationTime.Value.Seconds())
		if err != nil {
			return 0, err
		}
		used, err := positive(metric.value(row))
		if err != nil {
			return 0, err
		}
		seconds += took
		sum += took * used
	}
	return sum / seconds, nil
}

// Histogram returns the histogram of a row's latency kind, from its Measurement.
func Histogram(run *archive.Run, row *results.Row) (*hdrhistogram.PackedHistogram, error) {
	m, there := run.Measurements[row.Measurement]
	if !there || m.Status.Result == nil {
		return nil, fmt.Errorf("%s has no manifest with a histogram", cmp.Or(row.Measurement, "the row"))
	}
	latency := results.LatencyOf(m.Status.Result)
	if latency == nil {
		return nil, fmt.Errorf("%s has no histogram", row.Measurement)
	}
	return measure.DecodeHistogram(latency.Histogram)
}

// usable returns the figure, or an error if it cannot be compared.
func (m Metric) usable(value float64) (float64, error) {
	if m.Difference && value == 0 {
		return 0, nil
	}
	return positive(value)
}

// positive returns the figure, or an error if it has no ratio.
func positive(value float64) (float64, error) {
	switch {
	case math.IsNaN(value):
		return 0, errors.New("missing or NaN")
	case value <= 0 || math.IsInf(value, 0):
		return 0, fmt.Errorf("%g has no ratio", value)
	}
	return value, nil
}
