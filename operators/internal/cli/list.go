package cli

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/progress"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/table"
)

func (a *App) listCommand() *cobra.Command {
	var where place
	var format, from string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs in the cluster and among the results",
		Long: "List the runs in the cluster and among the results. Without a cluster, those among the results.\n" +
			"With --from, those at a place where runs were archived, and their addresses, by which compare, report and table know them.\n\n" + exitCodes,
		Args: atMost(0),
		RunE: a.interruptible(func(ctx context.Context, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			if from != "" {
				return a.listArchived(ctx, from, format)
			}
			return a.list(ctx, &where, format)
		}),
	}
	where.bindCluster(cmd)
	cmd.Flags().StringVar(&from, "from", "", "`place`, a folder or s3://bucket/prefix, whose runs are listed in place of these")
	bindFormat(cmd, &format)
	return cmd
}

func (a *App) list(ctx context.Context, where *place, format string) error {
	t := &table.Table{Columns: []table.Column{
		{Title: "EXPERIMENT", Name: "experiment"},
		{Title: "RUN", Name: "run"},
		{Title: "STATE", Name: "state"},
		{Title: "FINISHED", Name: "finished", Right: true},
		{Title: "PLANNED", Name: "planned", Right: true},
		{Title: "INVALID", Name: "invalid", Right: true},
		{Title: "RESULTS", Name: "results"},
		{Title: "GO ON WITH", Name: "next"},
	}}
	exported := map[string]string{}
	folders := archive.List(where.results)
	for _, folder := range folders {
		exported[filepath.Base(filepath.Dir(folder))+"-"+filepath.Base(folder)] = folder
	}
	inCluster, err := a.runsInCluster(ctx, where)
	if err != nil {
		a.tell("the cluster's runs are not shown: %v", err)
	}
	shown := map[string]bool{}
	for i := range inCluster {
		e := &inCluster[i]
		key := e.DocumentName() + "-" + e.RunID()
		shown[key] = true
		t.Add(table.Plain, e.DocumentName(), e.RunID(), stateOf(e), itoa(e.Status.Finished), itoa(e.Status.Planned), itoa(e.Status.Invalid), exported[key], a.nextOf(e, where))
	}
	for _, folder := range folders {
		if experiment, run := filepath.Base(filepath.Dir(folder)), filepath.Base(folder); !shown[experiment+"-"+run] {
			t.Add(table.Faint, experiment, run, "exported", "", "", "", folder, "")
		}
	}
	return t.Write(a.Out, format, a.Colour)
}

// listArchived lists the runs at a place.
func (a *App) listArchived(ctx context.Context, from, format string) error {
	at, err := openDepot(from)
	if err != nil {
		return err
	}
	found, err := at.List(ctx)
	if err != nil {
		return err
	}
	t := &table.Table{Columns: []table.Column{
		{Title: "EXPERIMENT", Name: "experiment"}, {Title: "RUN", Name: "run"}, {Title: "STATE", Name: "state"}, {Title: "RESULTS", Name: "results"},
	}}
	for _, run := range found {
		state := "archived"
		if !run.Whole {
			state = "half archived"
		}
		t.Add(table.Plain, run.Experiment, run.Run, state, run.Address)
	}
	return t.Write(a.Out, format, a.Colour)
}

func (a *App) runsInCluster(ctx context.Context, where *place) ([]v1alpha1.Experiment, error) {
	cluster, err := a.reach(ctx, where)
	if err != nil {
		return nil, err
	}
	return cluster.List(ctx)
}

// nextOf is the command that goes on with a run, where it waits for one.
func (a *App) nextOf(e *v1alpha1.Experiment, where *place) string {
	switch {
	case runs.Suspended(e):
		return a.next("resume", e.RunID(), where)
	case e.Status.FinishedAt == nil && e.DeletionTimestamp.IsZero():
		return a.next("watch", e.RunID(), where)
	}
	return ""
}

func stateOf(e *v1alpha1.Experiment) string {
	if !e.DeletionTimestamp.IsZero() {
		return "being removed"
	}
	switch outcome, _ := progress.End(e); outcome {
	case progress.Complete:
		return "complete"
	case progress.Failed:
		return "failed"
	}
	if e.Spec.Suspend {
		return "suspended"
	}
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionProgressing); progressing != nil {
		return progressing.Reason
	}
	return "waiting for the operator"
}

func itoa(n int32) string { return strconv.FormatInt(int64(n), 10) }
