package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func ordered(values map[replicate]float64) []replicate {
	return slices.SortedFunc(maps.Keys(values), byTime)
}

// estimate computes the ratio; it returns false if no round has both servers. Servers of one run are compared within each round, and within
// each piece of a round if the load was interleaved.
func (c *Comparison) estimate(bases, values map[replicate]float64, paired bool, pieces func(replicate) []float64) bool {
	replicates := ordered(bases)
	if paired {
		replicates = slices.DeleteFunc(replicates, func(u replicate) bool { _, both := values[u]; return !both })
	}
	if len(replicates) == 0 || len(values) == 0 {
		return false
	}
	x, y := byInstallation(bases, replicates), byInstallation(values, replicates)
	if paired {
		c.logs = c.logsOf(bases, values, replicates, pieces)
		c.Estimate = ratio.OfLogs(c.logs, c.Metric.method())
		c.Rounds = len(replicates)
	} else {
		y = byInstallation(values, ordered(values))
		c.Estimate = ratio.Unpaired(x, y, c.Metric.method())
	}
	mean := ratio.GeometricMean
	if c.Metric.Difference {
		mean = ratio.Mean
	}
	c.BaselineValue, c.Value = mean(slices.Concat(x...)), mean(slices.Concat(y...))
	return true
}

// logsOf returns the log ratios or differences of the units, by installation: one for each round or, if the rounds of an installation
// differ no more than their pieces, one for each piece. With too few rounds, pieces would only describe the load processes that these
// rounds had.
func (c *Comparison) logsOf(bases, values map[replicate]float64, replicates []replicate, pieces func(replicate) []float64) [][]float64 {
	var groups [][]float64
	for from := 0; from < len(replicates); {
		to := from + 1
		for to < len(replicates) && replicates[to].installation == replicates[from].installation {
			to++
		}
		var whole []float64
		cut := make([][]float64, to-from)
		for i, u := range replicates[from:to] {
			whole = append(whole, c.Metric.effect(bases[u], values[u]))
			if cut[i] = pieces(u); cut[i] == nil {
				cut[i] = whole[i : i+1 : i+1]
			}
		}
		if len(whole) >= ratio.MinRounds && ratio.Replicate(cut) {
			whole = slices.Concat(cut...)
		}
		groups = append(groups, whole)
		from = to
	}
	return groups
}

// byInstallation groups the figures of the units, which are in order, by installation.
func byInstallation(values map[replicate]float64, replicates []replicate) [][]float64 {
	var groups [][]float64
	for i, u := range replicates {
		if i == 0 || u.installation != replicates[i-1].installation {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], values[u])
	}
	return groups
}

// effect returns the effect of a server on a value of the baseline, on the scale of the metric's estimates.
func (m Metric) effect(base, value float64) float64 {
	if m.Difference {
		return value - base
	}
	return math.Log(value / base)
}

// method returns the method of estimation: a rate is a mean of thousands of operations, a percentile rests on few.
func (m Metric) method() ratio.Method {
	switch {
	case m.Difference:
		return ratio.Difference
	case m.Percentile > 0:
		return ratio.Bootstrap
	}
	return ratio.StudentT
}

// scopeOf describes what an estimate applies to. With dedicated hosting every round is an installation.
func scopeOf(base, other Arm, e ratio.Estimate) string {
	dedicated := base.Run.Experiment != nil && base.Run.Experiment.Spec.Store.Hosting == v1beta1.HostingDedicated
	switch {
	case base.Run != other.Run:
		return "between these two runs"
	case dedicated:
		return fmt.Sprintf("over %s", textfmt.Count(e.Rounds, "installation"))
	case e.SpansInstallations():
		return fmt.Sprintf("over %s", textfmt.Count(e.Installations, "installation"))
	case e.Installations > 1:
		return fmt.Sprintf("in these %d installations", e.Installations)
	}
	return "in this installation"
}
