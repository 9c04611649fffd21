package measure

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// MaxIntervals is the most intervals per tag that are stored. An interval's compressed histogram takes one to three kilobytes, and an
// object in etcd holds about one megabyte. Further intervals are joined, never dropped.
const MaxIntervals = 300

// maxCells is the most pieces of a time line: more than a day in steps of 100 ms. The times of a log that needs more contradict each other,
// such as two intervals of a nanosecond a year apart, and its time line would fill the memory.
const maxCells = 1_000_000

// span is a piece of time, [start, end).
type span struct{ start, end time.Time }

func (s span) middle() time.Time       { return s.start.Add(s.end.Sub(s.start) / 2) }
func (s span) length() time.Duration   { return s.end.Sub(s.start) }
func spanOf(iv Interval) span          { return span{iv.Start, iv.End} }
func hull(first, last span) (all span) { return span{first.start, last.end} }

// timeline splits a log's time into equally long pieces: its own intervals, and pieces of the same length during gaps without answers. Only
// the last piece may be shorter.
//
// Intervals of several tags over the same time are one piece.
func timeline(l *Log) ([]span, error) {
	if l.Windowed {
		return windowsOf(l.Intervals), nil
	}
	step := stepOf(l)
	var cells []span
	var err error
	for _, iv := range l.Intervals {
		s := spanOf(iv)
		if n := len(cells); n > 0 {
			last := &cells[n-1]
			if s.middle().Before(last.end) || s == *last {
				continue
			}
			cells, err = fill(cells, last.end, s.start, step)
		} else {
			cells, err = fill(cells, l.Start, s.start, step)
		}
		if err != nil {
			return nil, err
		}
		cells = append(cells, s)
	}
	if n := len(cells); n > 0 {
		return fill(cells, cells[n-1].end, l.End, step)
	}
	return cells, nil
}

// fill appends pieces of about the given length for a gap without intervals. A gap shorter than half a piece is due to the timer's jitter.
func fill(cells []span, from, to time.Time, step time.Duration) ([]span, error) {
	gap := to.Sub(from)
	if step <= 0 || gap < step-step/2 {
		return cells, nil
	}
	n := gap / step
	if gap%step >= step-step/2 {
		n++
	}
	if int64(n) > maxCells-int64(len(cells)) {
		return nil, fmt.Errorf("the log's intervals are some %s long and leave a gap of %s, which is more than %d intervals; its times contradict each other", step, gap, maxCells)
	}
	// This is gap*i/n without the product, which overflows.
	bound := func(i time.Duration) time.Time { return from.Add(gap/n*i + gap%n*i/n) }
	for i := range n {
		cells = append(cells, span{start: bound(i), end: bound(i + 1)})
	}
	return cells, nil
}

// stepOf returns the median length of a log's intervals: the configured length of the tool, independent of the last interval.
func stepOf(l *Log) time.Duration {
	if len(l.Intervals) == 0 {
		return 0
	}
	lengths := make([]time.Duration, len(l.Intervals))
	for i, iv := range l.Intervals {
		lengths[i] = spanOf(iv).length()
	}
	slices.Sort(lengths)
	return lengths[len(lengths)/2]
}

// cellAt returns the index of the piece that contains t: the last that does not begin after it.
func cellAt(cells []span, t time.Time) int {
	i := sort.Search(len(cells), func(i int) bool { return cells[i].start.After(t) })
	return max(i-1, 0)
}

// regroup adds up the intervals whose middle lies in the same piece, tag by tag. No interval is split or dropped, so all counts are exact.
func regroup(intervals []Interval, cells []span) (*Log, error) {
	if len(cells) == 0 {
		if len(intervals) > 0 {
			return nil, errors.New("intervals without a time line")
		}
		return &Log{}, nil
	}
	sums := regrouping{}
	if err := sums.add(intervals, cells); err != nil {
		return nil, err
	}
	return sums.log(cells), nil
}

// slot is a piece of a time line and a tag.
type slot struct {
	cell int
	tag  Tag
}

// regrouping holds the sums of all intervals so far.
type regrouping map[slot]*hdrhistogram.PackedHistogram

func (r regrouping) add(intervals []Interval, cells []span) error {
	grouped := map[slot][]*hdrhistogram.PackedHistogram{}
	for _, iv := range intervals {
		s := slot{cellAt(cells, spanOf(iv).middle()), iv.Tag}
		grouped[s] = append(grouped[s], iv.Histogram)
	}
	for s, parts := range grouped {
		sum, err := Combine(append(parts, r[s])...)
		if err != nil {
			return err
		}
		r[s] = sum
	}
	return nil
}

func (r regrouping) log(cells []span) *Log {
	merged := make([]Interval, 0, len(r))
	for s, sum := range r {
		merged = append(merged, Interval{Start: cells[s.cell].start, End: cells[s.cell].end, Tag: s.tag, Histogram: sum})
	}
	l := NewLog(merged)
	window := hull(cells[0], cells[len(cells)-1])
	l.Start, l.End = window.start, window.end
	return l
}

// Merge adds up the logs of load pods that ran together, on the time line of the log with the longest intervals, extended to cover the
// others. An interval of another log is added to the piece that contains its middle, as a whole. Counts are exact; an operation is shown at
// most half an interval off.
func Merge(logs ...*Log) (*Log, error) {
	return merge(logs, func(i int) (*Log, error) { return logs[i], nil })
}

