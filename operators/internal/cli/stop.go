package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/progress"
)

// exportPatience bounds the time of an export.
const exportPatience = 10 * time.Minute

// stopPatience is how long stop waits by default for the current measurement.
const stopPatience = 30 * time.Minute

func (a *App) stopCommand() *cobra.Command {
	var where place
	var patience time.Duration
	cmd := &cobra.Command{
		Use:   "stop [RUN]",
		Short: "Stop a run before its next phase, and export what it has finished; resume resumes it",
		Long: "Stop a run (the latest by default) before its next phase, and export what it has finished. The command waits for the measurement\n" +
			"under way and exports it as well. Run and store are kept: ringside resume resumes the run, ringside remove removes it with its store.\n" +
			"Until then no other run starts.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			cluster, run, err := a.findRun(ctx, &where, first(args))
			if err != nil {
				return err
			}
			return a.stop(ctx, cluster, run, &where, patience)
		}),
	}
	where.bind(cmd)
	cmd.Flags().DurationVar(&patience, "timeout", stopPatience, "`time` to wait for the measurement under way; 0s does not wait")
	return cmd
}

func (a *App) stop(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, where *place, patience time.Duration) error {
	exporter, err := a.newExporter(cluster, run, where)
	if err != nil {
		return err
	}
	if err := halt(ctx, cluster, run, exporter, nil); err != nil {
		return a.halted(err, run, where)
	}
	if runs.StandingOf(run) == runs.Stopping && patience > 0 && len(cluster.Troubles(ctx)) == 0 {
		a.printf("the run stops after: %s", run.Status.Current)
		if err := a.awaitStop(ctx, cluster, run, patience); err != nil {
			return fail(exitFailed, "waiting until the run has stopped: %w; %s", err, a.kept(context.WithoutCancel(ctx), exporter, run, where))
		}
		if err := halt(ctx, cluster, run, exporter, nil); err != nil { // the current measurement has finished
			return a.halted(err, run, where)
		}
	}
	a.printf("%s", a.kept(ctx, exporter, run, where))
	return nil
}

// awaitStop waits until the run has stopped, and updates it.
func (a *App) awaitStop(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, patience time.Duration) error {
	shown := newScreen(a)
	defer shown.clear()
	err := wait.PollUntilContextTimeout(ctx, a.Tick, patience, true, func(ctx context.Context) (bool, error) {
		now := run.DeepCopy()
		if err := cluster.Refresh(ctx, now); apierrors.IsNotFound(err) {
			return false, err
		} else if err != nil {
			return false, nil // transient, or the timeout ends the wait
		}
		*run = *now
		shown.show(progress.Of(run, nil, a.Now()))
		return runs.StandingOf(run) != runs.Stopping, nil
	})
	if ctx.Err() == nil && wait.Interrupted(err) {
		return fmt.Errorf("timeout after %s", patience)
	}
	return err
}

// halt suspends a run and exports everything that it has finished, for stop, remove and Ctrl-C. After an error the export is incomplete,
// and nothing may be removed. seen is exported if the cluster does not answer.
func halt(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, x *exporter, seen []v1beta1.Measurement) error {
	ctx, cancel := context.WithTimeout(ctx, exportPatience)
	defer cancel()
	x.add(ctx, seen) // includes measurements that are deleted meanwhile
	// Read the run before its measurements: a measurement that finishes later shows as a change of the run.
	err := cluster.Refresh(ctx, run)
	if err == nil && run.Status.FinishedAt == nil && !run.Spec.Suspend {
		err = cluster.Suspend(ctx, run)
	}
	if err != nil {
		err = fmt.Errorf("the run could not be stopped: %w", err)
	}
	measurements, listed := cluster.Measurements(ctx, run)
	if listed != nil {
		measurements, listed = seen, fmt.Errorf("its measurements could not be read: %w", listed)
	}
	return errors.Join(err, listed, x.finish(ctx, run, measurements))
}

// halted returns the error of a run that could not be stopped or completely exported.
func (a *App) halted(err error, run *v1beta1.Experiment, where *place) error {
	return fail(exitFailed, "%w\nnothing was removed: %s tries again", err, a.next("stop", run.RunID(), where))
}

// kept describes the state in the cluster of a run that was asked to stop, and names the commands that resume and remove it.
func (a *App) kept(ctx context.Context, x *exporter, run *v1beta1.Experiment, where *place) string {
	exported := fmt.Sprintf("%d of %d measurements are finished and exported to %s", len(x.rows), run.Status.Planned, x.folder.Path)
	id := run.RunID()
	standing := runs.StandingOf(run)
	if standing == runs.Stopping || standing == runs.Stopped {
		if troubles := x.cluster.Troubles(ctx); len(troubles) > 0 {
			return fmt.Sprintf("%s; the run was asked to stop, but %s: its objects stay in the cluster, and %s shows its state", exported,
				strings.Join(troubles, " and "), a.next("watch", id, where))
		}
	}
	switch standing {
	case runs.Ended:
		return fmt.Sprintf("%s; the run has ended: %s removes it from the cluster", exported, a.next("remove", id, where))
	case runs.Leaving:
		return exported + "; the run is being deleted, with its store and its unfinished measurements"
	case runs.Stopping:
		return fmt.Sprintf("%s; the run stops after: %s; %s waits for that and exports it, %s resumes the run, %s removes it and its store",
			exported, cmp.Or(run.Status.Current, "the phase under way"), a.next("stop", id, where), a.next("resume", id, where), a.next("remove", id, where))
	}
	return fmt.Sprintf("%s; the run is stopped and keeps its store: %s resumes it, %s removes both",
		exported, a.next("resume", id, where), a.next("remove", id, where))
}
