package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
)

// nothingCompared returns an error if no comparison that can have a verdict has a figure or, without such comparisons, if none has one.
func nothingCompared(comparisons []compare.Comparison) error {
	verdicts := slices.DeleteFunc(slices.Clone(comparisons), func(c compare.Comparison) bool { return !c.Primary || c.AA })
	if len(verdicts) > 0 {
		comparisons = verdicts
	}
	if slices.ContainsFunc(comparisons, func(c compare.Comparison) bool { return !math.IsNaN(c.Ratio) }) {
		return nil
	}
	return fail(exitInvalid, "nothing was compared: too many measurements are invalid or missing; ringside table shows why")
}

type compareFlags struct {
	where       place
	filter      filter
	failOn      failOn
	question    question
	format, out string
}

func (a *App) compareCommand() *cobra.Command {
	var flags compareFlags
	cmd := &cobra.Command{
		Use:   "compare [A] [B]",
		Short: "Compare the servers of a run, or two runs, or two servers: ratios, intervals, verdicts",
		Long: "Compare servers by ratios with 95% intervals. The comparison that the run's experiment file defines is written to the run's\n" +
			"comparison.csv, any other to results/" + archive.ComparisonsDir + "/. Invalid measurements are left out.\n" +
			"  compare            the servers of the latest run with its baseline\n" +
			"  compare RUN        the servers of a run with its baseline\n" +
			"  compare A B        two runs (folders, bundles, s3://bucket/prefix/<experiment>/<run>), server by server; A is the baseline; both must have measured the same\n" +
			"  compare X Y        two servers of the latest run; X is the baseline\n\n" +
			"Verdicts (faster, slower, equivalent, unresolved) are given for one primary metric of each phase, corrected for the number of servers.\n" +
			"All other metrics are descriptive. phases[].primaryMetric names the primary metric. Defaults: op_rate; capacity in a capacity search;\n" +
			"at a constant rate cpu_per_op_us where the store reports its CPU time, else latency_p99_ms.\n\n" +
			"In a pipeline: ringside compare --fail-on slower --threshold 5% --metric op_rate ends with exit code 5 when a server is slower than the\n" +
			"baseline by more than 5% and the interval excludes 1, or when only the server lacks too many rounds, as one that misses its rate does. Add\n" +
			"unresolved to --fail-on to fail also when a difference of 5% may have gone undetected.\n\n" + exitCodes,
		Args: atMost(2),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			args = slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "" }) // a Makefile's empty A= and B=
			return a.compare(ctx, args, &flags)
		}),
	}
	flags.where.bindResults(cmd)
	cmd.ValidArgsFunction = completeRuns(&flags.where)
	flags.filter.bind(cmd)
	flags.failOn.bind(cmd)
	flags.question.bind(cmd)
	cmd.Flags().StringVar(&flags.out, "out", "", "`file` to write instead of the default one")
	bindFormat(cmd, &flags.format)
	return cmd
}

func (a *App) compare(ctx context.Context, args []string, flags *compareFlags) error {
	options, err := flags.question.options()
	if err := errors.Join(checkFormat(flags.format), flags.failOn.check(), err); err != nil {
		return err
	}
	found, err := a.compareArgs(ctx, args, flags, options)
	if err != nil {
		if errors.As(err, new(*exitError)) || problem.IsUnavailable(err) {
			return err
		}
		return &exitError{exitBadInput, err}
	}
	if len(found.result.Comparisons) == 0 {
		return fail(exitBadInput, "run %s: nothing can be compared: %s", found.run.ID(), strings.Join(found.result.Gaps, results.Separator))
	}
	var text bytes.Buffer
	if err := found.result.WriteCSV(&text); err != nil {
		return err
	}
	out, err := found.write(text.Bytes(), flags)
	if err != nil {
		return err
	}
	chosen := &compare.Result{Notes: found.result.Notes, Gaps: found.result.Gaps, Different: found.result.Different, Comparisons: flags.failOn.choose(flags.filter.comparisons(found.result.Comparisons))}
	if len(chosen.Comparisons) == 0 {
		return fail(exitBadInput, "no comparison matches the filter: the baseline %s is not compared with itself; choose another server", found.result.Comparisons[0].Baseline)
	}
	if err := flags.failOn.checkPrimary(chosen.Comparisons); err != nil {
		return err
	}
	if err := a.printChosen(found.run, chosen, flags.format); err != nil {
		return err
	}
	a.printf("written to %s", out)
	return errors.Join(found.incomplete, cmp.Or(flags.failOn.judge(found.result, chosen.Comparisons), nothingCompared(chosen.Comparisons)))
}

