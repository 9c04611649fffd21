package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/compare"
)

// failOn is what a pipeline does not let pass.
type failOn struct {
	verdicts  []string
	threshold string
	metrics   []string
}

func (f *failOn) bind(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.verdicts, "fail-on", nil, "end with exit code 5 on these `verdicts`: slower, faster, unresolved")
	cmd.Flags().StringVar(&f.threshold, "threshold", "0%", "`share` up to which a server may be slower or faster, or a difference be missed, as in 5%")
	cmd.Flags().StringSliceVar(&f.metrics, "metric", nil, "only these `metrics`: "+strings.Join(metricNames(), ", "))
}

func metricNames() []string {
	var names []string
	for _, metric := range compare.Metrics() {
		names = append(names, metric.Name)
	}
	return names
}

func (f *failOn) check() error {
	verdicts := []string{string(compare.Slower), string(compare.Faster), string(compare.Unresolved)}
	for _, chosen := range []struct {
		flag         string
		names, known []string
	}{{"--fail-on", f.verdicts, verdicts}, {"--metric", f.metrics, metricNames()}} {
		for _, name := range chosen.names {
			if !slices.Contains(chosen.known, name) {
				return fail(exitBadInput, "%s is %q: choose from %s", chosen.flag, name, strings.Join(chosen.known, ", "))
			}
		}
	}
	_, err := f.share()
	return err
}

// share is the threshold as a number: 5% and 0.05 are the same.
func (f *failOn) share() (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(f.threshold), "%")
	value, err := strconv.ParseFloat(number, 64)
	if percent {
		value /= 100
	}
	if err != nil || math.IsNaN(value) || value < 0 || value >= 1 {
		return 0, fail(exitBadInput, "--threshold is %q: use a share of at least 0%% and less than 100%%, as in 5%%", f.threshold)
	}
	return value, nil
}

// choose leaves the metrics that are asked for.
func (f *failOn) choose(all []compare.Comparison) []compare.Comparison {
	return slices.DeleteFunc(slices.Clone(all), func(c compare.Comparison) bool { return !among(f.metrics, c.Metric.Name) })
}

// judge is an error that names every comparison that must not pass.
func (f *failOn) judge(comparisons []compare.Comparison) error {
	threshold, err := f.share()
	if err != nil {
		return err
	}
	var lines []string
	for i := range comparisons {
		c := &comparisons[i]
		if !c.AA && slices.Contains(f.verdicts, string(c.Verdict)) && beyond(c, threshold) {
			lines = append(lines, fmt.Sprintf("%s is %s than %s: %s of %s, ratio %s", c.Server, c.Verdict, c.Baseline, c.Metric.Title, c.Cell.Operation, compare.Decimals(c.Ratio, 3)))
			if c.Verdict == compare.Unresolved {
				lines[len(lines)-1] = fmt.Sprintf("%s is not told from %s: %s of %s, %s", c.Server, c.Baseline, c.Metric.Title, c.Cell.Operation, c.Reason)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return fail(exitVerdict, "%s", strings.Join(lines, "\n"))
}

// beyond says whether the ratio is further from 1 than the threshold; of what is unresolved, whether such a ratio could have been missed.
func beyond(c *compare.Comparison, threshold float64) bool {
	if c.Verdict == compare.Unresolved {
		return !c.Known() || c.MDE > 1+threshold || c.Withheld
	}
	return c.Ratio > 1+threshold || c.Ratio < 1-threshold
}
