package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
)

func (a *App) tableCommand() *cobra.Command {
	var where place
	var format string
	var choice filter
	cmd := &cobra.Command{
		Use:   "table [RUN|FOLDER|BUNDLE|s3://...]",
		Short: "Print the table of a run among the results (the latest by default)",
		Long: "Print the table of a run among the results (the latest by default). Formats other than table have the columns of\n" +
			"measurements.csv.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			location, run, err := a.readRun(ctx, first(args), where.results)
			if err != nil {
				return err
			}
			if run.Rows, err = choice.rows(run.Rows); err != nil {
				return err
			}
			if err := a.printRun(run.Rows, serversOf(run), run.Units(), format); err != nil {
				return err
			}
			if err := a.printSweeps(run, format); err != nil {
				return err
			}
			return incomplete(location, run)
		}),
	}
	where.bindResults(cmd)
	cmd.ValidArgsFunction = completeRuns(&where)
	choice.bind(cmd)
	choice.bindValid(cmd)
	bindFormat(cmd, &format)
	return cmd
}

// readRun reads a run among the results, or one from elsewhere, and tells what it lacks.
func (a *App) readRun(ctx context.Context, name, resultsDir string) (string, *archive.Run, error) {
	location, err := a.locate(ctx, name, resultsDir)
	if err != nil {
		return "", nil, err
	}
	run, err := archive.Read(location)
	if err != nil {
		return "", nil, &failure{exitBadInput, err}
	}
	for _, note := range run.Notes {
		a.tell("%s: %s", location, note)
	}
	if run.Lacks != "" {
		run.Notes = append(run.Notes, run.Lacks)
	}
	return location, run, nil
}

// incomplete is the error of figures that were printed of an export that lacks something: they may be other figures than the whole run's.
func incomplete(location string, run *archive.Run) error {
	if run.Lacks == "" {
		return nil
	}
	return fail(exitFailed, "%s is not the whole run: %s; ringside export %s completes it while the run is in the cluster", location, run.Lacks, run.ID())
}

// serversOf gives the names of the arms in the document's order, where the document is known.
func serversOf(run *archive.Run) []string {
	if run.Experiment == nil {
		return nil
	}
	var names []string
	for _, server := range run.Experiment.Spec.Servers {
		names = append(names, server.Name)
	}
	return names
}
