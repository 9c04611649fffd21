package measure

import (
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// shifted returns the log with all times moved by a duration.
func (l *Log) shifted(by time.Duration) *Log {
	if by == 0 {
		return l
	}
	out := &Log{Start: l.Start.Add(by), End: l.End.Add(by), Windowed: l.Windowed, counted: l.counted, Intervals: make([]Interval, len(l.Intervals))}
	for i, iv := range l.Intervals {
		iv.Start, iv.End = iv.Start.Add(by), iv.End.Add(by)
		out.Intervals[i] = iv
	}
	return out
}

// commonOf returns the part of the merged log in which all logs ran. Before the last one started and after the first one ended, the store
// had less than the intended load. It is nil for a single log, and if the logs have no whole piece of time in common.
func commonOf(merged *Log, logs []*Log) (*Log, error) {
	if len(logs) < 2 {
		return nil, nil
	}
	all := span{logs[0].Start, logs[0].End}
	for _, l := range logs[1:] {
		all.start, all.end = latest(all.start, l.Start), earliest(all.end, l.End)
	}
	cells, err := timeline(merged)
	if err != nil {
		return nil, err
	}
	// A timer's jitter must not move a piece out of the common part.
	jitter := stepOf(merged) / 10
	from, to := len(cells), 0
	for i, cell := range cells {
		if !cell.start.Add(jitter).Before(all.start) && !cell.end.Add(-jitter).After(all.end) {
			from, to = min(from, i), i+1
		}
	}
	if from >= to {
		return nil, nil
	}
	window := hull(cells[from], cells[to-1])
	common := &Log{Start: window.start, End: window.end}
	for _, iv := range merged.Intervals {
		if at := cellAt(cells, spanOf(iv).middle()); at >= from && at < to {
			common.Intervals = append(common.Intervals, iv)
		}
	}
	if common.OperationCount() == 0 {
		return nil, nil
	}
	return common, nil
}

// timedPart returns the part of a merged log whose latencies count: the common part and, at a constant rate, also everything after it.
// Those operations were due earlier and are late, if only because the node of one load pod stalled.
func timedPart(merged, common *Log) *Log {
	if !slices.Contains(merged.Kinds(), v1beta1.LatencyResponse) {
		return common
	}
	timed := &Log{Start: common.Start, End: merged.End, Intervals: slices.Clone(common.Intervals)}
	for _, iv := range merged.Intervals {
		if !iv.Start.Before(common.End) {
			timed.Intervals = append(timed.Intervals, iv)
		}
	}
	return timed
}
