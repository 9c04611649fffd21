package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/windows"
)

func (a *App) windowsCommand() *cobra.Command {
	var where place
	cmd := &cobra.Command{
		Use:   "windows [RUN|FOLDER|BUNDLE|s3://...]",
		Short: "Show the noise of a run's windows, and the interval widths of several estimators",
		Long: "Show the noise between the windows of an interleaved run, and the half-widths of the 95% intervals that the same data\n" +
			"give by rounds, by pieces of rounds (as ringside compare uses from three rounds on) or by blocks, as measured or adjusted for covariates.\n" +
			"For a run that is not interleaved, only the half-widths of ringside compare. This is for work on the method: use ringside compare for verdicts.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			location, run, err := a.readRun(ctx, first(args), where.results)
			if err != nil {
				return err
			}
			if err := a.windows(run); err != nil {
				return err
			}
			return incomplete(location, run)
		}),
	}
	where.bindResults(cmd)
	cmd.ValidArgsFunction = completeRuns(&where)
	return cmd
}

func (a *App) windows(run *archive.Run) error {
	loads, notes := windows.Loads(run)
	for _, note := range notes {
		a.printf("%s", note)
	}
	if len(loads) == 0 {
		return a.ordinaryHalfWidths(run)
	}
	for _, load := range loads {
		for _, metric := range windows.Metrics() {
			widths := windows.HalfWidths(load, metric)
			if widths == nil {
				continue
			}
			fmt.Fprintf(a.Out, "\n%s, ratios of %s\n", load, metric.Name)
			if err := widths.Write(a.Out, "table", a.Colour); err != nil {
				return err
			}
			noise, _ := windows.NoiseOf(load, metric)
			fmt.Fprintf(a.Out, "\n%s\n", noise)
			if len(noise.Sources) == 0 {
				continue
			}
			if err := noise.Table().Write(a.Out, "table", a.Colour); err != nil {
				return err
			}
		}
	}
	return nil
}

// ordinaryHalfWidths prints the half-widths of a run that measured its servers one after the other.
func (a *App) ordinaryHalfWidths(run *archive.Run) error {
	result, err := compare.Within(run, compare.Defaults())
	if err != nil {
		return &failure{exitBadInput, err}
	}
	return windows.Ordinary(run, result).Write(a.Out, "table", a.Colour)
}
