package ratio

import (
	"fmt"
	"math"
)

// Verdict on a server against its baseline.
type Verdict string

// Verdicts. Faster is better: a higher rate, a lower latency, less CPU.
const (
	Faster Verdict = "faster"
	Slower Verdict = "slower"
	// Equivalent within a margin: both ends of the interval are (two one-sided tests; Schuirmann, 1987).
	Equivalent Verdict = "equivalent"
	Unresolved Verdict = "unresolved"
	// Descriptive figures carry no verdict: there is one primary metric for that.
	Descriptive Verdict = "descriptive"
)

// Question that a verdict answers.
type Question struct {
	HigherIsBetter bool
	// Margin within which servers are as good as equal: 0.03 is 3%. 0 asks for no equivalence. It is one of ratios: of differences none is given.
	Margin float64
	// Arms are the A/A arms of the same baseline, load and metric.
	Arms []Noise
}

// Finding is the answer.
type Finding struct {
	Verdict Verdict
	// Reason for a verdict that is unresolved; empty otherwise.
	Reason string
	// Withheld reports that the A/A arms forbid a verdict.
	Withheld bool
	// Least ratio above 1 (its inverse below), or difference, that would have been seen and would have counted; NaN where that is not known.
	Least float64
}

// Judge describes what an estimate, beside the A/A arms' noise, allows to say.
func Judge(e Estimate, q Question) Finding {
	if !e.Known() {
		return Finding{Verdict: Unresolved, Reason: e.Unknown, Least: math.NaN()}
	}
	band := 0.0
	for _, arm := range q.Arms {
		if reason := arm.fails(); reason != "" {
			return Finding{Verdict: Unresolved, Reason: reason, Withheld: true, Least: math.NaN()}
		}
		band = max(band, arm.band())
	}
	f := Finding{Verdict: Unresolved, Least: max(e.MDE, e.figure(band))}
	switch counts := math.Abs(e.Scaled(e.Ratio)) > band; {
	case e.Differs() && counts && (e.Ratio > e.Equal()) == q.HigherIsBetter:
		f.Verdict = Faster
	case e.Differs() && counts:
		f.Verdict = Slower
	case !e.Difference && e.within(q.Margin) && band <= math.Log1p(q.Margin):
		f.Verdict = Equivalent
	case e.Differs():
		f.Withheld, f.Reason = true, fmt.Sprintf("within the noise that the A/A arm shows, %.3f to %.3f", e.figure(-band), e.figure(band))
	case e.Difference:
		f.Reason = fmt.Sprintf("the interval holds 0; a difference within %.3f to %.3f would have been missed", -f.Least, f.Least)
	default:
		f.Reason = fmt.Sprintf("the interval holds 1; a ratio within %.3f to %.3f would have been missed", 1/f.Least, f.Least)
	}
	return f
}

// within reports that the whole interval is within the margin, as far below 1 as above it. An end that Holm's test put at 1 is none: where it would
// count, the server differs; where it does not, that the noise could be it, the test is not believed.
func (e Estimate) within(margin float64) bool {
	ends := interval{e.Low, e.High}
	if e.whole != nil {
		ends = *e.whole
	}
	return ends.high <= 1+margin && ends.low >= 1/(1+margin)
}
