package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
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
	return ParseMargin(spec.Equivalent)
}

// ParseMargin reads a margin as people write it: 3% and 0.03 are the same.
func ParseMargin(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	value, err := strconv.ParseFloat(number, 64)
	if percent {
		value /= 100
	}
	if err != nil || math.IsNaN(value) || value < 0 || value >= 1 {
		return 0, fmt.Errorf("%q: use a share of at least 0%% and less than 100%%, as in 3%%", text)
	}
	return value, nil
}
