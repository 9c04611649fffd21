package compare

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// defaultMargin is the margin of equivalence of ratios if neither the options nor the experiment set one. Differences have none: how many
// seconds are negligible depends on the fault and on the clients.
const defaultMargin = 0.03

// margin returns the margin of equivalence of a phase's ratios, or of its differences: the options', else the phase's, else the experiment's,
// else the default.
func (o Options) margin(run *archive.Run, phase string, difference bool) ratio.Distance {
	if o.Margin != nil && o.Margin.Difference == difference {
		return *o.Margin
	}
	if run.Experiment != nil {
		spec := &run.Experiment.Spec
		var texts []string
		if at := slices.IndexFunc(spec.Phases, func(p v1beta1.PhaseSpec) bool { return p.Name == phase }); at >= 0 {
			texts = append(texts, spec.Phases[at].Equivalent)
		}
		for _, text := range append(texts, spec.Equivalent) {
			if margin, err := ratio.ParseDistance(text); err == nil && margin.Difference == difference { // an invalid margin was rejected before the run
				return margin
			}
		}
	}
	if difference {
		return ratio.Seconds(0)
	}
	return ratio.Share(defaultMargin)
}

// CheckPhaseDistance checks a distance of a phase, a margin or a precision, which must be of the kind of its primary metric. An empty one is
// valid.
func CheckPhaseDistance(phase *v1beta1.PhaseSpec, text string) error {
	if text == "" {
		return nil
	}
	distance, err := ratio.ParseDistance(text)
	if err != nil {
		return err
	}
	switch primary := primaryOf(phase); {
	case distance.Difference == primary.Difference:
		return nil
	case primary.Difference:
		return fmt.Errorf("%q, but %s is compared by differences in seconds: use a time, as in 0.1s", text, primary.Name)
	default:
		return fmt.Errorf("%q, but %s is compared by ratios: use a share, as in 3%%", text, primary.Name)
	}
}

// primaryOf returns the metric that is primary in a phase if its measurements have all figures of its type.
func primaryOf(phase *v1beta1.PhaseSpec) Metric {
	var measured []string
	for metric, is := range map[string]bool{
		cpuAtRest: phase.Type == v1beta1.PhaseIdle, results.RecoveryTime: phase.Recovery != nil, results.FaultLost: len(phase.Faults) > 0, Capacity: phase.Capacity != nil,
	} {
		if is {
			measured = append(measured, metric)
		}
	}
	name := primaryMetric(phase.PrimaryMetric, phase.Points()[0].TargetRate, measured)
	metrics := Metrics()
	return metrics[max(slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == name }), 0)]
}
