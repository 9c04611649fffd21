package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	return f.writeYAML(experimentFile, e)
}

// WriteMeasurement writes a Measurement's manifest.
func (f Folder) WriteMeasurement(m *v1alpha1.Measurement) error {
	m = m.DeepCopy()
	m.ManagedFields = nil
	m.APIVersion, m.Kind = v1alpha1.GroupVersion.String(), "Measurement"
	return f.writeYAML(filepath.Join(measurementsDir, m.Name+manifestSuffix), m)
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

// WriteDigests writes the SHA-256 of every file, in the form that sha256sum -c reads.
func (f Folder) WriteDigests() error {
	names, err := f.names()
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, name := range names {
		if name == DigestsFile {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.Path, name))
		if err != nil {
			return fmt.Errorf("digesting the run: %w", err)
		}
		out.WriteString(digestLine(name, text))
	}
	return f.Write(DigestsFile, []byte(out.String()))
}

// Replace writes a file anew that follows from the others, such as the report, and amends its line in the digests: whatever else was
// changed since the export still shows. A file that is as it was is left alone.
func (f Folder) Replace(name string, text []byte) error {
	before, err := os.ReadFile(filepath.Join(f.Path, name))
	if err == nil && bytes.Equal(before, text) {
		return nil
	}
	if err := f.Write(name, text); err != nil {
		return err
	}
	digests, err := os.ReadFile(filepath.Join(f.Path, DigestsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the export was not finished: there is nothing to keep true
	}
	if err != nil {
		return fmt.Errorf("reading the digests: %w", err)
	}
	var lines []string
	for line := range strings.Lines(string(digests)) {
		if !strings.HasSuffix(line, "  "+name+"\n") {
			lines = append(lines, line)
		}
	}
	lines = append(lines, digestLine(name, text))
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	return f.Write(DigestsFile, []byte(strings.Join(lines, "")))
}

// digestLine is as sha256sum prints it.
func digestLine(name string, text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%s  %s\n", hex.EncodeToString(sum[:]), name)
}

func nameOf(digestLine string) string {
	_, name, _ := strings.Cut(digestLine, "  ")
	return name
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
