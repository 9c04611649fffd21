// Package archive keeps runs as files: one folder per run with the table, the manifests and the HdrHistogram logs, which
// is all that a later analysis needs. A bundle is the same folder as one compressed archive.
package archive

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/stacks"
	"ringside.dev/ringside/operators/internal/units"
)

// Run is what is known of a run.
type Run struct {
	// Experiment as it was in the cluster; nil when its manifest is missing.
	Experiment *v1alpha1.Experiment
	// Measurements that are finished, by name.
	Measurements map[string]*v1alpha1.Measurement
	// Rows of measurements.csv, in the order in which they were taken.
	Rows []results.Row
	// Logs are the merged HdrHistogram logs, by measurement.
	Logs map[string]*measure.Log
	// Profiles are the stacks of those measurements that took one.
	Profiles map[string]stacks.Stacks
	// Notes say, one line each, what is missing or could not be read.
	Notes []string
	// Lacks describes what the export lacks of the run as it was in the cluster; empty of a whole one.
	Lacks string
}

// Name of the experiment and ID of the run, from wherever they are known.
func (r *Run) Name() string {
	if r.Experiment != nil {
		return r.Experiment.DocumentName()
	}
	if len(r.Rows) > 0 {
		return r.Rows[0].Experiment
	}
	return "unknown"
}

// ID of the run.
func (r *Run) ID() string {
	if r.Experiment != nil {
		return r.Experiment.RunID()
	}
	if len(r.Rows) > 0 {
		return r.Rows[0].Run
	}
	return "unknown"
}

// Units in which people are told of the run.
func (r *Run) Units() units.Units { return units.Of(r.Experiment) }

// Files of a run's folder.
const (
	MeasurementsFile = "measurements.csv"
	ComparisonFile   = "comparison.csv"
	ReportFile       = "report.html"
	EnvironmentFile  = "environment.yaml"
	DigestsFile      = "SHA256SUMS"
	// ExperimentFile is also what a run is identified by.
	ExperimentFile = "manifests/experiment.yaml"
	// MeasurementsDir has one manifest for each measurement.
	MeasurementsDir = "manifests/measurements"
	hlogDir         = "hlog"
	profilesDir     = "profiles"
	logDir          = "logs"
	manifestSuffix  = ".yaml"
	hlogSuffix      = ".hlog"
	profileSuffix   = ".collapsed.gz"
	// ComparisonsDir in the folder of results keeps comparisons that are not a run's own: of several runs, of two servers.
	ComparisonsDir = "comparisons"
	// LatestLink in the folder of results points at the run that was last begun.
	LatestLink = "latest"
)
