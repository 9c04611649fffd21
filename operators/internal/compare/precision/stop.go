package precision

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// LeastRounds is the number of rounds before which no run stops by itself, neither for its precision nor for its time. In 2,000 simulated
// runs whose noise requires some 23 rounds, the intervals contained the truth in 91.3% with a minimum of three rounds, 92.4% with five,
// 93.2% with eight and 94.1% with twelve. Over all kinds of noise, it is 94.1 to 96.0% with twelve.
const LeastRounds = 12

// Rule is the rule of a run that stops by itself.
type Rule struct {
	// Precision is the requested half-width of the primary intervals: 0.03 is 3%. Between 0 and 1, both excluded.
	Precision float64
	// Phases has the precision of phases that have their own. Differences have no other.
	Phases map[string]ratio.Distance
	// Budget is the time that the rounds may take.
	Budget time.Duration
}

// Check rejects a rule that never stops, or that stops before anything can be known. round is the duration of a round, 0 if unknown.
func (r Rule) Check(round time.Duration) error {
	for _, phase := range slices.Sorted(maps.Keys(r.Phases)) {
		if own := r.Phases[phase]; !(own.Value > 0 && (own.Difference || own.Value < 1)) {
			use := "a share above 0% and below 100%, as in 3%"
			if own.Difference {
				use = "a time above 0s, as in 0.1s"
			}
			return fmt.Errorf("the precision of phase %s is %s, and no phase gets there: use %s", phase, own, use)
		}
	}
	switch {
	case !(r.Precision > 0 && r.Precision < 1): // NaN too
		return fmt.Errorf("PRECISION is %g%%, and no run gets there: use a share above 0%% and below 100%%, as in 3%%", 100*r.Precision)
	case r.Budget <= 0:
		return fmt.Errorf("BUDGET is %s: use the time that the rounds may take, as in 20m", r.Budget)
	case round > 0 && r.Budget < LeastRounds*round:
		return fmt.Errorf("BUDGET is %s, and the %d rounds that are the least take %s: use that or more", r.Budget, LeastRounds, LeastRounds*round)
	}
	return nil
}

// of returns the precision of a phase's ratios, or of its differences, as the half-width of an interval on the scale of estimates; false if
// it has none.
func (r Rule) of(phase string, difference bool) (half float64, has bool) {
	own, has := r.Phases[phase]
	if has && own.Difference == difference {
		return own.Scaled(), true
	}
	return math.Log1p(r.Precision), !difference
}

// Decision is the decision after a round.
type Decision struct {
	// Reason to stop: v1beta1.ReasonPrecisionReached or ReasonBudgetUsed; empty if the run continues.
	Reason string
	// Reached are the phases that need no more rounds, those that needed none before included.
	Reached []string
	// Widest is the half-width of the primary interval that is the widest in relation to the precision of its phase; NaN if one is unknown.
	Widest ratio.Distance
	// At is the server and the load of that interval.
	At string
}

// Stop reports whether the run ends here.
func (d Decision) Stop() bool { return d.Reason != "" }

// Decide decides which phases, and whether the run, have measured enough, after compared rounds that used part of its budget. before are the phases
// that had measured enough earlier: that is never taken back. The intervals are those of the comparison, corrected for the number of servers under
// each load, but not adjusted for the machine's speed: an adjustment could only end the run earlier, by a rule that was not simulated. A phase
// is measured until each server that has a figure at all has enough rounds.
func Decide(samples []compare.Sample, rule Rule, before []string, rounds int, used time.Duration) Decision {
	d := Decision{Reached: slices.Clone(before)}
	widths := widthsOf(samples, rule)
	d.Widest, d.At = widest(widths, samples)
	open := len(widths) == 0
	for _, phase := range phasesOf(widths) {
		if slices.Contains(before, phase) {
			continue
		}
		few := slices.ContainsFunc(samples, func(s compare.Sample) bool {
			return s.Phase == phase && len(slices.Concat(s.Rounds.Figures...)) < LeastRounds
		})
		wide := slices.ContainsFunc(widths, func(w width) bool { return w.phase == phase && !w.reached() })
		if few || wide {
			open = true
		} else {
			d.Reached = append(d.Reached, phase)
		}
	}
	switch {
	case !open:
		d.Reason = v1beta1.ReasonPrecisionReached
	case used >= rule.Budget && rounds >= LeastRounds:
		d.Reason = v1beta1.ReasonBudgetUsed
	}
	return d
}

// width is the half-width of an interval on the scale of estimates, NaN if unknown, next to the one that is requested of its phase.
type width struct {
	phase, at       string
	half, requested float64
	difference      bool
}

func (w width) reached() bool { return w.half <= w.requested }

// wider reports whether the interval needs more rounds than another. An unknown one needs more than all others.
func (w width) wider(other width) bool {
	if math.IsNaN(w.half) || math.IsNaN(other.half) {
		return !math.IsNaN(other.half)
	}
	return w.half*other.requested > other.half*w.requested
}

// widthsOf returns the widths of all intervals. Differences are left out if their phase has no precision in their own unit: such a phase is
// measured as long as the run lasts.
func widthsOf(samples []compare.Sample, rule Rule) []width {
	var widths []width
	for _, family := range families(samples) {
		difference := family[0].Method == ratio.Difference
		requested, has := rule.of(family[0].Phase, difference)
		if !has {
			continue
		}
		estimates := make([]ratio.Estimate, len(family))
		for i, sample := range family {
			estimates[i] = ratio.SpreadOf(sample.Rounds, sample.Method)
		}
		for i, half := range ratio.HalfWidths(estimates) {
			widths = append(widths, width{phase: family[i].Phase, at: place(family[i]), half: half, requested: requested, difference: difference})
		}
	}
	return widths
}

func place(sample compare.Sample) string { return sample.Server + ", " + sample.Load }

// widest returns the half-width that needs the most rounds, with its server and load. If there are only differences without precision, it is
// unknown.
func widest(widths []width, samples []compare.Sample) (half ratio.Distance, at string) {
	switch {
	case len(widths) == 0 && len(samples) == 0:
		return ratio.Distance{}, ""
	case len(widths) == 0:
		return ratio.Share(math.NaN()), place(samples[0])
	}
	most := widths[0]
	for _, w := range widths[1:] {
		if w.wider(most) {
			most = w
		}
	}
	return ratio.Unscaled(most.half, most.difference), most.at
}

// phasesOf returns the phases that have intervals, in their order.
func phasesOf(widths []width) []string {
	var phases []string
	for _, w := range widths {
		if !slices.Contains(phases, w.phase) {
			phases = append(phases, w.phase)
		}
	}
	return phases
}

// families groups the samples that are corrected together: the servers under one load. Each A/A arm is its own family.
func families(samples []compare.Sample) [][]compare.Sample {
	var families [][]compare.Sample
	for _, sample := range samples {
		at := slices.IndexFunc(families, func(f []compare.Sample) bool { return !sample.AA && !f[0].AA && f[0].Load == sample.Load })
		if at < 0 {
			families = append(families, nil)
			at = len(families) - 1
		}
		families[at] = append(families[at], sample)
	}
	return families
}
