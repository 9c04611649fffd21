package cli

import (
	"context"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/runs"
)

func (a *App) resumeCommand() *cobra.Command {
	var where place
	var format string
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run that was stopped, and follow it to its end",
		Long: "Go on with a run that was stopped (the latest of those by default): after ringside stop, after Ctrl-C, or when this command was\n" +
			"ended in any other way. It is followed as by ringside run. A run that is under way is followed as well.\n\n" + exitCodes,
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
		a.tell("going on with run %s: %d of %d measurements are finished", run.RunID(), run.Status.Finished, run.Status.Planned)
	}
	return a.follow(ctx, cluster, run, followOptions{where: *where, format: format, own: true})
}

func (a *App) findResumable(ctx context.Context, where *place, name string) (*runs.Cluster, *v1alpha1.Experiment, error) {
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
		return nil, nil, fail(exitBadInput, "no run waits to go on in namespace %s: ringside list shows what there is, ringside run starts one", cluster.Namespace())
	}
	return cluster, run, nil
}

// refuseBehindASuspendedRun keeps a new run from waiting in silence for one that nobody goes on with.
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
	return fail(exitBadInput, "run %s is stopped and has the cluster: %s goes on with it, %s removes it and its store", holding.Name,
		a.next("resume", id, where), a.next("remove", id, where))
}
