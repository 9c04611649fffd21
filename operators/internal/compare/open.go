package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// censoredRounds are rounds in which a server was measured but reached no figure, because it had not recovered when the phase ended. They are
// not missing at random: without them, the server that has more of them would look better.
type censoredRounds struct{ baseline, server []replicate }

func (o censoredRounds) any() bool { return len(o.baseline)+len(o.server) > 0 }

// addOpen adds a comparison of servers of which one has open rounds. The size of the difference is not reported, with the reason. For a
// metric whose open rounds are later than all others, the reason counts in how many rounds each server was later.
func (r *Result) addOpen(c Comparison, bases, values map[replicate]float64, open censoredRounds, paired bool) {
	ofBase, ofServer := len(bases)+len(open.baseline), len(values)+len(open.server)
	if ofBase == 0 || ofServer == 0 {
		return
	}
	why := fmt.Sprintf("%s in %d of %d rounds of %s, and in %d of %d of %s: the difference is not known", c.Metric.open,
		len(open.baseline), ofBase, c.Baseline, len(open.server), ofServer, c.Server)
	if paired && c.Metric.late {
		why += "; " + open.signs(bases, values).text(c.Baseline, c.Server)
	}
	c.Estimate = ratio.Withhold(ratio.Estimate{Difference: true, Rounds: min(ofBase, ofServer)}, why)
	c.BaselineValue, c.Value = meanWithout(bases, open.baseline), meanWithout(values, open.server)
	r.Comparisons = append(r.Comparisons, c)
}

// meanWithout returns the mean of the values; NaN if there are open rounds.
func meanWithout(values map[replicate]float64, open []replicate) float64 {
	if len(open) > 0 {
		return math.NaN()
	}
	return ratio.Mean(slices.Collect(maps.Values(values)))
}

// signs counts the rounds in which each server was later, and those in which they were equal. Rounds without a figure of both are left out.
type signs struct{ baseline, server, equal int }

func (o censoredRounds) signs(bases, values map[replicate]float64) signs {
	of := func(figures map[replicate]float64, open []replicate, u replicate) (figure float64, there bool) {
		if slices.Contains(open, u) {
			return math.Inf(1), true
		}
		figure, there = figures[u]
		return figure, there
	}
	var s signs
	for _, u := range append(ordered(bases), o.baseline...) {
		base, _ := of(bases, o.baseline, u)
		value, both := of(values, o.server, u)
		switch {
		case !both:
		case base > value:
			s.baseline++
		case base < value:
			s.server++
		default:
			s.equal++
		}
	}
	return s
}

// p returns the p-value of the two-sided sign test: the probability of counts at least as uneven, if each server were later equally often.
func (s signs) p() float64 {
	n := s.baseline + s.server
	if n == 0 {
		return 1
	}
	return min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(min(s.baseline, s.server))))
}

func (s signs) text(baseline, server string) string {
	return fmt.Sprintf("%s was later in %d and %s in %d of %d rounds (sign test, p = %.3f)", baseline, s.baseline, server, s.server, s.baseline+s.server+s.equal, s.p())
}
