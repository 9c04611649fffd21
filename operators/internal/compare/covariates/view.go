package covariates

import (
	"math"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// perSecond ends the names of covariates that are rates.
const perSecond = "/s"

// ofOperations reports whether a counter counts the operations themselves, or is what the metric is made of. Such counters go with the metric by
// what they are, not because they disturb it.
func ofOperations(counter string, metric compare.Metric) bool {
	switch counter {
	case measure.CPUServerCounter, measure.CPUGroupCounter("request"), measure.CPUGroupCounter("messaging"), measure.SwitchCounter, measure.PutBytesCounter, measure.GotBytesCounter:
		return true
	case measure.CPUCounter:
		_, cost := results.CounterOf(metric.Name)
		return cost
	}
	return false
}

// addRates adds the counters per second.
func (v view) addRates(counters map[string]int64, seconds float64, metric compare.Metric) {
	for name, value := range counters {
		if !ofOperations(name, metric) {
			v.next[name+perSecond] = float64(value) / seconds
		}
	}
	if _, known := counters[measure.CPUCounter]; known && len(measure.CPUGroups(counters)) > 0 {
		// Among them are the threads that compact and flush.
		v.next[measure.CPUGroupCounter(measure.CPUOther)+perSecond] = float64(measure.CPUNanos(counters, measure.CPUOther)) / seconds
	}
}

// whole returns the view of a whole measurement.
func whole(run *archive.Run, row *results.Row, metric compare.Metric) view {
	v := view{math.NaN(), map[string]float64{}}
	if figure, known := compare.FigureOf(run, row, metric); known {
		v.figure = figure
	}
	m, seconds := run.Measurements[row.Measurement], row.OperationTime.Value.Seconds()
	if m == nil || m.Status.Result == nil || seconds <= 0 {
		return v
	}
	result := m.Status.Result
	if cpu := result.StoreCPU; cpu != nil && cpu.Windows > 0 {
		known := seconds * float64(cpu.Windows) / float64(cpu.Windows+cpu.UnknownWindows)
		v.addRates(cpu.Counters, known, metric)
	}
	if io := result.StoreIO; io != nil {
		v.add(measure.WrittenBytesCounter+perSecond, io.WrittenBytes, 1/seconds)
		v.add(measure.ReadBytesCounter+perSecond, io.ReadBytes, 1/seconds)
		v.add(measure.DiskBytesSize, io.DiskBytes, 1)
	}
	v.add(measure.PendingCompactionsSize, result.PendingCompactions, 1)
	for i := range m.Status.Parts {
		part := &m.Status.Parts[i]
		v.add("load_cpu", part.CPUUsedPermille, 1)
		v.add("load_wait", part.CPUWaitedPermille, 1)
		v.add("load_throttled", &part.ThrottledMillis, 1)
	}
	return v
}

// add adds a figure if it is known. Those of several load pods add up.
func (v view) add(name string, figure *int64, factor float64) {
	if figure != nil {
		v.next[name] += float64(*figure) * factor
	}
}

// windows returns the views of a measurement's windows; none without the store's counters, whose lines also have the operations. The figure is unknown
// in a window without counters, and for metrics that windows do not have.
func windows(run *archive.Run, row *results.Row, metric compare.Metric) []view {
	log := run.Logs[row.Measurement]
	if log == nil {
		return nil
	}
	var views []view
	for _, c := range log.Counters {
		v := view{math.NaN(), map[string]float64{}}
		if seconds := c.End.Sub(c.Start).Seconds(); c.Unknown == 0 && seconds > 0 {
			v.figure = figureIn(c, seconds, metric)
			v.addRates(c.Values, seconds, metric)
		}
		views = append(views, v)
	}
	return views
}

func figureIn(c measure.Counters, seconds float64, metric compare.Metric) float64 {
	counter, cost := results.CounterOf(metric.Name)
	value, known := c.Values[counter]
	switch {
	case metric.Name == "op_rate":
		return float64(c.Operations) / seconds
	case cost && known && c.Operations > 0:
		return float64(value) / float64(c.Operations)
	}
	return math.NaN()
}
