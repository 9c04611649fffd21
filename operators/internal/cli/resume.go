package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
)

func (a *App) resumeCommand() *cobra.Command {
	var where place
	var format string
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Resume a stopped run, and follow it to its end",
		Long: "Resume a run that was stopped (the latest stopped run by default) by ringside stop, by Ctrl-C, or by the end of the command that\n" +
			"followed it. Then follow it as ringside run does. A run that is not stopped is only followed.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.resume(cmd.Context(), &where, first(args), format)
		},
	}
	where.bind(cmd)
	bindFormat(cmd, &format)
	return cmd
}

func (a *App) resume(ctx context.Context, where *place, name, format string) error {
	cluster, run, err := a.findResumable(ctx, where, name)
	if err != nil {
		return err
	}
	switch {
	case !run.DeletionTimestamp.IsZero():
		return fail(exitBadInput, "run %s is being removed: ringside run starts another", run.RunID())
	case runs.Suspended(run):
		if err := cluster.Resume(ctx, run); err != nil {
			return err
		}
		a.printf("resuming run %s: %d of %d measurements are finished", run.RunID(), run.Status.Finished, run.Status.Planned)
	}
	return a.follow(ctx, cluster, run, followOptions{where: *where, format: format, own: true})
}

func (a *App) findResumable(ctx context.Context, where *place, name string) (*runs.Cluster, *v1beta1.Experiment, error) {
	if name != "" {
		return a.findRun(ctx, where, name)
	}
	cluster, err := a.connect(ctx, where)
	if err != nil {
		return nil, nil, err
	}
	all, err := cluster.List(ctx)
	if err != nil {
		return nil, nil, err
	}
	run := runs.Resumable(all)
	if run == nil {
		return nil, nil, fail(exitBadInput, "no run to resume in namespace %s: ringside list shows all runs, ringside run starts one", cluster.Namespace())
	}
	return cluster, run, nil
}

// refuseBehindASuspendedRun rejects a new run that would wait silently for a suspended one.
func (a *App) refuseBehindASuspendedRun(ctx context.Context, cluster *runs.Cluster, where *place) error {
	all, err := cluster.List(ctx)
	if err != nil {
		return err
	}
	holding := runs.Holding(all)
	if holding == nil {
		return nil
	}
	id := holding.RunID()
	return fail(exitBadInput, "run %s is stopped and keeps its store, so no other run can start: %s resumes it, %s removes it and its store", holding.Name,
		a.next("resume", id, where), a.next("remove", id, where))
}
