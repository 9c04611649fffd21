package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// windowedLog of intervals that are a server's windows in a load that goes round among several.
func windowedLog(intervals []Interval) *Log {
	l := NewLog(intervals)
	l.Windowed = true
	return l
}

// windowsOf the intervals, which are in order: those of several tags that begin together are one window.
func windowsOf(intervals []Interval) []span {
	var windows []span
	for _, iv := range intervals {
		if n := len(windows); n > 0 && iv.Start.Equal(windows[n-1].start) {
			windows[n-1].end = latest(windows[n-1].end, iv.End)
			continue
		}
		windows = append(windows, spanOf(iv))
	}
	return windows
}

// Length of the log: the time over which its operations are a rate. What lies between a windowed log's windows counts nowhere.
func (l *Log) Length() time.Duration {
	if !l.Windowed {
		return l.End.Sub(l.Start)
	}
	var sum time.Duration
	for _, window := range windowsOf(l.Intervals) {
		sum += window.length()
	}
	return sum
}

// joinWindows makes one of every k windows that follow each other. It begins where the first of them does and is as long as all of them
// together, without what lay between them: its operations over its length stay the rate. No window is split or dropped.
func joinWindows(intervals []Interval, k int) ([]Interval, error) {
	type piece struct {
		span
		parts map[Tag][]*hdrhistogram.PackedHistogram
	}
	windows := windowsOf(intervals)
	pieces := make([]piece, (len(windows)+k-1)/k)
	for i, window := range windows {
		p := &pieces[i/k]
		if i%k == 0 {
			*p = piece{span: window, parts: map[Tag][]*hdrhistogram.PackedHistogram{}}
			continue
		}
		p.end = p.end.Add(window.length())
	}
	at := -1
	for i, iv := range intervals {
		if i == 0 || !iv.Start.Equal(intervals[i-1].Start) {
			at++
		}
		parts := pieces[at/k].parts
		parts[iv.Tag] = append(parts[iv.Tag], iv.Histogram)
	}
	var joined []Interval
	for _, p := range pieces {
		for tag, parts := range p.parts {
			sum, err := Combine(parts...)
			if err != nil {
				return nil, err
			}
			joined = append(joined, Interval{Start: p.start, End: p.end, Tag: tag, Histogram: sum})
		}
	}
	return NewLog(joined).Intervals, nil
}