// merge merges logs with known outlines. It reads the whole logs of outlines one by one, and keeps none. All others are added up together, which
// copies the sums once.
func merge(outlines []*Log, whole func(i int) (*Log, error)) (*Log, error) {
	var reference *Log
	var only, several int
	var window span
	for i, l := range outlines {
		if l == nil || len(l.Intervals) == 0 {
			continue
		}
		if reference == nil {
			window = span{l.Start, l.End}
		}
		window.start = earliest(window.start, l.Start)
		window.end = latest(window.end, l.End)
		if reference == nil || longer(l, reference) {
			reference = l
		}
		only, several = i, several+1
	}
	if reference == nil {
		return &Log{}, nil
	}
	if reference.Windowed {
		if several > 1 {
			return nil, errors.New("logs of interleaved loads cannot be merged; use one load pod")
		}
		return whole(only)
	}
	step := stepOf(reference)
	middle, err := timeline(reference)
	if err != nil {
		return nil, err
	}
	cells, err := fill(nil, window.start, middle[0].start, step)
	if err != nil {
		return nil, err
	}
	cells = append(cells, middle...)
	if cells, err = fill(cells, cells[len(cells)-1].end, window.end, step); err != nil {
		return nil, err
	}
	// Jitter at both ends belongs to the outer pieces.
	cells[0].start = window.start
	cells[len(cells)-1].end = window.end
	sums := regrouping{}
	var known []Interval
	for i, l := range outlines {
		if l == nil || len(l.Intervals) == 0 {
			continue
		}
		if l.counted == nil {
			known = append(known, l.Intervals...)
			continue
		}
		log, err := whole(i)
		if err != nil {
			return nil, err
		}
		if err := sums.add(log.Intervals, cells); err != nil {
			return nil, err
		}
	}
	if err := sums.add(known, cells); err != nil {
		return nil, err
	}
	return sums.log(cells), nil
}

// longer reports whether a is the better time line: the one with longer intervals, then with more of them, then the earlier.
func longer(a, b *Log) bool {
	if sa, sb := stepOf(a), stepOf(b); sa != sb {
		return sa > sb
	}
	if len(a.Intervals) != len(b.Intervals) {
		return len(a.Intervals) > len(b.Intervals)
	}
	return a.Start.Before(b.Start)
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Coalesce joins adjacent intervals so that each tag has at most most of them. Every k intervals become one, for the least sufficient k, so
// that the pieces stay equally long. Counts are exact. A log that is short enough is returned unchanged.
func Coalesce(l *Log, most int) (*Log, error) {
	if most < 1 {
		return nil, fmt.Errorf("cannot coalesce a log to %d intervals", most)
	}
	cells, err := timeline(l)
	if err != nil {
		return nil, err
	}
	k := (len(cells) + most - 1) / most
	if k <= 1 {
		return l, nil
	}
	if l.Windowed {
		intervals, err := joinWindows(l.Intervals, k)
		if err != nil {
			return nil, err
		}
		joined := windowedLog(intervals)
		joined.Counters = joinCounters(l.Counters, joined.Intervals)
		return joined, nil
	}
	joined := make([]span, 0, most)
	for group := range slices.Chunk(cells, k) {
		joined = append(joined, hull(group[0], group[len(group)-1]))
	}
	return regroup(l.Intervals, joined)
}

// Middle removes the first and the last tenth of a log's pieces: of n pieces, floor(n/10) at either end, so none if there are fewer than
// ten. This matches cassandra-stress's "averages from the middle 80% of values", except that the tool averages the percentiles of its
// intervals, while they are read from the merged histogram here.
func Middle(l *Log) (*Log, error) {
	cells, err := timeline(l)
	if err != nil {
		return nil, err
	}
	cut := len(cells) / 10
	if cut == 0 {
		return l, nil
	}
	kept := cells[cut : len(cells)-cut]
	window := hull(kept[0], kept[len(kept)-1])
	m := &Log{Start: window.start, End: window.end, Windowed: l.Windowed}
	for _, iv := range l.Intervals {
		if at := cellAt(cells, spanOf(iv).middle()); at >= cut && at < len(cells)-cut {
			m.Intervals = append(m.Intervals, iv)
		}
	}
	return m, nil
}

// Cell is one piece of a log's time line. Histogram is nil if nothing was answered.
type Cell struct {
	Start, End time.Time
	Histogram  *hdrhistogram.PackedHistogram
}

// Cells returns the equally long pieces of a log's time with the values of one kind, over all operations. The last may be shorter.
func Cells(l *Log, kind v1beta1.LatencyKind) ([]Cell, error) {
	spans, err := timeline(l)
	if err != nil {
		return nil, err
	}
	parts := make([][]*hdrhistogram.PackedHistogram, len(spans))
	for _, iv := range l.Intervals {
		if iv.Tag.Kind == kind {
			at := cellAt(spans, spanOf(iv).middle())
			parts[at] = append(parts[at], iv.Histogram)
		}
	}
	cells := make([]Cell, len(spans))
	for i, s := range spans {
		cells[i] = Cell{Start: s.start, End: s.end}
		if len(parts[i]) == 0 {
			continue
		}
		sum, err := Combine(parts[i]...)
		if err != nil {
			return nil, err
		}
		cells[i].Histogram = sum
	}
	return cells, nil
}
