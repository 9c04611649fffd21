package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
)

func (a *App) watchCommand() *cobra.Command {
	var where place
	var format string
	cmd := &cobra.Command{
		Use:   "watch [RUN]",
		Short: "Follow a run (the latest by default) and export its results; Ctrl-C does not stop it",
		Long:  "Follow a run (the latest by default), export and print its results. Ctrl-C ends the command but does not stop the run.\n\n" + exitCodes,
		Args:  atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			cluster, run, err := a.findRun(cmd.Context(), &where, first(args))
			if err != nil {
				return err
			}
			return a.follow(cmd.Context(), cluster, run, followOptions{where: where, format: format})
		},
	}
	where.bind(cmd)
	bindFormat(cmd, &format)
	return cmd
}

func (a *App) findRun(ctx context.Context, where *place, name string) (*runs.Cluster, *v1beta1.Experiment, error) {
	cluster, err := a.reach(ctx, where)
	if err != nil {
		return nil, nil, err
	}
	run, err := cluster.Find(ctx, name)
	if errors.Is(err, runs.ErrNoRun) {
		return nil, nil, &exitError{exitBadInput, err}
	}
	return cluster, run, err
}

// export writes the current state of a run to its folder.
func (a *App) export(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, where *place) (*exporter, error) {
	exporter, err := a.newExporter(cluster, run, where)
	if err != nil {
		return nil, err
	}
	measurements, err := cluster.Measurements(ctx, run)
	if err != nil {
		return nil, err
	}
	return exporter, exporter.finish(ctx, run, measurements)
}
