package measure

import (
	"cmp"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Interval holds the values of one tag that were recorded from Start to End.
type Interval struct {
	Start, End time.Time
	Tag        Tag
	Histogram  *hdrhistogram.PackedHistogram
}

// Log is what a load tool recorded from Start to End. Intervals are sorted by start; a time without answers has none.
type Log struct {
	Start, End time.Time
	Intervals  []Interval
	// Windowed reports that the load was elsewhere between the intervals, so that only they count as time. An interval's length is the time
	// that its operations took; for joined intervals, the sum.
	Windowed bool
	// Contradiction describes what is inconsistent in the log; empty if nothing is.
	Contradiction string
	// Counters of the store in a windowed log's intervals, in order; empty if the store does not report them.
	Counters []Counters
	// counted is the number of operations of a log's outline, whose intervals have no values
	counted *int64
}

// NewLog sorts intervals and derives the log's time from them.
func NewLog(intervals []Interval) *Log {
	l := &Log{Intervals: intervals}
	slices.SortStableFunc(l.Intervals, func(a, b Interval) int {
		return cmp.Or(a.Start.Compare(b.Start), compareTags(a.Tag, b.Tag))
	})
	for i, iv := range l.Intervals {
		if i == 0 || iv.Start.Before(l.Start) {
			l.Start = iv.Start
		}
		if i == 0 || iv.End.After(l.End) {
			l.End = iv.End
		}
	}
	return l
}

func compareTags(a, b Tag) int {
	return cmp.Or(cmp.Compare(a.Arm, b.Arm), cmp.Compare(a.Operation, b.Operation), cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)))
}

func kindRank(k v1beta1.LatencyKind) int {
	for i, t := range tagSuffixes {
		if t.kind == k {
			return i
		}
	}
	return len(tagSuffixes)
}

// Kinds returns the latency kinds in the log: service, response, wait.
func (l *Log) Kinds() []v1beta1.LatencyKind {
	var kinds []v1beta1.LatencyKind
	for _, t := range tagSuffixes {
		if t.kind != Failed && slices.ContainsFunc(l.Intervals, func(iv Interval) bool { return iv.Tag.Kind == t.kind }) {
			kinds = append(kinds, t.kind)
		}
	}
	return kinds
}

// Operations returns the operations in the log's tags, sorted.
func (l *Log) Operations() []string {
	var names []string
	for _, iv := range l.Intervals {
		names = append(names, iv.Tag.Operation)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Total merges all intervals of the kinds, over all operations.
func (l *Log) Total(kinds ...v1beta1.LatencyKind) (*hdrhistogram.PackedHistogram, error) {
	var parts []*hdrhistogram.PackedHistogram
	for _, iv := range l.Intervals {
		if slices.Contains(kinds, iv.Tag.Kind) {
			parts = append(parts, iv.Histogram)
		}
	}
	return Combine(parts...)
}

// Count returns the number of values of a kind.
func (l *Log) Count(kind v1beta1.LatencyKind) int64 {
	var n int64
	for _, iv := range l.Intervals {
		if iv.Tag.Kind == kind {
			n += iv.Histogram.TotalCount()
		}
	}
	return n
}

// countedKind returns the kind that counts operations: service times or, in a load without them, response times.
func (l *Log) countedKind() v1beta1.LatencyKind {
	if kinds := l.Kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	return v1beta1.LatencyService
}

// OperationCount returns the number of operations in the log, including failed ones if the tool records them.
func (l *Log) OperationCount() int64 {
	if l.counted != nil {
		return *l.counted
	}
	return l.Count(l.countedKind())
}
