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
		Short: "Print the table of an exported run (the latest by default)",
		Long: "Print the table of an exported run (the latest by default). Output formats for programs have the columns of measurements.csv.\n\n" +
			exitCodes,
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

// readRun reads an exported run, from the results folder or elsewhere, and reports what it lacks.
func (a *App) readRun(ctx context.Context, name, resultsDir string) (string, *archive.Run, error) {
	location, err := a.locate(ctx, name, resultsDir)
	if err != nil {
		return "", nil, err
	}
	run, err := archive.Read(location)
	if err != nil {
		return "", nil, &exitError{exitBadInput, err}
	}
	for _, note := range run.Notes {
		a.printf("%s: %s", location, note)
	}
	if run.Lacks != "" {
		run.Notes = append(run.Notes, run.Lacks)
	}
	return location, run, nil
}

// incomplete returns the error of an incomplete export: figures of the complete run may differ from those printed.
func incomplete(location string, run *archive.Run) error {
	if run.Lacks == "" {
		return nil
	}
	return fail(exitFailed, "%s is incomplete: %s; ringside export %s completes it while the run is in the cluster", location, run.Lacks, run.ID())
}

// serversOf returns the names of the servers in the experiment's order, if the experiment is known.
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
