package ratio

import (
	"fmt"
	"math"
)

// Noise is the effect that an A/A arm, the baseline under a second name, seems to have. It shows how far the ratios of the other servers
// can be trusted. Its interval is 95%, uncorrected, because a correction would make it less sensitive.
type Noise struct {
	Server string
	Estimate
}

// Reach returns the least effect that counts, on the scale of Scaled: the distance from equal of the farther end of the arm's interval. It
// applies in both directions, because noise that went in one direction in this run can go in the other.
func (n Noise) Reach() float64 {
	return max(math.Abs(n.Scaled(n.Low)), math.Abs(n.Scaled(n.High)))
}

// Band returns the range of ratios, or differences, that noise can explain.
func (n Noise) Band() (low, high float64) { return n.figure(-n.Reach()), n.figure(n.Reach()) }

// fails returns why this arm allows no verdict at all; empty if it allows some. Intervals that miss a known truth cannot be trusted for an
// unknown one.
func (n Noise) fails() string {
	switch {
	case !n.Known():
		return fmt.Sprintf("the spread of the A/A arm %s is not known (%s), so nothing says how much noise the intervals leave out", n.Server, n.Unknown)
	case n.Differs():
		return fmt.Sprintf("the A/A arm %s, the same server under a second name, seems to differ by %.3f [%.3f, %.3f]: there is noise that the intervals do not cover",
			n.Server, n.Ratio, n.Low, n.High)
	}
	return ""
}
