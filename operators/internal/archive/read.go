package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/results"
)

// Read reads a run's folder or bundle. The run's Notes name what is missing, incomplete or of another version; the rest
// is read nevertheless. An error means that nothing could be read.
func Read(location string) (*Run, error) {
	info, err := os.Stat(location)
	if err != nil {
		return nil, fmt.Errorf("there is no run at %s", location)
	}
	var source files = folderFiles(location)
	if !info.IsDir() {
		if source, err = openBundle(location); err != nil {
			return nil, err
		}
	}
	run := &Run{Measurements: map[string]*v1beta1.Measurement{}, Logs: map[string]*measure.Log{}, Profiles: map[string]profiles.Stacks{}}
	run.readRows(source)
	run.readExperiment(source)
	run.readMeasurements(source)
	run.readLogs(source)
	run.readProfiles(source)
	run.Lacks = lacks(source)
	if len(run.Rows) == 0 && run.Experiment == nil {
		return nil, fmt.Errorf("%s does not contain a run: %s", location, strings.Join(run.Notes, results.Separator))
	}
	if len(run.Rows) == 0 {
		run.note("no measurement was finished")
	}
	return run, nil
}

func (r *Run) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *Run) readRows(source files) {
	text, err := source.read(MeasurementsFile)
	if err != nil {
		r.note("there is no %s", MeasurementsFile)
		return
	}
	rows, notes, err := results.ReadCSV(bytes.NewReader(text))
	r.Notes = append(r.Notes, notes...)
	if err != nil {
		r.note("%v", err)
	}
	r.Rows = rows
}

func (r *Run) readExperiment(source files) {
	var experiment v1beta1.Experiment
	if err := readManifest(source, ExperimentFile, "Experiment", &experiment); err != nil {
		r.note("plan and environment are not known: %v", err)
		return
	}
	r.Experiment = &experiment
}

// Experiment reads the Experiment's manifest.
func (f Folder) Experiment() (*v1beta1.Experiment, error) {
	var experiment v1beta1.Experiment
	return &experiment, readManifest(folderFiles(f.Path), ExperimentFile, "Experiment", &experiment)
}

func (r *Run) readMeasurements(source files) {
	names := source.list(MeasurementsDir)
	read, failures := make([]v1beta1.Measurement, len(names)), make([]error, len(names))
	parallel(len(names), func(i int) { failures[i] = readManifest(source, names[i], "Measurement", &read[i]) })
	for i := range names {
		if failures[i] != nil {
			r.note("a measurement was left out: %v", failures[i])
			continue
		}
		r.Measurements[read[i].Name] = &read[i]
	}
	var without []string
	for i := range r.Rows {
		if m, there := r.Measurements[r.Rows[i].Measurement]; there {
			r.Rows[i] = results.FromMeasurement(m) // the figures in the file are rounded
		} else {
			without = append(without, r.Rows[i].Measurement)
		}
	}
	if len(without) > 0 {
		r.note("%d of %d rows have no manifest, so there are no histograms and no environment for them", len(without), len(r.Rows))
	}
}

func (r *Run) readLogs(source files) {
	names := source.list(hlogDir)
	logs, failures := make([]*measure.Log, len(names)), make([]error, len(names))
	parallel(len(names), func(i int) { logs[i], failures[i] = readLog(source, names[i]) })
	for i, name := range names {
		log, err := logs[i], failures[i]
		if err != nil {
			r.note("%s could not be read: %v", name, err)
			continue
		}
		measurement := strings.TrimSuffix(path.Base(name), hlogSuffix)
		if wrong := r.wrongLog(measurement, log); wrong != "" {
			r.note("%s is left out: %s", name, wrong)
			continue
		}
		r.Logs[measurement] = log
	}
}

func readLog(source files, name string) (*measure.Log, error) {
	text, err := source.read(name)
	if err != nil {
		return nil, err
	}
	return measure.ReadLog(bytes.NewReader(text))
}

// parallel calls do with each number below n, on all cores: decoding a large run takes many seconds of CPU time.
func parallel(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait() // do keeps its errors
}

