package ratio

import (
	"fmt"
	"math"
)

// Verdict is the result of comparing a server with its baseline.
type Verdict string

// Verdicts. Faster means better: a higher rate, a lower latency, less CPU.
const (
	Faster Verdict = "faster"
	Slower Verdict = "slower"
	// Equivalent means that both ends of the interval are within a margin (two one-sided tests; Schuirmann, 1987).
	Equivalent Verdict = "equivalent"
	Unresolved Verdict = "unresolved"
	// Descriptive is for all metrics but the primary one, which get no verdict.
	Descriptive Verdict = "descriptive"
)

// Question holds the parameters of a verdict.
type Question struct {
	HigherIsBetter bool
	// Margin within which servers are equivalent, of the estimate's kind. 0 disables equivalence.
	Margin Distance
	// Arms are the A/A arms of the same baseline, load and metric.
	Arms []Noise
}

// Finding is a verdict with its reason.
type Finding struct {
	Verdict Verdict
	// Reason why a verdict is unresolved; empty otherwise.
	Reason string
	// Withheld marks that an A/A arm does not allow a verdict.
	Withheld bool
	// Least is the smallest ratio above 1 (below 1, its inverse), or difference, that is both detectable and beyond the A/A noise; NaN if
	// unknown.
	Least float64
}

// Judge returns the verdict that an estimate and the noise of the A/A arms allow.
func Judge(e Estimate, q Question) Finding {
	if !e.Known() {
		return Finding{Verdict: Unresolved, Reason: e.Unknown, Least: math.NaN()}
	}
	band := 0.0
	for _, arm := range q.Arms {
		if reason := arm.fails(); reason != "" {
			return Finding{Verdict: Unresolved, Reason: reason, Withheld: true, Least: math.NaN()}
		}
		band = max(band, arm.Reach())
	}
	f := Finding{Verdict: Unresolved, Least: max(e.MDE, e.figure(band))}
	switch counts := math.Abs(e.Scaled(e.Ratio)) > band; {
	case e.Differs() && counts && (e.Ratio > e.Equal()) == q.HigherIsBetter:
		f.Verdict = Faster
	case e.Differs() && counts:
		f.Verdict = Slower
	case e.within(q.Margin) && band <= q.Margin.Scaled():
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

// within reports whether the whole interval is within the margin, on both sides of equal. An end that Holm's test set to equal is not used:
// if the test counts, the server differs; if noise could explain the difference, the test is not trusted.
func (e Estimate) within(margin Distance) bool {
	ends := interval{e.Low, e.High}
	if e.whole != nil {
		ends = *e.whole
	}
	reach := margin.Scaled()
	return e.Difference == margin.Difference && e.Scaled(ends.high) <= reach && e.Scaled(ends.low) >= -reach
}
