package ratio

import (
	"fmt"
	"math"
)

// Noise is what an A/A arm shows: the baseline under a second name. What such an arm seems to gain or lose is noise, and says how
// far the ratios of the others can be trusted. Its interval is 95%, uncorrected: a family's correction would only make it blind.
type Noise struct {
	Server string
	Estimate
}

// band is the least effect that counts, on the scale of Scaled: the end of the arm's interval that is further from what is equal, to both
// sides. That the noise fell to one side in this run does not make the other side quiet.
func (n Noise) band() float64 {
	return max(math.Abs(n.Scaled(n.Low)), math.Abs(n.Scaled(n.High)))
}

// Band of ratios, or differences, that the noise could be.
func (n Noise) Band() (low, high float64) { return n.figure(-n.band()), n.figure(n.band()) }

// fails returns why no verdict stands beside this arm, whatever the ratio; empty where some do. Intervals that miss a truth which
// is known are not to be believed where it is not.
func (n Noise) fails() string {
	switch {
	case !n.Known():
		return fmt.Sprintf("the spread of the A/A arm %s is not known, so nothing says how much noise the intervals leave out", n.Server)
	case n.Differs():
		return fmt.Sprintf("the A/A arm %s, the same server under a second name, seems to differ by %.3f [%.3f, %.3f]: there is noise that the intervals do not cover",
			n.Server, n.Ratio, n.Low, n.High)
	}
	return ""
}
