package history

import (
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// History is all runs of an experiment in the order of time, with a series for each server, load and metric.
type History struct {
	Experiment string
	// Baseline is the server that the others are compared with; empty for absolute figures.
	Baseline string
	Runs     []Run
	Series   []Series
	// Breaks are the runs that measured something else than those before.
	Breaks []Break
	// Notes list, one line each, what was left out.
	Notes []string
	// Level is the probability that a history without any change has a change point in one of its judged series.
	Level float64
	// SeriesLevel is the level of each series.
	SeriesLevel float64
}

// Run is a run of the history.
type Run struct {
	ID string
	At time.Time
	// Group counts the runs that measured something else than those before: runs of one group are comparable.
	Group int
	// Facts are what the archive records of the run, by name.
	Facts map[string]string
	// Measurements is the number of finished measurements, Invalid that of those that are not valid.
	Measurements, Invalid int
}

// Break is a run from which on the runs are not comparable with those before.
type Break struct {
	// Run is the index of the run.
	Run int
	// Why names what differs.
	Why string
}

// Series is one figure of each run, of runs that are comparable.
type Series struct {
	Server string
	Cell   compare.Cell
	// Load is the load's name, unique in the history.
	Load   string
	Metric compare.Metric
	// Group is the number of the series among those of the same server, load and metric: 1 for the first comparable runs.
	Group int
	// Ended reports whether a later run of the server measured something else: the series shows what was, and its changes fail nothing.
	// Unmeasured reports that the series ended because the latest run does not have its load.
	Ended, Unmeasured bool
	// Primary marks the primary metric of the latest run or of half of them: one run with another must not end the search for changes. Judged marks a
	// series for which the level holds.
	Primary, Judged bool
	Points          []Point
	Changes         []Change
	// Missing are the indices of comparable runs in which the server or its baseline was measured without a valid figure.
	Missing []int
}

// Point is the figure of one run.
type Point struct {
	// Run is the index of the run.
	Run int
	// Value is the ratio to the baseline, the difference from it, or the absolute figure.
	Value float64
	// Low and High bound the 95% interval; NaN if it is unknown.
	Low, High float64
	// base is the figure of the baseline; of an absolute figure, itself.
	base float64
}

// Change is a run from which on a figure is different.
type Change struct {
	// Before and After are the indices of the last run before the change and of the first run after it.
	Before, After int
	// At is the index of the first point after the change.
	At int
	// Estimate is the ratio of the figures after the change to those before, up to the next changes; a difference for metrics that are compared
	// by differences.
	ratio.Estimate
	// Now is the estimate of the latest runs of the series to those before the change.
	Now ratio.Estimate
	// P is the probability of such a change by chance in this series.
	P float64
	// Worse reports whether the server is worse after the change; false if that is unresolved.
	Worse bool
	// Differs lists what the archive records differently of the two runs.
	Differs []string
	// base is the mean figure of the baseline before the change.
	base float64
	// latest marks the last change of its series: Now is its estimate.
	latest bool
}

// Word returns what a change is: faster or slower, a word of the metric, or unresolved.
func (s *Series) Word(c *Change) string {
	switch {
	case c.Unresolved():
		return string(ratio.Unresolved)
	case c.Worse && s.Metric.Worse != "":
		return s.Metric.Worse
	case c.Worse:
		return string(ratio.Slower)
	case s.Metric.Better != "":
		return s.Metric.Better
	}
	return string(ratio.Faster)
}

// Verdict returns slower or faster, whatever the metric's words are, or unresolved.
func (s *Series) Verdict(c *Change) ratio.Verdict { return s.verdict(c.Estimate) }

func (s *Series) verdict(e ratio.Estimate) ratio.Verdict {
	switch {
	case e.Known() && !e.Differs():
		return ratio.Unresolved
	case (e.Ratio < e.Equal()) == s.Metric.HigherIsBetter:
		return ratio.Slower
	}
	return ratio.Faster
}

// Unresolved reports whether the mean may be as it was before, because something else changed, such as how far the runs differ: E-divisive finds
// any change of a distribution.
func (c *Change) Unresolved() bool { return c.Known() && !c.Estimate.Differs() }

// beyond reports whether a figure is larger than a share: of the figure before the change, or, for a difference, of the baseline's figure.
func (c *Change) beyond(figure, share float64) bool {
	if c.Difference {
		return !(math.Abs(figure) <= share*c.base)
	}
	return figure > 1+share || figure < 1-share
}

// Stands reports whether the latest runs are slower (or faster) than those before a change by more than a share. It is asked of each change, so the
// latest runs are compared with every segment before them, and so with the best: of many small steps, each is below the share. A change in the other
// direction does not stand, and no change does that a later one undid.
func (s *Series) Stands(c *Change, kind ratio.Verdict, share float64) bool {
	own := s.Verdict(c)
	if !c.Now.Known() { // no spread on one side: the change itself must be large, too
		return own == kind && c.beyond(c.Ratio, share) && s.verdict(c.Now) == kind && c.beyond(c.Now.Ratio, share)
	}
	return (own == kind || own == ratio.Unresolved) && s.verdict(c.Now) == kind && c.beyond(c.Now.Ratio, share)
}

// best returns the change before which the figures were the best, if the latest runs are worse than those by more than since any other change; nil if
// the last change alone is the difference.
func (s *Series) best() *Change {
	var best *Change
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Now.Known() && s.verdict(c.Now) == ratio.Slower && (best == nil || math.Abs(c.Now.Scaled(c.Now.Ratio)) > math.Abs(c.Now.Scaled(best.Now.Ratio))) {
			best = c
		}
	}
	if best == nil || best.latest {
		return nil
	}
	return best
}

