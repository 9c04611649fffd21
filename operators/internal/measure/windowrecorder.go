package measure

// WindowRecorder keeps one server's windows of an interleaved load in bounded memory. When there are twice MaxIntervals pieces, it joins
// them in pairs. Counts and rates stay exact. The zero value is ready for use.
type WindowRecorder struct {
	// pieces has count pieces of per windows each; next has the windows of the incomplete next piece
	pieces []Interval
	count  int
	next   []Interval
	inNext int
	per    int
	// counters of the pieces, and of the windows of the next piece
	counters, nextCounters []Counters
}

// Add adds an interval; intervals come in the order of their start.
func (r *WindowRecorder) Add(iv Interval) error {
	r.per = max(r.per, 1)
	if n := len(r.next); n == 0 || !iv.Start.Equal(r.next[n-1].Start) {
		if r.inNext == r.per {
			if err := r.complete(); err != nil {
				return err
			}
		}
		r.inNext++
	}
	r.next = append(r.next, iv)
	return nil
}

// AddCounters adds the counters of the last added window.
func (r *WindowRecorder) AddCounters(c Counters) { r.nextCounters = append(r.nextCounters, c) }

// Log returns what was recorded so far.
func (r *WindowRecorder) Log() (*Log, error) {
	last, err := joinWindows(r.next, max(r.per, 1))
	if err != nil {
		return nil, err
	}
	l := windowedLog(append(append([]Interval(nil), r.pieces...), last...))
	l.Counters = joinCounters(append(append([]Counters(nil), r.counters...), r.nextCounters...), l.Intervals)
	return l, nil
}

// complete adds the next piece, and joins pieces if there are too many.
func (r *WindowRecorder) complete() error {
	piece, err := joinWindows(r.next, r.per)
	if err != nil {
		return err
	}
	r.pieces, r.next, r.inNext = append(r.pieces, piece...), nil, 0
	r.counters, r.nextCounters = append(r.counters, joinCounters(r.nextCounters, piece)...), nil
	if r.count++; r.count < 2*MaxIntervals {
		return nil
	}
	if r.pieces, err = joinWindows(r.pieces, 2); err != nil {
		return err
	}
	r.counters = joinCounters(r.counters, r.pieces)
	r.count, r.per = r.count/2, 2*r.per
	return nil
}
