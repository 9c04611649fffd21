package compare

import (
	"cmp"
	"fmt"
	"math"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// estimate computes the ratio, or the difference, of an arm to its baseline. Servers of one run are compared within each round. The estimate is unknown,
// with the reason, if rounds are missing that can be slower, or faster, than the others.
func (c *Comparison) estimate(bases, values figures, paired bool) {
	c.Lost = [2]Lost{lostOf(c.Baseline, bases), lostOf(c.Server, values)}
	c.measured = len(bases.values) > 0 && len(values.values) > 0
	method := c.Metric.method()
	if paired {
		c.sample = pairs(bases, values, c.Metric)
		c.Estimate = ratio.Of(c.sample, method)
	} else {
		c.Estimate = ratio.Between(bases.sample(method), values.sample(method), method)
	}
	few, missing := cmp.Or(values.few, bases.few), c.Missing()
	c.few = few != ""
	switch {
	case c.few:
		c.Estimate = ratio.Withhold(c.Estimate, few)
	case c.Lost[0].TooMany() || c.Lost[1].TooMany() || c.sample.TooManyLost() != "":
		c.Estimate = ratio.Withhold(c.Estimate, missing)
	case !c.Known() && missing != "":
		c.Unknown += "; " + missing
	}
	c.BaselineValue, c.Value = c.mean(bases, c.Lost[0], values, paired), c.mean(values, c.Lost[1], bases, paired)
}

// pairs returns the effects of the rounds that both sides have. A round that a side lacks is lost, unless the reason cannot depend on the figure.
func pairs(bases, values figures, metric Metric) ratio.Sample {
	var s ratio.Sample
	for i, u := range bases.rounds {
		if i == 0 || u.installation != bases.rounds[i-1].installation {
			s.Figures, s.Lost = append(s.Figures, nil), append(s.Lost, 0)
		}
		at := len(s.Lost) - 1
		base, ofBase := bases.values[u]
		value, ofServer := values.values[u]
		switch {
		case ofBase && ofServer:
			s.Figures[at] = append(s.Figures[at], metric.effect(base, value))
		case !ofBase && !bases.lost[u].neutral || !ofServer && !values.lost[u].neutral:
			s.Lost[at]++
		}
	}
	return s
}

// sample returns the figures of one run, on the scale of a method.
func (f figures) sample(method ratio.Method) ratio.Sample {
	var s ratio.Sample
	var figures [][]float64
	for i, u := range f.rounds {
		if i == 0 || u.installation != f.rounds[i-1].installation {
			figures, s.Lost = append(figures, nil), append(s.Lost, 0)
		}
		at := len(s.Lost) - 1
		if value, has := f.values[u]; has {
			figures[at] = append(figures[at], value)
		} else if !f.lost[u].neutral {
			s.Lost[at]++
		}
	}
	s.Figures = ratio.Scale(figures, method)
	return s
}

// mean returns the mean of a side's figures in the rounds that are compared, in all of its rounds if none are; NaN if too many are lost.
func (c *Comparison) mean(f figures, lost Lost, other figures, paired bool) float64 {
	var values []float64
	for _, u := range f.rounds {
		value, has := f.values[u]
		if _, both := other.values[u]; has && (both || !paired || math.IsNaN(c.Ratio)) {
			values = append(values, value)
		}
	}
	switch {
	case len(values) == 0 || lost.TooMany() || f.few != "":
		return math.NaN()
	case c.Metric.Difference:
		return ratio.Mean(values)
	}
	return ratio.GeometricMean(values)
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
