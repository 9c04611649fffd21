package report

import (
	"fmt"
	"math"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// timelinePoints of a line over time: as many as are distinguishable from noise. Shorter intervals are joined, exactly.
const timelinePoints = 60

// overTime draws a line for each measurement, from its start.
func (b *builder) overTime(groups []compare.Group, title, unit string, read func(measure.Cell) float64) (*Figure, string) {
	var arms []arm
	without, total := 0, 0
	for _, g := range groups {
		a := arm{server: Server{b.series[g.Server], g.Server, b.typeOf(g.Server)}}
		for _, row := range g.Rows {
			total++
			cells, err := b.timeline(row)
			if err != nil || len(cells) == 0 {
				without++
				continue
			}
			a.faults = append(a.faults, awayIn(row, cells)...)
			a.lines = append(a.lines, lineOf(cells, series{number: b.series[g.Server], name: nameOf(row)}, read))
		}
		arms = append(arms, a)
	}
	return drawn(title, "seconds since the phase began", unit, arms), withoutLog(title, without, total)
}

// nameOf a measurement's line.
func nameOf(row *results.Row) string {
	at := fmt.Sprintf("round %d, no. %d", row.Round, row.Repeat)
	if row.Installation > 1 {
		at = fmt.Sprintf("installation %d, %s", row.Installation, at)
	}
	return row.Server + ", " + at
}

// awayIn is when nodes of the store were away under a measurement's load; one that did not come back, until its end.
func awayIn(row *results.Row, cells []measure.Cell) []stretch {
	end := cells[len(cells)-1].End.Sub(cells[0].Start).Seconds()
	var out []stretch
	for _, fault := range row.Faults.List {
		to := end
		if fault.Ready.Known {
			to = min(end, (fault.At + fault.Ready.Value).Seconds())
		}
		out = append(out, stretch{min(end, fault.At.Seconds()), to})
	}
	return out
}

// rateOf and p95Of read a piece of a log's time line; NaN where there is nothing.
func rateOf(cell measure.Cell) float64 {
	seconds := cell.End.Sub(cell.Start).Seconds()
	if seconds <= 0 {
		return math.NaN()
	}
	if cell.Histogram == nil {
		return 0
	}
	return float64(cell.Histogram.TotalCount()) / seconds
}

func (b *builder) p95Of(cell measure.Cell) float64 {
	if cell.Histogram == nil || cell.Histogram.TotalCount() == 0 {
		return math.NaN()
	}
	return b.latency(measure.ValueAt(cell.Histogram, 95))
}

func lineOf(cells []measure.Cell, s series, read func(measure.Cell) float64) series {
	origin := cells[0].Start
	// A last piece that is much shorter than the others has few operations and would look like a collapse.
	if n := len(cells); n > 2 && cells[n-1].End.Sub(cells[n-1].Start) < cells[0].End.Sub(cells[0].Start)/2 {
		cells = cells[:n-1]
	}
	for _, cell := range cells {
		at := cell.Start.Add(cell.End.Sub(cell.Start) / 2).Sub(origin)
		s.x, s.y = append(s.x, at.Seconds()), append(s.y, read(cell))
	}
	return s
}

func (b *builder) timeline(row *results.Row) ([]measure.Cell, error) {
	log := b.run.Logs[row.Measurement]
	if log == nil {
		return nil, fmt.Errorf("%s has no log", row.Measurement)
	}
	drawn, err := measure.Coalesce(log, timelinePoints)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", row.Measurement, err)
	}
	return measure.Cells(drawn, row.LatencyKind)
}
