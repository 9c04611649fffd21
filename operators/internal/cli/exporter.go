package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/progress"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
)

// exporter writes a run's folder, a measurement at a time, so that whatever ends the run, the finished ones are there.
type exporter struct {
	cluster *runs.Cluster
	run     *v1alpha1.Experiment
	results string
	folder  archive.Folder
	// keep archives the folder of a finished run; nil where that was not asked for.
	keep    func(ctx context.Context, folder archive.Folder) error
	rows    []results.Row
	written map[string]bool
	// problems per measurement whose export did not work yet.
	problems map[string]error
	waited   int
	// archived is the run as it was exported, once it is finished.
	archived *archive.Run
	// comparison of the run's servers; nil where there is nothing to compare.
	comparison *compare.Result
}

func (a *App) newExporter(cluster *runs.Cluster, run *v1alpha1.Experiment, where *place) (*exporter, error) {
	keep, err := a.keeper(where)
	if err != nil {
		return nil, err
	}
	resultsDir := where.results
	if resultsDir == "" {
		resultsDir = defaultResults
	}
	folder, err := archive.NewFolder(resultsDir, run.DocumentName(), run.RunID())
	if err != nil {
		return nil, err
	}
	return &exporter{
		cluster: cluster, run: run, results: resultsDir, folder: folder, keep: keep, written: map[string]bool{}, problems: map[string]error{},
	}, folder.WriteExperiment(run)
}

// servers are the names of the arms in the document's order.
func (x *exporter) servers() []string {
	var names []string
	for _, server := range x.run.Spec.Servers {
		names = append(names, server.Name)
	}
	return names
}

// take writes the measurements that were finished since. What does not work is tried again, and told in the end.
func (x *exporter) take(ctx context.Context, measurements []v1alpha1.Measurement) {
	for i := range measurements {
		m := &measurements[i]
		if !results.Finished(m) || x.written[m.Name] {
			continue
		}
		err := x.write(ctx, m)
		x.record(m.Name, err)
		x.written[m.Name] = err == nil
	}
	rows := progress.Rows(measurements)
	if len(rows) == len(x.rows) {
		return
	}
	x.rows = rows
	x.record(archive.MeasurementsFile, x.writeRows())
}

func (x *exporter) record(what string, err error) {
	if err != nil {
		x.problems[what] = err
	} else {
		delete(x.problems, what)
	}
}

// writeRows writes the table and, once there is something in it, calls the run the latest.
func (x *exporter) writeRows() error {
	if err := x.folder.WriteRows(x.rows); err != nil || len(x.rows) == 0 {
		return err
	}
	return archive.PointLatest(x.results, x.folder)
}

func (x *exporter) write(ctx context.Context, m *v1alpha1.Measurement) error {
	if err := x.folder.WriteMeasurement(m); err != nil {
		return err
	}
	profile, err := x.cluster.Profile(ctx, m)
	if err != nil {
		return err
	}
	if len(profile) > 0 {
		if err := x.folder.WriteProfile(m.Name, profile); err != nil {
			return err
		}
	}
	log, err := x.cluster.Log(ctx, m)
	if err != nil || log == nil {
		return err
	}
	return x.folder.WriteLog(m.Name, log, fmt.Sprintf("[%s, %s of %s]", m.Name, m.Spec.Run, m.Spec.Experiment))
}

// maxStragglerLooks bounds the wait for measurements that the experiment's status already counts.
const maxStragglerLooks = 20

func (x *exporter) waitForStragglers() bool {
	x.waited++
	return x.waited <= maxStragglerLooks
}

// finish writes what belongs to the run as a whole.
func (x *exporter) finish(ctx context.Context, run *v1alpha1.Experiment, measurements []v1alpha1.Measurement) error {
	x.run = run
	x.take(ctx, measurements)
	x.record(archive.MeasurementsFile, x.writeRows())
	if err := x.folder.WriteExperiment(run); err != nil {
		return err
	}
	if events, err := x.cluster.Events(ctx, run); err == nil && events != "" {
		if err := x.folder.WriteText("events.txt", events); err != nil {
			return err
		}
	}
	if err := x.derive(); err != nil {
		return errors.Join(x.problem(), err)
	}
	if err := x.problem(); err != nil || run.Status.FinishedAt == nil {
		return err
	}
	if x.keep != nil { // before the mark, by which the run may be removed
		if err := x.keep(ctx, x.folder); err != nil {
			return err
		}
	}
	return x.cluster.MarkExported(ctx, run)
}

// problem is what could not be exported: the first by name, and how many more.
func (x *exporter) problem() error {
	names := slices.Sorted(maps.Keys(x.problems))
	if len(names) == 0 {
		return nil
	}
	err := fmt.Errorf("%s could not be exported: %w", names[0], x.problems[names[0]])
	if more := len(names) - 1; more > 0 {
		err = fmt.Errorf("%w (and %d more)", err, more)
	}
	return err
}

// derive writes what follows from the exported files alone: environment, comparison, report, digests.
func (x *exporter) derive() error {
	run, err := archive.Read(x.folder.Path)
	if err != nil {
		return fmt.Errorf("reading back what was exported: %w", err)
	}
	x.archived = run
	if err := x.folder.WriteEnvironment(run); err != nil {
		return err
	}
	if comparison, err := compare.Within(run, compare.Defaults()); err == nil { // one server alone is compared with nothing
		var text bytes.Buffer
		if err := comparison.WriteCSV(&text); err != nil {
			return err
		}
		if err := x.folder.Write(archive.ComparisonFile, text.Bytes()); err != nil {
			return err
		}
		x.comparison = comparison
	}
	page, err := renderReport(run)
	if err != nil {
		return err
	}
	if err := x.folder.Write(archive.ReportFile, page); err != nil {
		return err
	}
	return x.folder.WriteDigests()
}
