// Package archive keeps runs as files: one folder per run with the table, the manifests and the HdrHistogram logs. A
// later analysis needs nothing else. A bundle is the same folder as one compressed archive.
package archive

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Run is the exported data of a run.
type Run struct {
	// Experiment is the exported state; nil if its manifest is missing.
	Experiment *v1beta1.Experiment
	// Measurements has the finished measurements by name.
	Measurements map[string]*v1beta1.Measurement
	// Rows are those of measurements.csv, in the order of measurement.
	Rows []results.Row
	// Logs has the merged HdrHistogram logs by measurement.
	Logs map[string]*measure.Log
	// Profiles has the stacks of measurements with a profile, by measurement.
	Profiles map[string]profiles.Stacks
	// Notes describe what is missing or could not be read, one line each.
	Notes []string
	// Lacks describes what the export lacks of the run; empty if it is complete.
	Lacks string
}

// Name returns the name of the experiment, from the manifest or else from the table.
func (r *Run) Name() string {
	if r.Experiment != nil {
		return r.Experiment.DocumentName()
	}
	if len(r.Rows) > 0 {
		return r.Rows[0].Experiment
	}
	return "unknown"
}

// ID returns the identifier of the run, from the manifest or else from the table.
func (r *Run) ID() string {
	if r.Experiment != nil {
		return r.Experiment.RunID()
	}
	if len(r.Rows) > 0 {
		return r.Rows[0].Run
	}
	return "unknown"
}

// Began returns when the run began: its identifier is a time unless somebody chose another one.
func (r *Run) Began() time.Time {
	if at, is := TimeOf(r.ID()); is {
		return at
	}
	for i := range r.Rows {
		if at := r.Rows[i].StartedAt; !at.IsZero() {
			return at.UTC()
		}
	}
	if r.Experiment != nil {
		return r.Experiment.CreationTimestamp.UTC()
	}
	return time.Time{}
}

// TimeOf returns the time that a run's identifier is; false if somebody chose another one.
func TimeOf(id string) (time.Time, bool) {
	at, err := time.Parse(v1beta1.RunIDLayout, id)
	return at, err == nil
}

// Units returns the units in which the run is reported.
func (r *Run) Units() textfmt.Units { return textfmt.UnitsOf(r.Experiment) }

// Files of a run's folder.
const (
	MeasurementsFile = "measurements.csv"
	ComparisonFile   = "comparison.csv"
	ReportFile       = "report.html"
	EnvironmentFile  = "environment.yaml"
	DigestsFile      = "SHA256SUMS"
	// ExperimentFile also identifies the run.
	ExperimentFile = "manifests/experiment.yaml"
	// MeasurementsDir has one manifest for each measurement.
	MeasurementsDir = "manifests/measurements"
	hlogDir         = "hlog"
	profilesDir     = "profiles"
	logDir          = "logs"
	manifestSuffix  = ".yaml"
	hlogSuffix      = ".hlog"
	profileSuffix   = ".collapsed.gz"
	// ComparisonsDir is the folder, in the results folder, of comparisons of several runs, or with options that differ
	// from the experiment file.
	ComparisonsDir = "comparisons"
	// LatestLink, in the results folder, points at the latest run.
	LatestLink = "latest"
)
