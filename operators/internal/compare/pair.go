package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func ordered(values map[unit]float64) []unit { return slices.SortedFunc(maps.Keys(values), byTime) }

// estimate computes the ratio; it returns false if no round has both servers. Servers of one run are compared within each round, and within
// each piece of a round if the load was interleaved.
func (c *Comparison) estimate(bases, values map[unit]float64, paired bool, pieces func(unit) []float64) bool {
	units := ordered(bases)
	if paired {
		units = slices.DeleteFunc(units, func(u unit) bool { _, both := values[u]; return !both })
	}
	if len(units) == 0 || len(values) == 0 {
		return false
	}
	x, y := byInstallation(bases, units), byInstallation(values, units)
	if paired {
		c.logs = c.logsOf(bases, values, units, pieces)
		c.Estimate = ratio.OfLogs(c.logs, c.Metric.method())
		c.Rounds = len(units)
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
func (c *Comparison) logsOf(bases, values map[unit]float64, units []unit, pieces func(unit) []float64) [][]float64 {
	var groups [][]float64
	for from := 0; from < len(units); {
		to := from + 1
		for to < len(units) && units[to].installation == units[from].installation {
			to++
		}
		var whole []float64
		cut := make([][]float64, to-from)
		for i, u := range units[from:to] {
			whole = append(whole, c.Metric.apart(bases[u], values[u]))
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
func byInstallation(values map[unit]float64, units []unit) [][]float64 {
	var groups [][]float64
	for i, u := range units {
		if i == 0 || u.installation != units[i-1].installation {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], values[u])
	}
	return groups
}

// apart returns the distance of a value from the base, on the scale of the metric's estimates.
func (m Metric) apart(base, value float64) float64 {
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
	dedicated := base.Run.Experiment != nil && base.Run.Experiment.Spec.Store.Hosting == v1alpha1.HostingDedicated
	switch {
	case base.Run != other.Run:
		return "between these two runs"
	case dedicated:
		return fmt.Sprintf("over %s", textfmt.Count(e.Rounds, "installation"))
	case e.Speaks():
		return fmt.Sprintf("over %s", textfmt.Count(e.Installations, "installation"))
	case e.Installations > 1:
		return fmt.Sprintf("in these %d installations", e.Installations)
	}
	return "in this installation"
}
