package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// question holds the options of a comparison that override those of the run's experiment file.
type question struct {
	baseline, primary, margin string
	allowDifferent            bool
}

func (q *question) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.baseline, "baseline", "", "`server` to compare the others of the run with")
	cmd.Flags().StringVar(&q.primary, "primary", "", "primary `metric` of all phases, for which verdicts are given (default: as in the experiment file): "+strings.Join(compare.MetricNames(), ", "))
	cmd.Flags().StringVar(&q.margin, "equivalent", "", "`margin` within which servers count as equivalent: a share for ratios, as in 3%, or a time for differences, as in 0.1s (default: as in the experiment file, else 3% for ratios; 0% and 0s disable equivalence)")
	cmd.Flags().BoolVar(&q.allowDifferent, "allow-different", false, "compare two runs that differ in keys, operations, load (its image included), store (its image excluded) or nodes")
}

func (q *question) options() (compare.Options, error) {
	options := compare.Defaults()
	options.Baseline, options.Primary, options.AllowDifferent = q.baseline, q.primary, q.allowDifferent
	if err := compare.CheckPrimary(q.primary, 0); err != nil {
		return options, misused("--primary: %s", err)
	}
	if q.margin == "" {
		return options, nil
	}
	margin, err := ratio.ParseDistance(q.margin)
	if err != nil {
		return options, misused("--equivalent is %s", err)
	}
	options.Margin = &margin
	return options, nil
}

// suffix returns the suffix of the comparison's file name.
func (q *question) suffix() string {
	suffix := ""
	if q.baseline != "" {
		suffix += "-to-" + q.baseline
	}
	if q.primary != "" {
		suffix += "-by-" + q.primary
	}
	if q.margin != "" {
		suffix += "-within-" + strings.ReplaceAll(q.margin, "/", "-")
	}
	return suffix
}
