package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// windowedLog returns a log of a server's windows in an interleaved load.
func windowedLog(intervals []Interval) *Log {
	l := NewLog(intervals)
	l.Windowed = true
	return l
}

// windowsOf returns the windows of sorted intervals: those of several tags with the same start are one window.
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

// Length returns the time by which a rate of the log's operations is computed. It excludes the time between windows.
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

// joinWindows joins every k consecutive windows to one. It starts with the first, and its length is the sum of theirs, without the time
// between them, so that the rate stays the same. No window is split or dropped.
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
