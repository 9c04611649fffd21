package compare

import (
	"fmt"
	"math"
)

// A/A arms: the baseline under a second name. What such an arm seems to gain or lose is noise, and says how far the ratios of
// the others can be trusted.

// load and metric that ratios to one baseline were taken under.
type place struct {
	baseline string
	cell     Cell
	metric   string
}

func placeOf(c *Comparison) place { return place{c.Baseline, c.Cell, c.Metric.Name} }

// noise is what an A/A arm shows at one place.
type noise struct {
	server string
	Estimate
}

// band is the least effect that counts, on the logarithmic scale: the end of the arm's interval that is further from 1, to both
// sides. That the noise fell to one side in this run does not make the other side quiet.
func (n noise) band() float64 {
	return max(math.Abs(math.Log(n.Low)), math.Abs(math.Log(n.High)))
}

// differs says that the baseline seems to differ from itself: intervals that miss a truth which is known are not to be believed
// where it is not.
func (n noise) differs() bool { return n.Known() && (n.Low > 1 || n.High < 1) }

// forbids says why a verdict on this ratio does not stand beside the noise; empty where it does.
func (n noise) forbids(ratio float64) string {
	switch {
	case !n.Known():
		return fmt.Sprintf("the spread of the A/A arm %s is not known, so nothing says how much noise the intervals leave out", n.server)
	case n.differs():
		return fmt.Sprintf("the A/A arm %s, the same server under a second name, seems to differ by %.3f [%.3f, %.3f]: there is noise that the intervals do not cover",
			n.server, n.Ratio, n.Low, n.High)
	case math.Abs(math.Log(ratio)) <= n.band():
		return fmt.Sprintf("within the noise that the A/A arm %s shows, %.3f to %.3f", n.server, math.Exp(-n.band()), math.Exp(n.band()))
	}
	return ""
}

// veto withholds the verdicts that do not stand beside their A/A arms; with several arms every one has its say.
func (r *Result) veto() {
	arms := map[place][]noise{}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if !c.AA {
			continue
		}
		n := noise{c.Server, c.Estimate}
		arms[placeOf(c)] = append(arms[placeOf(c)], n)
		if n.differs() {
			c.withhold("the same server under two names seems to differ: there is noise that the interval does not cover")
		}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		for _, arm := range arms[placeOf(c)] {
			if c.AA || c.Verdict == Unresolved {
				break
			}
			if reason := arm.forbids(c.Ratio); reason != "" {
				c.withhold(reason)
			}
		}
	}
}

// Band of ratios that an A/A arm's noise could be.
func (c *Comparison) Band() (low, high float64) {
	band := noise{c.Server, c.Estimate}.band()
	return math.Exp(-band), math.Exp(band)
}

func (c *Comparison) withhold(reason string) {
	c.Verdict, c.Withheld, c.Reason = Unresolved, true, reason
}

// conclude holds the verdicts against the A/A arms' noise and says how many of them chance alone would give.
func (r *Result) conclude() {
	r.veto()
	resolved, known := 0, 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.AA {
			continue
		}
		if c.Known() {
			known++
		}
		if c.Verdict != Unresolved {
			resolved++
		}
	}
	if resolved > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d ratios are resolved; at 95%% about %.1f would seem so by chance if all servers were equal", resolved, known, 0.05*float64(known)))
	}
}
