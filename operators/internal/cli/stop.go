package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/runs"
)

// exportPatience bounds the export of everything that a run has finished.
const exportPatience = 10 * time.Minute

func (a *App) stopCommand() *cobra.Command {
	var where place
	cmd := &cobra.Command{
		Use:   "stop [RUN]",
		Short: "Stop a run before its next phase, and export what it has finished; resume goes on with it",
		Long: "Stop a run (the latest by default) before its next phase, and export what it has finished. Run and store are kept:\n" +
			"ringside resume goes on with it, ringside remove removes it with its store. Until then no other run begins.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			cluster, run, err := a.findRun(ctx, &where, first(args))
			if err != nil {
				return err
			}
			return a.stop(ctx, cluster, run, &where)
		}),
	}
	where.bind(cmd)
	return cmd
}

func (a *App) stop(ctx context.Context, cluster *runs.Cluster, run *v1alpha1.Experiment, where *place) error {
	exporter, err := a.newExporter(cluster, run, where)
	if err != nil {
		return err
	}
	if err := halt(ctx, cluster, run, exporter, nil); err != nil {
		return a.halted(err, run, where)
	}
	a.tell("%s", a.kept(exporter, run, where))
	return nil
}

// halt keeps a run from beginning anything further, and exports everything that it has finished. stop, remove and Ctrl-C all come this
// way. After an error not everything is on disk, and nothing may be removed. seen is what to export should the cluster not answer.
func halt(ctx context.Context, cluster *runs.Cluster, run *v1alpha1.Experiment, x *exporter, seen []v1alpha1.Measurement) error {
	ctx, cancel := context.WithTimeout(ctx, exportPatience)
	defer cancel()
	// The run first, the measurements after it: what it finishes later shows as a change of the run.
	err := cluster.Refresh(ctx, run)
	if err == nil && run.Status.FinishedAt == nil && !run.Spec.Suspend {
		err = cluster.Suspend(ctx, run)
	}
	if err != nil {
		err = fmt.Errorf("the run could not be stopped: %w", err)
	}
	measurements, listed := cluster.Measurements(ctx, run)
	if listed != nil {
		measurements, listed = seen, fmt.Errorf("what is finished could not be read: %w", listed)
	}
	return errors.Join(err, listed, x.finish(ctx, run, measurements))
}

// halted is the error of a run that could not be stopped and exported as a whole.
func (a *App) halted(err error, run *v1alpha1.Experiment, where *place) error {
	return fail(exitFailed, "%w\nnothing was removed: %s tries again", err, a.next("stop", run.RunID(), where))
}

// kept says what there is, and how to go on with it.
func (a *App) kept(x *exporter, run *v1alpha1.Experiment, where *place) string {
	exported := fmt.Sprintf("%d of %d measurements are finished and exported to %s", len(x.rows), run.Status.Planned, x.folder.Path)
	if run.Status.FinishedAt != nil {
		return fmt.Sprintf("%s; the run has ended: %s removes it from the cluster", exported, a.next("remove", run.RunID(), where))
	}
	return fmt.Sprintf("%s; the run is stopped and keeps its store: %s goes on with it, %s removes both",
		exported, a.next("resume", run.RunID(), where), a.next("remove", run.RunID(), where))
}
