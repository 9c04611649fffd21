package history

import (
	"math"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
)

// ratios returns the ratios of a run's servers to the baseline, as compare reports them.
func ratios(run *archive.Run, baseline string) (figures, error) {
	found := newFigures()
	result, err := compare.Within(run, compare.Options{Baseline: baseline})
	if err != nil {
		return found, err
	}
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		found.add(c.Server, c.Cell, c.Metric.Name, Point{Value: c.Ratio, Low: c.Low, High: c.High, base: c.BaselineValue})
		if c.Primary {
			found.primary[c.Cell] = c.Metric.Name
		}
	}
	return found, nil
}

// absolute returns the figures of a run's servers, each of all its valid measurements as if they were one.
func absolute(run *archive.Run) figures {
	found := newFigures()
	measured := map[compare.Cell][]string{}
	for _, g := range compare.Groups(run) {
		operations := int64(0)
		for _, row := range g.Rows {
			operations += row.Ops.Value
		}
		for _, metric := range compare.MetricsOf(run.Rows) {
			if metric.AtRest != g.Rows[0].AtRest() || metric.Percentile > 0 && !measure.Supported(operations, metric.Percentile) {
				continue
			}
			value, err := compare.Figure(run, g.Rows, metric)
			if err != nil {
				continue // the load does not have this metric
			}
			found.add(g.Server, g.Cell, metric.Name, Point{Value: value, Low: math.NaN(), High: math.NaN(), base: value})
			measured[g.Cell] = append(measured[g.Cell], metric.Name)
		}
	}
	for cell, metrics := range measured {
		found.primary[cell] = compare.PrimaryOf(run, cell, metrics)
	}
	return found
}
