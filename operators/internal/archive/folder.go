package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// Folder is where a run is written: <results>/<experiment>/<run>.
type Folder struct{ Path string }

// NewFolder makes the run's folder.
func NewFolder(resultsDir, experiment, run string) (Folder, error) {
	folder := Folder{filepath.Join(resultsDir, experiment, run)}
	if err := os.MkdirAll(folder.Path, 0o755); err != nil {
		return folder, fmt.Errorf("making the folder of results: %w", err)
	}
	return folder, nil
}

// Write replaces a file of the folder as a whole: a reader sees the old text or the new, never half.
func (f Folder) Write(name string, text []byte) error {
	path := filepath.Join(f.Path, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making the folder of %s: %w", name, err)
	}
	return replaceFile(path, text)
}

func replaceFile(path string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(temporary.Name()) // gone already when all went well
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// WriteRows writes measurements.csv.
func (f Folder) WriteRows(rows []results.Row) error {
	var text bytes.Buffer
	if err := results.WriteCSV(&text, rows, ','); err != nil {
		return err
	}
	return f.Write(MeasurementsFile, text.Bytes())
}

// WriteExperiment writes the Experiment's manifest.
func (f Folder) WriteExperiment(e *v1alpha1.Experiment) error {
	e = e.DeepCopy()
	e.ManagedFields = nil
	e.APIVersion, e.Kind = v1alpha1.GroupVersion.String(), "Experiment"
	return f.writeYAML(ExperimentFile, e)
}

// WriteMeasurement writes a Measurement's manifest.
func (f Folder) WriteMeasurement(m *v1alpha1.Measurement) error {
	m = m.DeepCopy()
	m.ManagedFields = nil
	m.APIVersion, m.Kind = v1alpha1.GroupVersion.String(), "Measurement"
	return f.writeYAML(filepath.Join(MeasurementsDir, m.Name+manifestSuffix), m)
}

func (f Folder) writeYAML(name string, object any) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	return f.Write(name, text)
}

// WriteLog writes a measurement's merged log for HdrHistogram's own tools.
func (f Folder) WriteLog(measurement string, log *measure.Log, comments ...string) error {
	var text bytes.Buffer
	if err := measure.WriteLog(&text, log, comments...); err != nil {
		return fmt.Errorf("encoding the log of %s: %w", measurement, err)
	}
	return f.Write(filepath.Join(hlogDir, measurement+hlogSuffix), text.Bytes())
}

// HasLog says whether the measurement's log was written before.
func (f Folder) HasLog(measurement string) bool {
	_, err := os.Stat(filepath.Join(f.Path, hlogDir, measurement+hlogSuffix))
	return err == nil
}

// WriteProfile writes the packed stacks of a measurement's profile, for whatever reads collapsed stacks.
func (f Folder) WriteProfile(measurement string, packed []byte) error {
	return f.Write(filepath.Join(profilesDir, measurement+profileSuffix), packed)
}

// WriteText writes a log of another kind, such as events.
func (f Folder) WriteText(name, text string) error {
	return f.Write(filepath.Join(logDir, name), []byte(text))
}

// names of the folder's files in order, bundles and unfinished writes left out.
func (f Folder) names() ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(f.Path), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".new-") && !strings.HasSuffix(path, bundleSuffix) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the run's files: %w", err)
	}
	return names, nil
}

// PointLatest makes <results>/latest point at the folder, in one step.
func PointLatest(resultsDir string, folder Folder) error {
	target, err := filepath.Rel(resultsDir, folder.Path)
	if err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	link := filepath.Join(resultsDir, LatestLink)
	temporary := fmt.Sprintf("%s.%d", link, os.Getpid())
	if err := os.Symlink(target, temporary); err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	if err := os.Rename(temporary, link); err != nil {
		return errors.Join(fmt.Errorf("pointing at the latest run: %w", err), os.Remove(temporary))
	}
	return nil
}
