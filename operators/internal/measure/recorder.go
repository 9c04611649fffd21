package measure

import (
	"fmt"
	"time"
)

// Recorder keeps a running load's intervals in bounded memory. When there are more than twice MaxIntervals pieces, it joins them in pairs.
// Counts stay exact. The zero value is ready for use.
type Recorder struct {
	intervals []Interval
	// pieces is the number of distinct starts among the intervals.
	pieces int
	// step is the length of a piece after the first join; 0 before.
	step time.Duration
}

// Add adds an interval; intervals come in the order of their start.
func (r *Recorder) Add(iv Interval) error {
	r.append(iv)
	if r.pieces <= 2*MaxIntervals {
		return nil
	}
	if r.step == 0 {
		r.step = stepOf(&Log{Intervals: r.intervals})
	}
	// Recent intervals are not joined yet. Pieces grow only if joining those is not enough.
	if err := r.join(); err != nil || r.pieces <= MaxIntervals {
		return err
	}
	r.step *= 2
	return r.join()
}

// Log returns what was recorded so far, in pieces of one length.
func (r *Recorder) Log() (*Log, error) {
	if r.step > 0 {
		if err := r.join(); err != nil {
			return nil, err
		}
	}
	return NewLog(append([]Interval(nil), r.intervals...)), nil
}

func (r *Recorder) append(iv Interval) {
	if n := len(r.intervals); n == 0 || !iv.Start.Equal(r.intervals[n-1].Start) {
		r.pieces++
	}
	r.intervals = append(r.intervals, iv)
}

// join adds up the intervals in each piece of a grid that begins with the log. Doubling the grid keeps every second line, so that joined
// intervals never cross a line.
func (r *Recorder) join() error {
	if r.step <= 0 {
		return nil // intervals without a length give no grid
	}
	sorted := NewLog(r.intervals) // a clock that was set back leaves them unsorted
	if long := sorted.End.Sub(sorted.Start); long/r.step > maxCells {
		return fmt.Errorf("the log's intervals are some %s long and cover %s, which is more than %d intervals; its times contradict each other", r.step, long, maxCells)
	}
	var cells []span
	for at := sorted.Start; at.Before(sorted.End); at = at.Add(r.step) {
		cells = append(cells, span{at, earliest(at.Add(r.step), sorted.End)})
	}
	l, err := regroup(sorted.Intervals, cells)
	if err != nil {
		return err
	}
	r.intervals, r.pieces = nil, 0
	for _, iv := range l.Intervals {
		r.append(iv)
	}
	return nil
}
