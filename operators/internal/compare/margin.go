package compare

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// defaultMargin of equivalence, where nobody asks for another.
const defaultMargin = 0.03

// about a run: with the margin that its document asks for, where none is given.
func (o Options) about(run *archive.Run) Options {
	if o.Margin != nil {
		return o
	}
	margin := defaultMargin
	if run.Experiment != nil {
		if asked, err := MarginOf(&run.Experiment.Spec); err == nil { // what is wrong was refused before the run
			margin = asked
		}
	}
	o.Margin = &margin
	return o
}

// MarginOf equivalence that a document asks for.
func MarginOf(spec *v1alpha1.ExperimentSpec) (float64, error) {
	if spec.Equivalent == "" {
		return defaultMargin, nil
	}
	return ratio.ParseShare(spec.Equivalent)
}
