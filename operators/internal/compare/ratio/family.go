package ratio

import (
	"cmp"
	"slices"
)

// Simultaneous corrects the estimates of a family, the servers that one run compares with one baseline by one metric, for their number. At
// most 5% of families contain a false interval or a false difference.
//
// Differences are found by Holm's step-down tests (Scandinavian Journal of Statistics 6, 1979). They are more powerful than Bonferroni's
// and assume as little: neither how the ratios depend on each other through the common baseline, nor equal variances. (Dunnett's critical
// values are slightly smaller, but assume one variance for all servers, so that a quiet server would profit from a noisy one.)
//
// The intervals are Bonferroni's, 1 - 5%/k each. They are symmetric, and bound a server's difference from both sides. Bounds that match
// Holm's tests exactly would say no more of a difference found than that it exists (Strassburger and Bretz, Statistics in Medicine 27,
// 2008). One thing is taken from them: if Holm's test finds a difference but the interval contains 1, the interval ends at 1, so that
// interval and verdict agree.
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

// corrected returns the estimates with Bonferroni's simultaneous intervals, without Holm's tests.
func corrected(family []Estimate) []Estimate {
	out := slices.Clone(family)
	known := known(family)
	for _, i := range known {
		out[i] = out[i].at((1 - confidence) / float64(len(known)))
	}
	return out
}

// known returns the indexes of the estimates with a known spread. The others cannot be tested, so they need no correction.
func known(family []Estimate) []int {
	var places []int
	for i := range family {
		if family[i].Known() {
			places = append(places, i)
		}
	}
	return places
}
