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
	"ringside.dev/ringside/operators/internal/report"
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
	keep func(ctx context.Context, folder archive.Folder) error
	// rows of the finished measurements that were seen, by name and in order.
	finished map[string]results.Row
	rows     []results.Row
	written  map[string]bool
	// problems per measurement whose export did not work yet.
	problems map[string]error
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
		cluster: cluster, run: run, results: resultsDir, folder: folder, keep: keep, finished: map[string]results.Row{}, written: map[string]bool{}, problems: map[string]error{},
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

// take writes the measurements that were finished since. What does not work is tried again, and told in the end. A measurement that was
// seen finished stays in the table, also when it is deleted in the cluster.
func (x *exporter) take(ctx context.Context, measurements []v1alpha1.Measurement) {
	before := len(x.finished)
	for i := range measurements {
		m := &measurements[i]
		if !results.Finished(m) {
			continue
		}
		x.finished[m.Name] = results.FromMeasurement(m)
		if x.written[m.Name] {
			continue
		}
		err := x.write(ctx, m)
		x.record(m.Name, err)
		x.written[m.Name] = err == nil
	}
	if len(x.finished) == before {
		return
	}
	x.rows = slices.Collect(maps.Values(x.finished))
	results.Sort(x.rows)
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

// finish writes what belongs to the run as a whole. The folder gets its digests, by which everything takes it for whole, only when nothing
// is missing, and the run its mark only after that.
func (x *exporter) finish(ctx context.Context, run *v1alpha1.Experiment, measurements []v1alpha1.Measurement) error {
	x.run = run
	x.take(ctx, measurements)
	x.record(archive.ExperimentFile, x.folder.WriteExperiment(run))
	x.record(archive.MeasurementsFile, x.writeRows())
	x.record(missing, x.catchUp(ctx))
	if events, err := x.cluster.Events(ctx, run); err == nil && events != "" {
		x.record("events", x.folder.WriteText("events.txt", events))
	}
	derived := x.derive() // also of a run in part, which has a report as far as it goes
	if err := errors.Join(x.problem(), derived); err != nil {
		return err
	}
	if err := x.folder.WriteDigests(); err != nil || run.Status.FinishedAt == nil {
		return err
	}
	if x.keep != nil { // before the mark, by which the run may be removed
		if err := x.keep(ctx, x.folder); err != nil {
			return err
		}
	}
	return x.cluster.MarkExported(ctx, run)
}

// missing are measurements that the run counts and that were not seen.
const missing = "some measurements"

// catchUp lists the measurements once where fewer were seen than the run counts as finished: a watch may lag behind.
func (x *exporter) catchUp(ctx context.Context) error {
	if x.short() == nil {
		return nil
	}
	measurements, err := x.cluster.Measurements(ctx, x.run)
	if err != nil {
		return err
	}
	x.take(ctx, measurements)
	return x.short()
}

func (x *exporter) short() error {
	if counted := int(x.run.Status.Finished); len(x.rows) < counted {
		return fmt.Errorf("the run counts %d finished measurements, and the cluster has %d", counted, len(x.rows))
	}
	return nil
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

// derive writes what follows from the exported files alone: environment, comparison, report.
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
	page, err := renderReport(report.Build(run))
	if err != nil {
		return err
	}
	return x.folder.Write(archive.ReportFile, page)
}
