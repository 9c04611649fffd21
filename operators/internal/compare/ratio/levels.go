package ratio

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Method is the way to find the distribution of an estimate.
type Method int

// Methods.
const (
	// StudentT assumes normal log ratios, which suits rates: each is a mean of thousands of operations.
	StudentT Method = iota
	// Bootstrap draws the distribution from the rounds if there are enough. It suits high percentiles, which rest on few operations and
	// have skewed log ratios.
	Bootstrap
	// Difference treats the figures of the rounds as differences in their own unit; otherwise it is Bootstrap, because what a fault costs is
	// skewed.
	Difference
)

// MinInstallations is the least number of installations whose spread allows a conclusion about the server instead of these installations.
const MinInstallations = 3

// OfLogs estimates a ratio from the log ratios of rounds, or a difference from the differences of rounds, grouped by installation.
//
// All rounds of an installation share its heap layout, compiler decisions and placement, so they replicate only that installation. With
// three or more installations, the units are their means, which Kalibera and Jones recommend for the highest level of a repeated experiment
// ("Rigorous benchmarking in reasonable time", ISMM 2013), and the interval applies to the server. With one or two, the units are rounds,
// and the interval applies to these installations only.
func OfLogs(installations [][]float64, method Method) Estimate {
	return Of(Sample{Figures: installations}, method)
}

func spreadOf(installations [][]float64, method Method) Estimate {
	var groups [][]float64
	e := Estimate{Difference: method == Difference}
	for _, logs := range installations {
		if len(logs) > 0 {
			groups = append(groups, logs)
			e.Rounds += len(logs)
		}
	}
	e.Installations = len(groups)
	switch {
	case len(groups) == 0:
		return e.unknown(math.NaN(), tooFew(0, "round"))
	case len(groups) == 1:
		return e.of(groups[0], method)
	case len(groups) < MinInstallations:
		return e.stratified(groups)
	}
	return e.of(means(groups), method)
}

// SpansInstallations reports whether the estimate applies to the server; else it applies to the measured installations only.
func (e Estimate) SpansInstallations() bool { return e.Installations >= MinInstallations }

// of estimates from independent units.
func (e Estimate) of(units []float64, method Method) Estimate {
	center := mean(units)
	if len(units) < MinRounds {
		return e.unknown(center, tooFew(len(units), "round"))
	}
	_, deviation := stat.MeanStdDev(units, nil)
	n := float64(len(units))
	standardError := deviation / math.Sqrt(n)
	if method != StudentT && len(units) >= MinBootstrap && standardError > leastSpread {
		if drawn := resample(units); drawn.bounded() {
			return e.known(center, standardError, n-1, cautious{drawn, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}})
		}
	}
	return e.known(center, standardError, n-1, nil)
}

// stratified estimates the mean over fixed installations, from the spread of the rounds within each (Satterthwaite's degrees of freedom).
func (e Estimate) stratified(groups [][]float64) Estimate {
	center := mean(means(groups))
	k := float64(len(groups))
	variance, weight := 0.0, 0.0
	for _, logs := range groups {
		if len(logs) < MinRounds {
			return e.unknown(center, tooFew(len(logs), "round"))
		}
		_, own := stat.MeanVariance(logs, nil)
		part := own / float64(len(logs)) / (k * k)
		variance += part
		weight += part * part / float64(len(logs)-1)
	}
	return e.known(center, math.Sqrt(variance), variance*variance/weight, nil)
}

func means(groups [][]float64) []float64 {
	out := make([]float64, len(groups))
	for i, logs := range groups {
		out[i] = mean(logs)
	}
	return out
}
