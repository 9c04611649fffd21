package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// Cell is a load that servers are compared under: all that must be equal for figures to be comparable.
type Cell struct {
	Phase, Operation, Consistency string
	Threads, TargetRate           int
	LatencyKind                   v1alpha1.LatencyKind
}

// CellOf is the load of a row.
func CellOf(row *results.Row) Cell {
	return Cell{row.Phase, row.Operation, row.Consistency, row.Threads, row.TargetRate, row.LatencyKind}
}

// Arm is one server of one run.
type Arm struct {
	Run    *archive.Run
	Server string
}

// sample holds one arm's figures: by cell, metric and round.
type sample struct {
	cells []Cell // in the order of the rows
	// rounds of each cell, and their figures by metric.
	values map[Cell]map[string]map[int]float64
	notes  []string
}

// draw gathers an arm's valid measurements, one figure per round: of several repeats the rates are those of all operations
// over all time, the percentiles those of the merged histograms.
func draw(arm Arm) sample {
	s := sample{values: map[Cell]map[string]map[int]float64{}}
	type unit struct {
		cell  Cell
		round int
	}
	groups := map[unit][]*results.Row{}
	invalid := 0
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server != arm.Server || row.Warmup {
			continue
		}
		if !row.Valid {
			invalid++
			continue
		}
		u := unit{CellOf(row), row.Round}
		if !slices.Contains(s.cells, u.cell) {
			s.cells = append(s.cells, u.cell)
		}
		groups[u] = append(groups[u], row)
	}
	if invalid > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: %d invalid measurements are compared with nothing", arm.Server, invalid))
	}
	for u, rows := range groups {
		for _, metric := range Metrics() {
			value, err := Figure(arm.Run, rows, metric)
			if err != nil {
				s.notes = append(s.notes, fmt.Sprintf("%s, %s, round %d: no %s: %v", arm.Server, u.cell.Operation, u.round, metric.Title, err))
				continue
			}
			s.put(u.cell, metric.Name, u.round, value)
		}
	}
	slices.Sort(s.notes)
	return s
}

func (s *sample) put(cell Cell, metric string, round int, value float64) {
	if s.values[cell] == nil {
		s.values[cell] = map[string]map[int]float64{}
	}
	if s.values[cell][metric] == nil {
		s.values[cell][metric] = map[int]float64{}
	}
	s.values[cell][metric][round] = value
}

// Figure of several measurements as if they were one: all operations over all time, the percentile of the merged histograms.
// A single measurement's is the row's own. A figure that is not positive is an error: it has no ratio.
func Figure(run *archive.Run, rows []*results.Row, metric Metric) (float64, error) {
	if len(rows) == 1 {
		return positive(metric.value(rows[0]))
	}
	if metric.Percentile == 0 {
		return pooledRate(rows)
	}
	merged, err := Merged(run, rows)
	if err != nil {
		return 0, err
	}
	return positive(float64(measure.ValueAt(merged, metric.Percentile)) / 1e6)
}

// Merged histogram of several rows.
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

// Histogram of a row's latency kind, from its Measurement.
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

// positive lets figures through that have a ratio.
func positive(value float64) (float64, error) {
	switch {
	case math.IsNaN(value):
		return 0, errors.New("there is no figure")
	case value <= 0:
		return 0, fmt.Errorf("%g has no ratio", value)
	}
	return value, nil
}
