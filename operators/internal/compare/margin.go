package compare

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// defaultMargin is the margin of equivalence if neither the options nor the experiment set one.
const defaultMargin = 0.03

// about returns the options for a run: if they set no margin, with that of the experiment.
func (o Options) about(run *archive.Run) Options {
	if o.Margin != nil {
		return o
	}
	margin := defaultMargin
	if run.Experiment != nil {
		if asked, err := MarginOf(&run.Experiment.Spec); err == nil { // an invalid margin was rejected before the run
			margin = asked
		}
	}
	o.Margin = &margin
	return o
}

// MarginOf returns the margin of equivalence of an experiment.
func MarginOf(spec *v1alpha1.ExperimentSpec) (float64, error) {
	if spec.Equivalent == "" {
		return defaultMargin, nil
	}
	return ratio.ParseShare(spec.Equivalent)
}
