package history

import (
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
)

// ratios returns the ratios of a run's servers to the baseline, as compare reports them.
func ratios(run *archive.Run, baseline string, all *register) (figures, error) {
	found := newFigures(all)
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
func absolute(run *archive.Run, all *register) figures {
	found := newFigures(all)
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

// register numbers the places of all runs.
type register struct{ ids map[place]int32 }

func (r *register) idOf(at place) int32 {
	id, known := r.ids[at]
	if !known {
		id = int32(len(r.ids))
		r.ids[at] = id
	}
	return id
}

// figures are those of one run. They are lists, because thousands of runs' figures are kept.
type figures struct {
	cells  []compare.Cell
	places *register
	// ids are the numbers of places, ascending, and points their figures.
	ids    []int32
	points []Point
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
	id := f.places.idOf(place{server, cell, metric})
	i, there := slices.BinarySearch(f.ids, id)
	if there {
		f.points[i] = p
		return
	}
	f.ids, f.points = slices.Insert(f.ids, i, id), slices.Insert(f.points, i, p)
}

func (f *figures) at(where place) (Point, bool) {
	id, known := f.places.ids[where]
	if !known {
		return Point{}, false
	}
	i, there := slices.BinarySearch(f.ids, id)
	if !there {
		return Point{}, false
	}
	return f.points[i], true
}

func newFigures(all *register) figures {
	return figures{places: all, primary: map[compare.Cell]string{}}
}
