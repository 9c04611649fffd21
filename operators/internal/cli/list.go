package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func (a *App) listCommand() *cobra.Command {
	var where place
	var format, from string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs in the cluster and in the results folder",
		Long: "List the runs in the cluster and in the results folder. If the cluster does not answer, only those in the results folder.\n" +
			"With --from, list the archived runs of a place, with the addresses that compare, report and table accept.\n\n" + exitCodes,
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
	cmd.Flags().StringVar(&from, "from", "", "list the archived runs of this `place` instead: a folder or s3://bucket/prefix")
	bindFormat(cmd, &format)
	return cmd
}

// ListColumns are the columns of list.
func ListColumns() []textfmt.Column {
	return []textfmt.Column{
		{Title: "EXPERIMENT", Name: "experiment", About: "Name of the experiment file."},
		{Title: "RUN", Name: "run", About: "Identifier of the run."},
		{Title: "STATE", Name: "state", About: "State of the run; incomplete if it is only in the results folder, and not completely."},
		{Title: "FINISHED", Name: "finished", Right: true, About: "Measurements that are finished."},
		{Title: "PLANNED", Name: "planned", Right: true, About: "Measurements that are planned."},
		{Title: "INVALID", Name: "invalid", Right: true, About: "Finished measurements that are invalid."},
		{Title: "RESULTS", Name: "results", About: "Folder of the run's results."},
		{Title: "NEXT COMMAND", Name: "next", About: "Command that the run waits for; empty if it waits for none."},
		{Title: "EXPORT", Name: "export", About: "complete, incomplete or none; empty while the run is under way."},
	}
}

func (a *App) list(ctx context.Context, where *place, format string) error {
	t := &textfmt.Table{Columns: ListColumns()}
	exported := map[string]string{}
	folders := archive.List(where.results)
	for _, folder := range folders {
		exported[archive.NameOf(folder)] = folder
	}
	inCluster, err := a.runsInCluster(ctx, where)
	if err != nil {
		a.printf("the cluster's runs are not shown: %v", err)
	}
	shown := map[string]bool{}
	for i := range inCluster {
		e := &inCluster[i]
		key := e.DocumentName() + "-" + e.RunID()
		shown[key] = true
		export := exportOf(e, exported[key])
		t.Add(textfmt.Plain, e.DocumentName(), e.RunID(), stateOf(e), textfmt.Int(e.Status.Finished), textfmt.Int(e.Status.Planned), textfmt.Int(e.Status.Invalid), exported[key],
			a.nextOf(e, export, where), export)
	}
	for _, folder := range folders {
		if shown[archive.NameOf(folder)] {
			continue
		}
		state, export := "exported", wholeExport
		if (archive.Folder{Path: folder}).Lacks() != "" {
			state, export = "incomplete", partExport
		}
		finished, planned, invalid := "", "", ""
		if e, err := (archive.Folder{Path: folder}).Experiment(); err == nil {
			finished, planned, invalid = textfmt.Int(e.Status.Finished), textfmt.Int(e.Status.Planned), textfmt.Int(e.Status.Invalid)
			if export == wholeExport {
				state = stateOf(e)
			}
		}
		t.Add(textfmt.Faint, filepath.Base(filepath.Dir(folder)), filepath.Base(folder), state, finished, planned, invalid, folder, "", export)
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
	t := &textfmt.Table{Columns: []textfmt.Column{
		{Title: "EXPERIMENT", Name: "experiment"}, {Title: "RUN", Name: "run"}, {Title: "STATE", Name: "state"}, {Title: "RESULTS", Name: "results"},
	}}
	for _, run := range found {
		state := "archived"
		if !run.Whole {
			state = "incomplete"
		}
		t.Add(textfmt.Plain, run.Experiment, run.Run, state, run.Address)
	}
	return t.Write(a.Out, format, a.Colour)
}

func (a *App) runsInCluster(ctx context.Context, where *place) ([]v1beta1.Experiment, error) {
	cluster, err := a.reach(ctx, where)
	if err != nil {
		return nil, err
	}
	return cluster.List(ctx)
}

// States of a run's export.
const (
	wholeExport = "complete"
	partExport  = "incomplete"
	noExport    = "none"
)

// exportOf returns the state of the export of a run in the cluster; empty while the run is active. folder is empty if
// there is none.
func exportOf(e *v1beta1.Experiment, folder string) string {
	switch standing := runs.StandingOf(e); {
	case standing == runs.Going || standing == runs.Stopping:
		return ""
	case folder == "" && e.Status.Finished == 0:
		return ""
	case folder == "":
		return noExport
	}
	if exported := (archive.Folder{Path: folder}); exported.Lacks() != "" || exported.Rows() < int(e.Status.Finished) {
		return partExport
	}
	return wholeExport
}

// nextOf returns the command that a run waits for; empty if it waits for none.
func (a *App) nextOf(e *v1beta1.Experiment, export string, where *place) string {
	switch {
	case runs.Suspended(e):
		return a.next("resume", e.RunID(), where)
	case e.Status.FinishedAt == nil && e.DeletionTimestamp.IsZero():
		return a.next("watch", e.RunID(), where)
	case export == partExport || export == noExport:
		return a.next("export", e.RunID(), where)
	}
	return ""
}

// stateOf returns a run's state in the words of kubectl get experiments, plus one for a run that is being removed and one for a run that
// the operator has not accepted yet.
func stateOf(e *v1beta1.Experiment) string {
	if !e.DeletionTimestamp.IsZero() {
		return "being removed"
	}
	return cmp.Or(runs.Stage(e), "waiting for the operator")
}
