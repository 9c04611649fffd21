package measure

import (
	"fmt"
	"time"
)

// Recorder keeps a running load's intervals in bounded memory, however long it runs: once there are more than twice
// MaxIntervals pieces, every two become one. Counts stay exact. The zero value is ready for use.
type Recorder struct {
	intervals []Interval
	// pieces is the number of different starts among the intervals.
	pieces int
	// step is the length of a piece once intervals were joined; 0 before.
	step time.Duration
}

// Add an interval; intervals come in the order of their start.
func (r *Recorder) Add(iv Interval) error {
	r.append(iv)
	if r.pieces <= 2*MaxIntervals {
		return nil
	}
	if r.step == 0 {
		r.step = stepOf(&Log{Intervals: r.intervals})
	}
	// What came since the last time is still as the tool wrote it; pieces grow only when joining that is not enough.
	if err := r.join(); err != nil || r.pieces <= MaxIntervals {
		return err
	}
	r.step *= 2
	return r.join()
}

// Log is what was recorded so far, in pieces of one length.
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

// join adds up what falls into the same piece of a grid that begins with the log. A doubled grid's lines are lines of the
// grid before, so that joined intervals never straddle one.
func (r *Recorder) join() error {
	if r.step <= 0 {
		return nil // a tool that writes intervals of no length gives no grid
	}
	sorted := NewLog(r.intervals) // a clock that was set back leaves them out of order
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
