package ratio

import (
	"cmp"
	"slices"
)

// Simultaneous corrects the estimates of a family, the servers that one run compares with one baseline by one metric, for their
// number: whatever they are, at most 5% of such families hold an interval, or a difference, that is not true.
//
// Differences are found by Holm's step-down tests (Scandinavian Journal of Statistics 6, 1979), which ask less than Bonferroni's
// and no more: nothing of how the ratios hang together through their common baseline, and nothing of their variances, which differ
// between servers. (Dunnett's critical values are a little smaller, but they are for one variance that all servers share, and
// that would let a quiet server borrow from a noisy one.) The intervals are Bonferroni's, 1 - 5%/k each: symmetric, of use for how
// much and for how little a server differs, where the bounds that fit Holm's tests exactly would say of every difference found
// only that it is one (Strassburger and Bretz, Statistics in Medicine 27, 2008). From them this takes one thing: an interval that
// still holds 1 although Holm's test finds the difference ends at 1, so that interval and verdict agree.
func Simultaneous(family []Estimate) []Estimate {
	out := corrected(family)
	known := known(family)
	slices.SortStableFunc(known, func(i, j int) int { return cmp.Compare(family[i].p(), family[j].p()) })
	found := true
	for step, i := range known {
		found = found && family[i].at((1-confidence)/float64(len(known)-step)).Differs()
		if found && !out[i].Differs() {
			out[i] = out[i].endingAtEqual()
		}
	}
	return out
}

func (e Estimate) endingAtEqual() Estimate {
	e.whole = &interval{e.Low, e.High}
	if e.Ratio > e.Equal() {
		e.Low = e.Equal()
	} else {
		e.High = e.Equal()
	}
	return e
}

// corrected gives each estimate of a family its simultaneous interval alone, which is as wide as the noise: without Holm's tests.
func corrected(family []Estimate) []Estimate {
	out := slices.Clone(family)
	known := known(family)
	for _, i := range known {
		out[i] = out[i].at((1 - confidence) / float64(len(known)))
	}
	return out
}

// known are the places of the estimates whose spread is: what cannot be tested is no test to correct for.
func known(family []Estimate) []int {
	var places []int
	for i := range family {
		if family[i].Known() {
			places = append(places, i)
		}
	}
	return places
}
