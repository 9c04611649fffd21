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
		Short: "Show the noise of a run's windows, and how narrow intervals its time gives",
		Long: "Show what the windows of an interleaved run tell of the machine's noise, and the half-widths of the 95% intervals that the same time\n" +
			"gives by rounds, by pieces of rounds (as compare reckons from three rounds on) or by blocks, as measured or adjusted for covariates. Of an ordinary run, compare's alone.\n" +
			"For whoever wants to make the instrument more precise: verdicts are compare's.\n\n" + exitCodes,
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
		a.tell("%s", note)
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

// ordinaryHalfWidths of a run whose servers had the load to themselves, one after the other.
func (a *App) ordinaryHalfWidths(run *archive.Run) error {
	result, err := compare.Within(run, compare.Defaults())
	if err != nil {
		return &failure{exitBadInput, err}
	}
	return windows.Ordinary(run, result).Write(a.Out, "table", a.Colour)
}
