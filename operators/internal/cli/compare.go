package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
)

type compareFlags struct {
	where                 place
	baseline, format, out string
}

func (a *App) compareCommand() *cobra.Command {
	var flags compareFlags
	cmd := &cobra.Command{
		Use:   "compare [A] [B]",
		Short: "Compare the servers of a run, or two runs, or two servers: ratios, intervals, verdicts",
		Long: "Compare servers by ratios with 95% intervals, and write comparison.csv.\n" +
			"  compare            the servers of the latest run with its baseline\n" +
			"  compare RUN        the servers of a run with its baseline\n" +
			"  compare A B        two runs (folders, bundles), server by server; A is the base\n" +
			"  compare X Y        two servers of the latest run; X is the base\n\n" + exitCodes,
		Args: atMost(2),
		RunE: func(_ *cobra.Command, args []string) error {
			args = slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "" }) // a Makefile's empty A= and B=
			return a.compare(args, &flags)
		},
	}
	flags.where.bindResults(cmd)
	cmd.Flags().StringVar(&flags.baseline, "baseline", "", "`server` to compare the others of the run with")
	cmd.Flags().StringVar(&flags.out, "out", "", "`file` to write (default: comparison.csv beside the run, of B for two)")
	bindFormat(cmd, &flags.format)
	return cmd
}

func (a *App) compare(args []string, flags *compareFlags) error {
	if err := checkFormat(flags.format); err != nil {
		return err
	}
	result, folder, err := a.compareArgs(args, flags)
	if err != nil {
		if known := (*failure)(nil); errors.As(err, &known) {
			return err
		}
		return &failure{exitBadInput, err}
	}
	out := flags.out
	if out == "" {
		out = filepath.Join(folder, archive.ComparisonFile)
	}
	var text bytes.Buffer
	if err := result.WriteCSV(&text); err != nil {
		return err
	}
	if err := os.WriteFile(out, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the comparison: %w", err)
	}
	if err := a.printComparison(result, flags.format); err != nil {
		return err
	}
	a.tell("written to %s", out)
	return nil
}

// compareArgs finds out what is to be compared. The folder is where the result belongs.
func (a *App) compareArgs(args []string, flags *compareFlags) (*compare.Result, string, error) {
	if len(args) < 2 {
		location, run, err := a.readRun(first(args), flags.where.results)
		if err != nil {
			return nil, "", err
		}
		result, err := compare.Within(run, flags.baseline)
		return result, folderOf(location), err
	}
	if flags.baseline != "" {
		return nil, "", fail(exitBadInput, "--baseline is for the servers of one run: the first of two arguments is the base")
	}
	if location, err := archive.Locate("", flags.where.results); err == nil {
		if run, err := archive.Read(location); err == nil {
			servers := compare.Servers(run)
			if slices.Contains(servers, args[0]) && slices.Contains(servers, args[1]) {
				result, err := compare.Arms(compare.Arm{Run: run, Server: args[0]}, compare.Arm{Run: run, Server: args[1]})
				return result, folderOf(location), err
			}
		}
	}
	_, base, err := a.readRun(args[0], flags.where.results)
	if err != nil {
		return nil, "", err
	}
	location, other, err := a.readRun(args[1], flags.where.results)
	if err != nil {
		return nil, "", err
	}
	result, err := compare.Runs(base, other)
	return result, folderOf(location), err
}

func folderOf(location string) string {
	if info, err := os.Stat(location); err == nil && info.IsDir() {
		return location
	}
	return filepath.Dir(location)
}

// printComparison prints what people ask first; comparison.csv and the other formats have every column and metric.
func (a *App) printComparison(result *compare.Result, format string) error {
	full := result.Table()
	if format != "table" && format != "" {
		return full.Write(a.Out, format, false)
	}
	sweeps := result.Sweeps()
	short := result.Without(sweeps).Table().Select("baseline", "server", "operation", "threads", "metric", "baseline_value", "server_value", "ratio", "ci_low", "ci_high", "rounds", "verdict", "mde")
	if len(short.Rows) > 0 {
		if err := short.Write(a.Out, format, a.Colour); err != nil {
			return err
		}
	}
	for _, sweep := range sweeps {
		for _, metric := range compare.TableMetrics() {
			fmt.Fprintf(a.Out, "\n%s by threads: %s, ratios%s\n", sweep.Operation(), metric.Title, toBaseline(result))
			if err := result.SweepTable(sweep, metric).Write(a.Out, format, a.Colour); err != nil {
				return err
			}
		}
	}
	for _, line := range reasons(result) {
		a.tell("%s", line)
	}
	return nil
}

// toBaseline names the baseline where all have the same.
func toBaseline(result *compare.Result) string {
	baseline := result.Comparisons[0].Baseline
	for _, c := range result.Comparisons {
		if c.Baseline != baseline {
			return ""
		}
	}
	return " to " + baseline
}

// reasons gathers why ratios are unresolved, each once.
func reasons(result *compare.Result) []string {
	var lines []string
	for _, c := range result.Comparisons {
		if c.Reason != "" && !c.Known() && !slices.Contains(lines, c.Reason) {
			lines = append(lines, c.Reason)
		}
		if c.Reason != "" && c.AA && c.Verdict != compare.Unresolved {
			lines = append(lines, fmt.Sprintf("%s, %s, %s: %s", c.Server, c.Cell.Operation, c.Metric.Title, c.Reason))
		}
	}
	return append(lines, result.Notes...)
}
