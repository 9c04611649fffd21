package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Cell is a load under which servers are compared: everything that must be equal for figures to be comparable.
type Cell struct {
	Phase, Operation, Consistency string
	Threads, TargetRate           int
	// Connections is 0 if there is one for each thread.
	Connections int
	LatencyKind v1beta1.LatencyKind
}

// CellOf returns the load of a row.
func CellOf(row *results.Row) Cell {
	return Cell{Phase: row.Phase, Operation: row.Operation, Consistency: row.Consistency, Threads: row.Threads, TargetRate: row.TargetRate,
		Connections: row.Connections.Value, LatencyKind: row.LatencyKind}
}

// Arm is one server of one run.
type Arm struct {
	Run    *archive.Run
	Server string
}

// sample holds one arm's figures: by cell, metric and round.
type sample struct {
	cells []Cell // in the order of the rows
	// planned is the number of rounds of each cell in which any server of the run was measured.
	planned map[Cell]int
	// values of each cell's rounds, by metric
	values map[Cell]map[string]map[replicate]float64
	// windows of each cell's rounds, by metric, for rounds that were measured in windows
	windows map[Cell]map[string]map[replicate]*windows
	// open holds each cell's rounds without a figure, by metric
	open map[Cell]map[string][]replicate
	// duets are the cells in which both servers were under load together.
	duets map[Cell]bool
	notes []string
}

// draw collects an arm's figures, one per round. Of several repeats, a rate is that of all operations over all time, and a percentile that
// of the merged histogram. A round that lacks a valid repeat is left out: earlier repeats are slower than later ones, and repeats are not
// missing at random.
//
// beside is the server with which the arm is compared. Of a duet, only the rows in which the two were under load together count.
func draw(arm Arm, beside string) sample {
	plan := planOf(arm.Run)
	s := sample{planned: map[Cell]int{}, values: map[Cell]map[string]map[replicate]float64{}, windows: map[Cell]map[string]map[replicate]*windows{},
		open: map[Cell]map[string][]replicate{}, duets: map[Cell]bool{}}
	invalid := 0
	rounds := map[Cell]map[replicate][]*results.Row{}
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server != arm.Server || row.Warmup || row.Peer != "" && row.Peer != beside {
			continue
		}
		if !row.Valid {
			invalid++
			continue
		}
		cell := CellOf(row)
		if rounds[cell] == nil {
			rounds[cell] = map[replicate][]*results.Row{}
			s.cells = append(s.cells, cell)
			s.planned[cell], s.duets[cell] = plan.rounds(cell), row.Peer != ""
		}
		rounds[cell][replicateOf(row)] = append(rounds[cell][replicateOf(row)], row)
	}
	if invalid > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s: %d invalid measurements are left out", arm.Server, invalid))
	}
	for _, cell := range s.cells {
		whole := maps.Clone(rounds[cell])
		maps.DeleteFunc(whole, func(_ replicate, rows []*results.Row) bool { return len(rows) < plan.repeats(cell) })
		if lost := len(rounds[cell]) - len(whole); lost > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s, %s: %s left out because a repeat is missing", arm.Server, cell.NameAmong(s.cells), textfmt.Count(lost, "round")))
		}
		for _, metric := range MetricsOf(arm.Run.Rows) {
			if metric.AtRest == atRest(whole) && !metric.missing(flat(whole)) {
				s.fill(arm, cell, metric, whole)
			}
		}
	}
	slices.Sort(s.notes)
	return s
}

func flat(rounds map[replicate][]*results.Row) []results.Row {
	var all []results.Row
	for _, rows := range rounds {
		for _, row := range rows {
			all = append(all, *row)
		}
	}
	return all
}

// atRest reports whether the rounds are of an idle phase.
func atRest(rounds map[replicate][]*results.Row) bool {
	for _, rows := range rounds {
		if len(rows) > 0 {
			return rows[0].AtRest()
		}
	}
	return false
}

// fill adds a metric's figures. If figures are missing, one note gives the reason of the first.
func (s *sample) fill(arm Arm, cell Cell, metric Metric, rounds map[replicate][]*results.Row) {
	values, cut, failed := map[replicate]float64{}, map[replicate]*windows{}, 0
	var why error
	for _, u := range slices.SortedFunc(maps.Keys(rounds), byTime) {
		if metric.isOpen(rounds[u]) {
			s.leaveOpen(cell, metric, u)
			continue
		}
		value, err := Figure(arm.Run, rounds[u], metric)
		if err == nil && !supported(rounds[u], metric) {
			s.withhold(cell, metric)
			continue
		}
		if err != nil {
			why, failed = cmp.Or(why, err), failed+1
			continue
		}
		values[u] = value
		if w := windowsOf(arm.Run, rounds[u], metric); w != nil {
			cut[u] = w
		}
	}
	if failed > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s, %s: no %s in %s: %v", arm.Server, cell.NameAmong(s.cells), metric.Title, textfmt.Count(failed, "round"), why))
	}
	if s.values[cell] == nil {
		s.values[cell], s.windows[cell] = map[string]map[replicate]float64{}, map[string]map[replicate]*windows{}
	}
	s.values[cell][metric.Name], s.windows[cell][metric.Name] = values, cut
}

func (s *sample) leaveOpen(cell Cell, metric Metric, u replicate) {
	if s.open[cell] == nil {
		s.open[cell] = map[string][]replicate{}
	}
	s.open[cell][metric.Name] = append(s.open[cell][metric.Name], u)
}

// supported reports whether enough operations lie beyond the percentile that it does not depend on chance.
func supported(rows []*results.Row, metric Metric) bool {
	operations := int64(0)
	for _, row := range rows {
		operations += row.Ops.Value
	}
	return metric.Percentile == 0 || measure.Supported(operations, metric.Percentile)
}

// withhold notes an unsupported percentile once, with the same text for every server.
func (s *sample) withhold(cell Cell, metric Metric) {
	note := fmt.Sprintf("%s: no %s for rounds with fewer than ten operations beyond it", cell.Operation, metric.Title)
	if !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
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
		return 0, errors.New("there is no figure")
	case value <= 0:
		return 0, fmt.Errorf("%g has no ratio", value)
	}
	return value, nil
}
