package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// openRounds are rounds of a load in which a server has come to no figure, though it was measured: it had not recovered when the phase ended. They
// are not missing by chance, and what is left without them would favour the server that has more of them.
type openRounds struct{ baseline, server []unit }

func (o openRounds) any() bool { return len(o.baseline)+len(o.server) > 0 }

// addOpen compares servers of which one has such rounds, as far as one can: how much they differ is withheld, with the reason. Of a metric
// where what is open is beyond what is not, it is said who is ahead in how many rounds.
func (r *Result) addOpen(c Comparison, bases, values map[unit]float64, open openRounds, paired bool) {
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

// meanWithout open rounds; of a server that has some it is not known.
func meanWithout(values map[unit]float64, open []unit) float64 {
	if len(open) > 0 {
		return math.NaN()
	}
	return ratio.Mean(slices.Collect(maps.Values(values)))
}

// signs count the rounds in which the one server was later than the other; those in which they were equal, or neither came to a figure, say
// nothing of who.
type signs struct{ baseline, server, equal int }

func (o openRounds) signs(bases, values map[unit]float64) signs {
	of := func(figures map[unit]float64, open []unit, u unit) (figure float64, there bool) {
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

// p is the probability of a count at least so uneven if each server were later as often as the other: the sign test, to both sides.
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
