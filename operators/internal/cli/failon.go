package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// failOn is the condition under which compare fails.
type failOn struct {
	verdicts  []string
	threshold string
	metrics   []string
}

func (f *failOn) bind(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.verdicts, "fail-on", nil, "end with exit code 5 on these `verdicts` of primary metrics: slower, faster, unresolved")
	cmd.Flags().StringVar(&f.threshold, "threshold", "0%", "smallest `share`, as in 5%, that --fail-on acts on: differences, and undetected differences, up to it pass")
	cmd.Flags().StringSliceVar(&f.metrics, "metric", nil, "only these `metrics`: "+strings.Join(compare.MetricNames(), ", "))
}

func (f *failOn) check() error {
	verdicts := []string{string(ratio.Slower), string(ratio.Faster), string(ratio.Unresolved)}
	for _, chosen := range []struct {
		flag         string
		names, known []string
	}{{"--fail-on", f.verdicts, verdicts}, {"--metric", f.metrics, compare.MetricNames()}} {
		for _, name := range chosen.names {
			if !slices.Contains(chosen.known, name) {
				return misused("%s is %q: choose from %s", chosen.flag, name, strings.Join(chosen.known, ", "))
			}
		}
	}
	_, err := f.share()
	return err
}

func (f *failOn) share() (float64, error) {
	value, err := ratio.ParseShare(f.threshold)
	if err != nil {
		return 0, misused("--threshold is %s", err)
	}
	return value, nil
}

// checkPrimary rejects a selection of metrics without any verdict, so that a pipeline does not pass on it.
func (f *failOn) checkPrimary(chosen []compare.Comparison) error {
	if len(f.verdicts) == 0 || len(chosen) == 0 || slices.ContainsFunc(chosen, func(c compare.Comparison) bool { return c.Primary && !c.AA }) {
		return nil
	}
	return fail(exitBadInput, "--fail-on: the selected metrics have no verdict; select the primary metric, or make another one primary, as in --primary %s", chosen[0].Metric.Name)
}

// choose returns the comparisons of the selected metrics.
func (f *failOn) choose(all []compare.Comparison) []compare.Comparison {
	return slices.DeleteFunc(slices.Clone(all), func(c compare.Comparison) bool { return !among(f.metrics, c.Metric.Name) })
}

// judge returns an error that names every one of the comparisons that meets the condition, with its load as the answer screen of the result
// names it.
func (f *failOn) judge(result *compare.Result, comparisons []compare.Comparison) error {
	threshold, err := f.share()
	if err != nil {
		return err
	}
	var lines []string
	for i := range comparisons {
		c := &comparisons[i]
		switch {
		case !c.Primary || c.AA || len(f.verdicts) == 0:
		case c.ServerLost(): // a server that became slower misses its rate, or times out
			lines = append(lines, fmt.Sprintf("%s is not comparable with %s: %s of %s, %s", c.Server, c.Baseline, c.Metric.Title, answer.LoadName(result, c), c.Missing()))
		case slices.Contains(f.verdicts, string(c.Verdict)) && beyond(c, threshold):
			lines = append(lines, fmt.Sprintf("%s: %s than %s: %s of %s, %s", c.Server, c.Word(), c.Baseline, c.Metric.Title, answer.LoadName(result, c), c.Sized()))
			if c.Verdict == ratio.Unresolved {
				lines[len(lines)-1] = fmt.Sprintf("%s is indistinguishable from %s: %s of %s, %s", c.Server, c.Baseline, c.Metric.Title, answer.LoadName(result, c), c.Reason)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fail(exitVerdict, "%s", strings.Join(lines, "\n"))
}

// beyond reports whether the ratio is further from 1 than the threshold, or the difference larger than that share of the baseline's value.
// For an unresolved comparison it reports whether such a difference may have gone undetected.
func beyond(c *compare.Comparison, threshold float64) bool {
	if c.Verdict == ratio.Unresolved {
		return !c.Known() || c.Beyond(c.Least, threshold) || c.Withheld
	}
	return c.Beyond(c.Ratio, threshold)
}
