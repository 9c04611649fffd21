package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/results"
)

func (a *App) exportCommand() *cobra.Command {
	var where place
	var choice filter
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Export a run's finished measurements from the cluster, and bundle them",
		Long: "Export a run's finished measurements (the latest run by default) from the cluster: measurements.csv, an HdrHistogram log per\n" +
			"measurement, manifests, environment, events and digests. A bundle (one .tar.gz) holds all of it; ringside report can read it anywhere.\n" +
			"The bundle always holds the complete run. With --server, --operation or --valid, the selected measurements are printed as CSV\n" +
			"instead of the bundle's path.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			return a.exportRun(ctx, &where, first(args), &choice)
		}),
	}
	where.bind(cmd)
	choice.bind(cmd)
	choice.bindValid(cmd)
	return cmd
}

func (a *App) exportRun(ctx context.Context, where *place, name string, choice *filter) error {
	cluster, run, err := a.findRun(ctx, where, name)
	if err != nil {
		return err
	}
	exporter, err := a.export(ctx, cluster, run, where)
	var bundle string
	if err == nil {
		bundle, err = exporter.folder.WriteBundle(run.DocumentName()+"-"+run.RunID(), run.CreationTimestamp.Time)
	}
	if err != nil && ctx.Err() == nil {
		return fail(exitFailed, "%w; it is kept in the cluster: %s tries again", err, a.next("export", run.RunID(), where))
	}
	if err != nil {
		return err
	}
	if len(exporter.rows) < int(run.Status.Planned) {
		a.printf("%d of %d measurements are finished so far", len(exporter.rows), run.Status.Planned)
	}
	if choice.everything() {
		fmt.Fprintln(a.Out, bundle)
		return nil
	}
	rows, err := choice.rows(exporter.rows)
	if err != nil {
		return err
	}
	a.printf("bundled in %s", bundle)
	return results.WriteCSV(a.Out, rows, ',')
}
