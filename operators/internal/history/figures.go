package history

import (
	"math"
	"slices"

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

// place of a figure in a run.
type place struct {
	server string
	cell   compare.Cell
	metric string
}

// figures are those of one run.
type figures struct {
	cells  []compare.Cell
	values map[place]Point
	// primary is the primary metric of each load.
	primary map[compare.Cell]string
}

func (f *figures) add(server string, cell compare.Cell, metric string, p Point) {
	if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
		return
	}
	if !slices.Contains(f.cells, cell) {
		f.cells = append(f.cells, cell)
	}
	f.values[place{server, cell, metric}] = p
}

func newFigures() figures {
	return figures{values: map[place]Point{}, primary: map[compare.Cell]string{}}
}
