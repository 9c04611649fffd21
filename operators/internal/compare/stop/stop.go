// Package stop says when a run that decides its own length has measured enough: when it is as precise as was asked for, or its
// time is up. It is pure; whoever runs the rounds asks it after each of them.
//
// Stopping where the intervals happen to be narrow prefers spreads that were underestimated, so the intervals of such a run hold
// the truth less often than they say (Chow and Robbins, Annals of Mathematical Statistics 36, 1965, have it for large samples
// only). LeastRounds is chosen by simulation such that they hold it in 93 to 97 of 100 runs nevertheless: package simulate, whose
// tests run whole experiments with this rule on.
package stop

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// LeastRounds before which no run stops by itself, neither for its precision nor for its time. In 2,000 simulated runs whose noise
// asks for some 23 rounds, intervals held the truth in 91.3% where three were the least, in 92.4% for five, 93.2% for eight and
// 94.1% for twelve; over all kinds of noise it is 94.1 to 96.0% for twelve.
const LeastRounds = 12

// Rule of a run that stops by itself.
type Rule struct {
	// Precision is the half-width that the primary intervals are to have: 0.03 is 3%. Between 0 and 1, both excluded.
	Precision float64
	// Budget is the time that the rounds may take.
	Budget time.Duration
	// LeastRounds before which the run goes on whatever else; the package's when 0, and never fewer than ratio.MinRounds.
	LeastRounds int
}

// Check rejects a rule that stops never, or before anything can be known; round is how long one takes, 0 where nobody knows.
func (r Rule) Check(round time.Duration) error {
	switch {
	case !(r.Precision > 0 && r.Precision < 1): // NaN too
		return fmt.Errorf("PRECISION is %g%%, and no run gets there: use a share above 0%% and below 100%%, as in 3%%", 100*r.Precision)
	case r.Budget <= 0:
		return fmt.Errorf("BUDGET is %s: use the time that the rounds may take, as in 20m", r.Budget)
	case r.LeastRounds != 0 && r.LeastRounds < ratio.MinRounds:
		return fmt.Errorf("the least number of rounds is %d: the spread between rounds cannot be known from fewer than %d", r.LeastRounds, ratio.MinRounds)
	case round > 0 && r.Budget < time.Duration(r.least())*round:
		return fmt.Errorf("BUDGET is %s, and the %d rounds that are the least take %s: use that or more", r.Budget, r.least(), time.Duration(r.least())*round)
	}
	return nil
}

func (r Rule) least() int {
	if r.LeastRounds == 0 {
		return LeastRounds
	}
	return r.LeastRounds
}

// Sample is what is known so far of one server against the baseline, by the primary metric of one load.
type Sample struct {
	// Server and Load name it in what the decision says.
	Server, Load string
	// Logs are the log ratios of the rounds that both have, or of their pieces, grouped by installation.
	Logs [][]float64
	// Rounds that both have; as many as there are logs when 0.
	Rounds int
	// Method as the comparison will use for the metric.
	Method ratio.Method
	// AA marks an A/A arm: its interval is not corrected, and must be as narrow.
	AA bool
}

// Reason to stop.
type Reason string

// Reasons.
const (
	// GoOn is no reason.
	GoOn Reason = ""
	// Precise: every primary interval is as narrow as was asked for.
	Precise Reason = "precise"
	// TimeIsUp: the budget is used.
	TimeIsUp Reason = "time is up"
)

// Decision after a round.
type Decision struct {
	Reason Reason
	// Rounds that every server has.
	Rounds int
	// Widest half-width of the primary intervals, on the logarithmic scale; NaN while one is not known.
	Widest float64
	// At is the server and the load that have it.
	At string
}

// Stop reports whether the run ends here.
func (d Decision) Stop() bool { return d.Reason != GoOn }

// Decide whether a run has measured enough, after used of its budget. The intervals are those of the comparison, corrected for the
// number of servers under each load, but never adjusted for the machine's speed: where that narrows them, the run goes on for longer than it
// had to, and the rule stays the one that was simulated. Without a sample it goes on: then nothing was measured.
func Decide(samples []Sample, rule Rule, used time.Duration) Decision {
	d := Decision{Rounds: rounds(samples)}
	d.Widest, d.At = widest(samples)
	switch {
	case len(samples) == 0 || d.Rounds < rule.least():
	case d.Widest <= math.Log1p(rule.Precision):
		d.Reason = Precise
	case used >= rule.Budget:
		d.Reason = TimeIsUp
	}
	return d
}

// rounds that every sample has.
func rounds(samples []Sample) int {
	least := math.MaxInt
	for _, sample := range samples {
		n := 0
		for _, logs := range sample.Logs {
			n += len(logs)
		}
		if sample.Rounds > 0 {
			n = sample.Rounds
		}
		least = min(least, n)
	}
	if len(samples) == 0 {
		return 0
	}
	return least
}

// widest half-width, and where; the first that is not known is wider than all. Differences are as wide as their unit makes them, which is no share
// of anything: they are passed over, and where there is nothing else nothing is precise.
func widest(samples []Sample) (halfWidth float64, at string) {
	for _, family := range families(samples) {
		if family[0].Method == ratio.Difference {
			continue
		}
		estimates := make([]ratio.Estimate, len(family))
		for i, sample := range family {
			estimates[i] = ratio.SpreadOf(sample.Logs, sample.Method)
		}
		for i, width := range ratio.HalfWidths(estimates) {
			place := family[i].Server + ", " + family[i].Load
			if math.IsNaN(width) {
				return width, place
			}
			if at == "" || width > halfWidth {
				halfWidth, at = width, place
			}
		}
	}
	if at == "" && len(samples) > 0 {
		return math.NaN(), samples[0].Server + ", " + samples[0].Load
	}
	return halfWidth, at
}

// families of samples that are corrected together: the servers under one load. An A/A arm is one of its own.
func families(samples []Sample) [][]Sample {
	var families [][]Sample
	for _, sample := range samples {
		at := slices.IndexFunc(families, func(f []Sample) bool { return !sample.AA && !f[0].AA && f[0].Load == sample.Load })
		if at < 0 {
			families = append(families, nil)
			at = len(families) - 1
		}
		families[at] = append(families[at], sample)
	}
	return families
}