// compared is a result and where it is written.
type compared struct {
	result *compare.Result
	// run is the run whose servers were compared, or the base of two runs.
	run *archive.Run
	// own is the run's folder for the run's own comparison. It is empty for several runs, two servers or another baseline.
	own string
	// name is the file's name in the folder of comparisons otherwise.
	name string
	// incomplete is the error of incomplete exports; nil if all are complete.
	incomplete error
}

// write changes a run's folder only for the run's own comparison, and then updates its digests.
func (c *compared) write(text []byte, flags *compareFlags) (string, error) {
	if flags.out != "" {
		if err := os.WriteFile(flags.out, text, 0o644); err != nil {
			return "", fmt.Errorf("writing the comparison: %w", err)
		}
		return flags.out, nil
	}
	if c.own != "" {
		return filepath.Join(c.own, archive.ComparisonFile), archive.Folder{Path: c.own}.Replace(archive.ComparisonFile, text)
	}
	folder := archive.Folder{Path: filepath.Join(flags.where.results, archive.ComparisonsDir)}
	name := c.name + ".csv"
	return filepath.Join(folder.Path, name), folder.Write(name, text)
}

// compareArgs compares what the arguments name.
func (a *App) compareArgs(ctx context.Context, args []string, flags *compareFlags, options compare.Options) (*compared, error) {
	if len(args) < 2 {
		return a.compareWithin(ctx, first(args), flags, options)
	}
	if options.Baseline != "" {
		return nil, misused("--baseline applies to the servers of one run: of two arguments, the first is the baseline")
	}
	if args[0] == args[1] {
		return nil, misused("%s is named twice, and nothing differs from itself: name two runs, or two servers", args[0])
	}
	if location, latest := latestRun(flags.where.results); latest != nil {
		servers := compare.Servers(latest)
		if slices.Contains(servers, args[0]) && slices.Contains(servers, args[1]) {
			result, err := compare.Arms(compare.Arm{Run: latest, Server: args[0]}, compare.Arm{Run: latest, Server: args[1]}, options)
			return &compared{result: result, run: latest, name: runName(latest) + "-" + args[0] + "-and-" + args[1] + flags.question.suffix(), incomplete: incomplete(location, latest)}, err
		}
	}
	here, base, err := a.readRun(ctx, args[0], flags.where.results)
	if err != nil {
		return nil, err
	}
	there, other, err := a.readRun(ctx, args[1], flags.where.results)
	if err != nil {
		return nil, err
	}
	if err := flags.filter.check(slices.Concat(base.Rows, other.Rows)); err != nil {
		return nil, err
	}
	if base.Name() == other.Name() && base.ID() == other.ID() {
		return nil, misused("%s and %s are the same run, %s: name two runs", args[0], args[1], base.ID())
	}
	result, err := compare.Runs(base, other, options)
	return &compared{result: result, run: base, name: runName(base) + "-and-" + runName(other) + flags.question.suffix(),
		incomplete: errors.Join(incomplete(here, base), incomplete(there, other))}, err
}

func (a *App) compareWithin(ctx context.Context, name string, flags *compareFlags, options compare.Options) (*compared, error) {
	location, run, err := a.readRun(ctx, name, flags.where.results)
	if err != nil {
		return nil, err
	}
	if err := flags.filter.check(run.Rows); err != nil {
		return nil, err
	}
	result, err := compare.Within(run, options)
	if options.AllowDifferent = false; options != compare.Defaults() { // it has no meaning for one run
		return &compared{result: result, run: run, name: runName(run) + flags.question.suffix(), incomplete: incomplete(location, run)}, err
	}
	if info, statErr := os.Stat(location); statErr != nil || !info.IsDir() { // a bundle is complete, and read-only
		return &compared{result: result, run: run, name: runName(run), incomplete: incomplete(location, run)}, err
	}
	return &compared{result: result, run: run, own: location, incomplete: incomplete(location, run)}, err
}

func latestRun(resultsDir string) (string, *archive.Run) {
	location, err := archive.Locate("", resultsDir)
	if err != nil {
		return "", nil
	}
	run, err := archive.Read(location)
	if err != nil {
		return "", nil
	}
	return location, run
}

// runName returns a run's name as part of a file name.
func runName(run *archive.Run) string {
	return strings.ReplaceAll(run.Name()+"-"+run.ID(), "/", "-")
}
