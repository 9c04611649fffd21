package compare

import (
	"fmt"
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

func ordered(values map[unit]float64) []unit { return slices.SortedFunc(maps.Keys(values), byTime) }

// estimate fills the ratio in; false when no round has both. Servers of one run are compared within each round.
func (c *Comparison) estimate(bases, values map[unit]float64, paired bool) bool {
	x, y, logs := all(bases), all(values), [][]float64(nil)
	if paired {
		x, y, logs = pairs(bases, values)
	}
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if paired {
		c.Estimate = ratio.OfLogs(logs, c.Metric.method())
	} else {
		c.Estimate = ratio.Unpaired(x, y)
	}
	c.BaselineValue, c.Value = ratio.GeometricMean(x), ratio.GeometricMean(y)
	return true
}

// pairs are the figures of the rounds that both have, in order, and their log ratios by installation.
func pairs(bases, values map[unit]float64) (x, y []float64, logs [][]float64) {
	last := unit{installation: -1}
	for _, u := range ordered(bases) {
		value, both := values[u]
		if !both {
			continue
		}
		if len(logs) == 0 || u.installation != last.installation {
			logs = append(logs, nil)
		}
		x, y, last = append(x, bases[u]), append(y, value), u
		logs[len(logs)-1] = append(logs[len(logs)-1], ratio.Logs([]float64{bases[u]}, []float64{value})...)
	}
	return x, y, logs
}

func all(values map[unit]float64) []float64 {
	var out []float64
	for _, u := range ordered(values) {
		out = append(out, values[u])
	}
	return out
}

// method of a metric: a rate is a mean of thousands of operations, a percentile rests on few.
func (m Metric) method() ratio.Method {
	if m.Percentile > 0 {
		return ratio.Bootstrap
	}
	return ratio.StudentT
}

// scopeOf says what an estimate speaks of. A dedicated store is installed anew for each round, so that its rounds are installations.
func scopeOf(base, other Arm, e ratio.Estimate) string {
	dedicated := base.Run.Experiment != nil && base.Run.Experiment.Spec.Store.Hosting == v1alpha1.HostingDedicated
	switch {
	case base.Run != other.Run:
		return "between these two runs"
	case dedicated:
		return fmt.Sprintf("over %s", plural(e.Rounds, "installation"))
	case e.Speaks():
		return fmt.Sprintf("over %s", plural(e.Installations, "installation"))
	case e.Installations > 1:
		return fmt.Sprintf("in these %d installations", e.Installations)
	}
	return "in this installation"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