// wrongLog returns why a measurement's log cannot be used; empty if it can.
func (r *Run) wrongLog(measurement string, log *measure.Log) string {
	m := r.Measurements[measurement]
	switch {
	case log.Contradiction != "":
		return log.Contradiction
	case len(log.Intervals) == 0 && m != nil && m.Spec.Operations > 0:
		return fmt.Sprintf("the log has 0 of %d operations", m.Spec.Operations)
	case len(log.Intervals) == 0:
		return "the log has 0 operations"
	case m == nil:
		return ""
	}
	if took, known := took(m); known && took > 0 && log.End.Sub(log.Start) > took { // a negative time says nothing
		return fmt.Sprintf("the log covers %s, but the measurement took %s", log.End.Sub(log.Start), took)
	}
	return ""
}

// took returns the time from a measurement's start to its end by the operator's clock, plus some slack.
func took(m *v1beta1.Measurement) (time.Duration, bool) {
	finished := meta.FindStatusCondition(m.Status.Conditions, v1beta1.ConditionFinished)
	if m.Status.StartAt == nil || finished == nil || finished.LastTransitionTime.IsZero() {
		return 0, false
	}
	const slack = 2 * time.Second // the end has whole seconds, and clocks differ
	return finished.LastTransitionTime.Sub(m.Status.StartAt.Time) + slack, true
}

func (r *Run) readProfiles(source files) {
	for _, name := range source.list(profilesDir) {
		packed, err := source.read(name)
		if err != nil {
			r.note("%s could not be read: %v", name, err)
			continue
		}
		profile, err := profiles.Unpack(packed)
		if err != nil {
			r.note("%s could not be read: %v", name, err)
			continue
		}
		r.Profiles[strings.TrimSuffix(path.Base(name), profileSuffix)] = profile
	}
}

func readManifest(source files, name, kind string, into any) error {
	text, err := source.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s", name)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return decodeManifest(name, text, kind, into)
}

// decodeManifest rejects an unsupported version: partly decoded fields would look like figures.
func decodeManifest(name string, text []byte, kind string, into any) error {
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return fmt.Errorf("%s is damaged", name)
	}
	var head metav1.TypeMeta
	if err := json.Unmarshal(asJSON, &head); err != nil {
		return fmt.Errorf("%s is damaged", name)
	}
	if want := v1beta1.GroupVersion.String(); head.APIVersion != want || head.Kind != kind {
		return fmt.Errorf("%s is %s of %s, but this version of ringside reads %s of %s", name, head.Kind, head.APIVersion, kind, want)
	}
	if err := json.Unmarshal(asJSON, into); err != nil {
		return fmt.Errorf("%s is not a valid %s: %w", name, kind, err)
	}
	return nil
}

// ErrNoRun reports that the results folder does not have the run.
var ErrNoRun = errors.New("no such run")

// Locate returns the location of a run: a folder or bundle, a run's identifier, the Experiment's name, or latest. An
// empty name means latest.
func Locate(name, resultsDir string) (string, error) {
	if name == "" || name == LatestLink {
		target, err := filepath.EvalSymlinks(filepath.Join(resultsDir, LatestLink))
		if err != nil {
			return "", fmt.Errorf("%w in %s yet: make experiment SERVER=disruptor starts one", ErrNoRun, resultsDir)
		}
		return target, nil
	}
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	var names []string
	for _, found := range List(resultsDir) {
		if name == filepath.Base(found) || name == NameOf(found) {
			return found, nil
		}
		names = append(names, NameOf(found))
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%w as %q: %s is empty", ErrNoRun, name, resultsDir)
	}
	return "", fmt.Errorf("%w as %q: choose from %s", ErrNoRun, name, strings.Join(names, ", "))
}

// NameOf returns the name of the run in a folder: <experiment>-<run>.
func NameOf(folder string) string {
	return filepath.Base(filepath.Dir(folder)) + "-" + filepath.Base(folder)
}

// List returns the folders of all runs, oldest first.
func List(resultsDir string) []string {
	found, err := filepath.Glob(filepath.Join(resultsDir, "*", "*", MeasurementsFile))
	if err != nil {
		return nil // the pattern is valid unless the folder's name has special characters
	}
	var folders []string
	for _, file := range found {
		folders = append(folders, filepath.Dir(file))
	}
	slices.SortFunc(folders, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return folders
}