// Judges reports whether a series is judged.
func (h *History) Judges() bool {
	return slices.ContainsFunc(h.Series, func(s Series) bool { return s.Judged })
}

// Unit returns the unit of the figures; empty for ratios.
func (h *History) Unit(s *Series) string {
	if h.Baseline != "" && !s.Metric.Difference {
		return ""
	}
	return s.Metric.Unit()
}

// Values returns the figures of the series on the scale on which changes are found: logarithms, or differences.
func (s *Series) Values() []float64 {
	values := make([]float64, len(s.Points))
	for i, p := range s.Points {
		values[i] = p.Value
		if !s.Metric.Difference {
			values[i] = math.Log(p.Value)
		}
	}
	return values
}

// find sets the changes of a series.
func (s *Series) find(level float64) {
	values := s.Values()
	found := Find(values, level)
	ends := []int{0}
	for _, f := range found {
		ends = append(ends, f.At)
	}
	ends = append(ends, len(values))
	method := ratio.StudentT
	if s.Metric.Difference {
		method = ratio.Difference
	}
	latest := [][]float64{s.figures(ends[len(found)], len(values))}
	for i, f := range found {
		before, after := [][]float64{s.figures(ends[i], f.At)}, [][]float64{s.figures(f.At, ends[i+2])}
		c := Change{Before: s.Points[f.At-1].Run, After: s.Points[f.At].Run, At: f.At, P: f.P,
			Estimate: ratio.Unpaired(before, after, method), Now: ratio.Unpaired(before, latest, method), base: s.base(ends[i], f.At),
			latest: i == len(found)-1}
		c.Worse = s.Verdict(&c) == ratio.Slower
		s.Changes = append(s.Changes, c)
	}
}

func (s *Series) figures(from, to int) []float64 {
	var values []float64
	for _, p := range s.Points[from:to] {
		values = append(values, p.Value)
	}
	return values
}

func (s *Series) base(from, to int) float64 {
	sum := 0.0
	for _, p := range s.Points[from:to] {
		sum += p.base
	}
	return sum / float64(to-from)
}
