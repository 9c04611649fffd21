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
	"ringside.dev/ringside/operators/internal/table"
)

func (a *App) listCommand() *cobra.Command {
	var where place
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs in the cluster and among the results",
		Long:  "List the runs in the cluster and among the results. Without a cluster, those among the results.\n\n" + exitCodes,
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			return a.list(cmd.Context(), &where, format)
		},
	}
	where.bind(cmd)
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
		t.Add(table.Plain, e.DocumentName(), e.RunID(), stateOf(e), itoa(e.Status.Finished), itoa(e.Status.Planned), itoa(e.Status.Invalid), exported[key])
	}
	for _, folder := range folders {
		if experiment, run := filepath.Base(filepath.Dir(folder)), filepath.Base(folder); !shown[experiment+"-"+run] {
			t.Add(table.Faint, experiment, run, "exported", "", "", "", folder)
		}
	}
	return t.Write(a.Out, format, a.Colour)
}

func (a *App) runsInCluster(ctx context.Context, where *place) ([]v1alpha1.Experiment, error) {
	cluster, err := a.connect(ctx, where)
	if err != nil {
		return nil, err
	}
	return cluster.List(ctx)
}

func stateOf(e *v1alpha1.Experiment) string {
	switch outcome, _ := progress.End(e); outcome {
	case progress.Complete:
		return "complete"
	case progress.Failed:
		return "failed"
	}
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionProgressing); progressing != nil {
		return progressing.Reason
	}
	return "waiting for the operator"
}

func itoa(n int32) string { return strconv.FormatInt(int64(n), 10) }
