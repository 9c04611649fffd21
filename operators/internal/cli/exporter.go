package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/report"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
)

// exporter writes a run's folder measurement by measurement, so that finished measurements are on disk however the run ends.
type exporter struct {
	cluster *runs.Cluster
	run     *v1beta1.Experiment
	results string
	folder  archive.Folder
	// keep archives the folder of a finished run; nil without --archive.
	keep func(ctx context.Context, folder archive.Folder) error
	// finished and rows hold the finished measurements seen so far, by name and in order.
	finished map[string]results.Row
	rows     []results.Row
	written  map[string]bool
	// problems holds the error of each measurement that is not yet exported.
	problems map[string]error
	// archived is the run as it was exported, once it is finished.
	archived *archive.Run
	// comparison compares the run's servers; nil if it has only one.
	comparison *compare.Result
}

func (a *App) newExporter(cluster *runs.Cluster, run *v1beta1.Experiment, where *place) (*exporter, error) {
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

// servers returns the names of the servers in the experiment's order.
func (x *exporter) servers() []string {
	var names []string
	for _, server := range x.run.Spec.Servers {
		names = append(names, server.Name)
	}
	return names
}

// writers is the number of measurements that are written in parallel: while the logs of one are read, those of another are merged.
const writers = 2

// add writes the measurements that have finished since the last call. A failed write is tried again, and finish reports it. A
// measurement that was seen finished stays in the table even if it is deleted from the cluster.
func (x *exporter) add(ctx context.Context, measurements []v1beta1.Measurement) {
	before := len(x.finished)
	var left []*v1beta1.Measurement
	for i := range measurements {
		m := &measurements[i]
		if !m.Finished() {
			continue
		}
		x.finished[m.Name] = results.FromMeasurement(m)
		if !x.written[m.Name] {
			left = append(left, m)
		}
	}
	failures := make([]error, len(left))
	var group errgroup.Group
	group.SetLimit(writers)
	for i, m := range left {
		group.Go(func() error {
			failures[i] = x.write(ctx, m)
			return nil
		})
	}
	_ = group.Wait() // each measurement has its own error
	for i, m := range left {
		x.record(m.Name, failures[i])
		x.written[m.Name] = failures[i] == nil
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

// writeRows writes the table and, once it has rows, points results/latest at the run.
func (x *exporter) writeRows() error {
	if err := x.folder.WriteRows(x.rows); err != nil || len(x.rows) == 0 {
		return err
	}
	return archive.PointLatest(x.results, x.folder)
}

func (x *exporter) write(ctx context.Context, m *v1beta1.Measurement) error {
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

// finish writes what belongs to the run as a whole. It writes the digests, which mark the folder as complete, only if nothing is missing,
// and marks the run as exported only after that.
func (x *exporter) finish(ctx context.Context, run *v1beta1.Experiment, measurements []v1beta1.Measurement) error {
	x.run = run
	x.add(ctx, measurements)
	x.record(archive.ExperimentFile, x.folder.WriteExperiment(run))
	x.record(archive.MeasurementsFile, x.writeRows())
	x.record(missing, x.catchUp(ctx))
	if events, err := x.cluster.Events(ctx, run); err == nil && events != "" {
		x.record("events", x.folder.WriteText("events.txt", events))
	}
	derived := x.derive() // also for a partial run, whose report shows what there is
	if err := errors.Join(x.problem(), derived); err != nil {
		return err
	}
	if err := x.folder.WriteDigests(); err != nil || run.Status.FinishedAt == nil {
		return err
	}
	if x.keep != nil { // before the mark, after which the run may be removed
		if err := x.keep(ctx, x.folder); err != nil {
			return err
		}
	}
	return x.cluster.MarkExported(ctx, run)
}

// missing names measurements that the run counts and that were not seen.
const missing = "some measurements"

// catchUp lists the measurements once if fewer were seen than the run counts as finished: a watch may lag behind.
func (x *exporter) catchUp(ctx context.Context) error {
	if x.short() == nil {
		return nil
	}
	measurements, err := x.cluster.Measurements(ctx, x.run)
	if err != nil {
		return err
	}
	x.add(ctx, measurements)
	return x.short()
}

func (x *exporter) short() error {
	if counted := int(x.run.Status.Finished); len(x.rows) < counted {
		return fmt.Errorf("the run counts %d finished measurements, but the cluster has %d", counted, len(x.rows))
	}
	return nil
}

// problem returns the first failed export by name, and how many others failed.
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

// derive writes the files that are computed from exported ones: environment, comparison, report.
func (x *exporter) derive() error {
	run, err := archive.Read(x.folder.Path)
	if err != nil {
		return fmt.Errorf("reading back what was exported: %w", err)
	}
	x.archived = run
	if err := x.folder.WriteEnvironment(run); err != nil {
		return err
	}
	if comparison, err := compare.Within(run, compare.Defaults()); err == nil { // a single server has no comparison
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
