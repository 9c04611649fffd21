package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
)

const (
	// removalPatience is how long the removal of a store may take.
	removalPatience = 5 * time.Minute
	// removalTries bounds how often a run is exported again because it changed before it could be removed.
	removalTries = 5
)

func (a *App) removeCommand() *cobra.Command {
	var where place
	var force bool
	cmd := &cobra.Command{
		Use:   "remove [RUN]",
		Short: "Export what a run has finished, then remove the run and its store",
		Long: "Export what a run has finished, then remove the run and its store from the cluster. The exported results stay. If the export\n" +
			"fails, nothing is removed. Without a name, the latest run is removed; if it has not ended, the command asks first.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			cluster, run, err := a.findRemovable(ctx, &where, first(args))
			if err != nil {
				return err
			}
			return a.remove(ctx, cluster, run, &where, force)
		}),
	}
	where.bind(cmd)
	cmd.Flags().BoolVar(&force, "force", false, "remove the run even if the export fails (its results are lost) or no operator runs that could remove its store (which may be left behind)")
	return cmd
}

// findRemovable returns the run to remove. It asks first if the run was not named and has not ended, because it may be
// someone else's.
func (a *App) findRemovable(ctx context.Context, where *place, name string) (*runs.Cluster, *v1beta1.Experiment, error) {
	cluster, run, err := a.findRun(ctx, where, name)
	if err != nil || name != "" || runs.StandingOf(run) == runs.Ended {
		return cluster, run, err
	}
	what := fmt.Sprintf("run %s has not ended (%s, %d of %d measurements)", run.Name, stateOf(run), run.Status.Finished, run.Status.Planned)
	if a.Ask == nil {
		all, err := cluster.List(ctx)
		return nil, nil, errors.Join(err, fail(exitBadInput, "no run given, and %s: name the run to remove: %s", what, a.removals(all, where)))
	}
	if !a.Ask(what + "; remove it and its store?") {
		return nil, nil, fail(exitBadInput, "nothing was removed")
	}
	return cluster, run, nil
}

// removals returns the commands that remove the latest runs, the latest first.
func (a *App) removals(all []v1beta1.Experiment, where *place) string {
	const most = 5
	var commands []string
	for i := len(all) - 1; i >= 0 && len(commands) < most; i-- {
		commands = append(commands, fmt.Sprintf("%s (%s)", a.next("remove", all[i].RunID(), where), stateOf(&all[i])))
	}
	return strings.Join(commands, ", ")
}

func (a *App) remove(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, where *place, force bool) error {
	again := a.next("remove", run.RunID(), where)
	exporter, err := a.newExporter(cluster, run, where)
	for range removalTries {
		if err == nil {
			err = halt(ctx, cluster, run, exporter, nil)
		}
		if err != nil && !force {
			return fail(exitFailed, "%w\nnothing was removed: %s tries again", err, again)
		}
		if err != nil {
			a.printf("removing anyway, because of --force: %v", err)
		}
		a.printf("removing %s and its store", run.Name)
		if err = cluster.Remove(ctx, run, runs.Removal{Poll: a.Tick, Patience: removalPatience, Force: force}); !errors.Is(err, runs.ErrChanged) {
			break
		}
		err = nil
	}
	if released := (*runs.ReleasedError)(nil); errors.As(err, &released) {
		a.printf("warning: %v", released)
		err = nil
	}
	if err != nil {
		look := context.WithoutCancel(ctx)
		return fail(exitFailed, "the run could not be removed (%v); still in the cluster: %s: %s tries again", err, orNothing(cluster.Remains(look, run)), again)
	}
	if exporter != nil {
		a.printf("removed; its %d finished measurements are in %s", len(exporter.rows), exporter.folder.Path)
	}
	return nil
}

func orNothing(text string) string {
	if text == "" {
		return "perhaps the run (the cluster did not answer)"
	}
	return text
}
