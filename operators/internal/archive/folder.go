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

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// temporaryPrefix begins the names of files that are being written.
const temporaryPrefix = ".new-"

// Folder is the folder of a run: <results>/<experiment>/<run>.
type Folder struct{ Path string }

// NewFolder creates the run's folder.
func NewFolder(resultsDir, experiment, run string) (Folder, error) {
	folder := Folder{filepath.Join(resultsDir, experiment, run)}
	if err := os.MkdirAll(folder.Path, 0o755); err != nil {
		return folder, fmt.Errorf("creating the results folder: %w", err)
	}
	return folder, nil
}

// Write replaces a file of the folder atomically: a reader sees the old or the new text. A file with the same text is
// not touched. The digests mark a complete export, so Write deletes them before it changes a file that they list.
func (f Folder) Write(name string, text []byte) error {
	path := filepath.Join(f.Path, name)
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, text) {
		return nil
	}
	if err := f.unmark(); err != nil {
		return err
	}
	return WriteFile(path, text)
}

// unmark deletes the digests: the folder is no longer complete.
func (f Folder) unmark() error {
	if err := os.Remove(filepath.Join(f.Path, DigestsFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("writing to %s: %w", f.Path, err)
	}
	return nil
}

// WriteFile replaces a file atomically, and creates its folder.
func WriteFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("creating the folder of %s: %w", path, err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), temporaryPrefix+"*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer os.Remove(temporary.Name()) // fails after a successful rename
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// Seal writes the digests of a folder after all other files are on the disk. The files then survive a loss of power,
// and the originals may be deleted.
func (f Folder) Seal(digests []byte) error {
	if err := f.sync(); err != nil {
		return err
	}
	path := filepath.Join(f.Path, DigestsFile)
	if err := WriteFile(path, digests); err != nil {
		return err
	}
	return errors.Join(syncPath(path), syncPath(f.Path))
}

// sync waits until the folder's files and their directory entries are on the disk.
func (f Folder) sync() error {
	return filepath.WalkDir(f.Path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("listing the run's files: %w", err)
		case entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), temporaryPrefix), entry.IsDir():
			return syncPath(path)
		}
		return nil
	})
}

func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("writing %s to the disk: %w", path, err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("writing %s to the disk: %w", path, err)
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
func (f Folder) WriteExperiment(e *v1beta1.Experiment) error {
	e = e.DeepCopy()
	e.ManagedFields = nil
	e.APIVersion, e.Kind = v1beta1.GroupVersion.String(), "Experiment"
	return f.writeYAML(ExperimentFile, e)
}

// WriteMeasurement writes a Measurement's manifest.
func (f Folder) WriteMeasurement(m *v1beta1.Measurement) error {
	m = m.DeepCopy()
	m.ManagedFields = nil
	m.APIVersion, m.Kind = v1beta1.GroupVersion.String(), "Measurement"
	return f.writeYAML(filepath.Join(MeasurementsDir, m.Name+manifestSuffix), m)
}

func (f Folder) writeYAML(name string, object any) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	return f.Write(name, text)
}

// WriteLog writes a measurement's merged log in the format of HdrHistogram's own tools.
func (f Folder) WriteLog(measurement string, log *measure.Log, comments ...string) error {
	var text bytes.Buffer
	if err := measure.WriteLog(&text, log, comments...); err != nil {
		return fmt.Errorf("encoding the log of %s: %w", measurement, err)
	}
	return f.Write(filepath.Join(hlogDir, measurement+hlogSuffix), text.Bytes())
}

// WriteProfile writes the packed stacks of a measurement's profile, in the format of collapsed stacks.
func (f Folder) WriteProfile(measurement string, packed []byte) error {
	return f.Write(filepath.Join(profilesDir, measurement+profileSuffix), packed)
}

// WriteText writes a text log, such as events.
func (f Folder) WriteText(name, text string) error {
	return f.Write(filepath.Join(logDir, name), []byte(text))
}

// names returns the folder's files in order, without bundles and unfinished writes.
func (f Folder) names() ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(f.Path), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), temporaryPrefix) && !strings.HasSuffix(path, bundleSuffix) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the run's files: %w", err)
	}
	return names, nil
}

// PointLatest makes <results>/latest point at the folder, atomically.
func PointLatest(resultsDir string, folder Folder) error {
	target, err := filepath.Rel(resultsDir, folder.Path)
	if err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	link := filepath.Join(resultsDir, LatestLink)
	beside, err := os.MkdirTemp(resultsDir, temporaryPrefix+"*") // a name that no other process uses, not even one that was killed
	if err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	defer os.RemoveAll(beside)
	temporary := filepath.Join(beside, LatestLink)
	if err := os.Symlink(target, temporary); err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	if err := os.Rename(temporary, link); err != nil {
		return fmt.Errorf("pointing at the latest run: %w", err)
	}
	return nil
}
