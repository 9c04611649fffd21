package archive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

func exported(t testing.TB, resultsDir string, profiles ...v1beta1.ProfileEvent) archive.Folder {
	t.Helper()
	operations := int64(600)
	folder, err := simulated.Archive(resultsDir, simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0,
		v1beta1.PhaseSpec{Name: "write", Repeats: 2, Threads: 5, Operations: &operations, Profile: profiles}), nil)
	require.NoError(t, err)
	require.NoError(t, archive.PointLatest(resultsDir, folder))
	return folder
}

func TestABundleHoldsTheWholeRun(t *testing.T) {
	folder := exported(t, t.TempDir())
	require.NoError(t, folder.WriteDigests())
	want, err := archive.Read(folder.Path)
	require.NoError(t, err)
	bundle, err := folder.WriteBundle("toy-20261121-001500", time.Unix(1_700_000_000, 0))
	require.NoError(t, err)
	first, err := os.ReadFile(bundle)
	require.NoError(t, err)
	got, err := archive.Read(bundle)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Len(t, got.Logs, 2)
	assert.Empty(t, got.Notes)

	_, err = folder.WriteBundle("toy-20261121-001500", time.Unix(1_700_000_000, 0))
	require.NoError(t, err)
	second, err := os.ReadFile(bundle)
	require.NoError(t, err)
	assert.Equal(t, first, second, "equal runs give equal bundles, and a bundle never holds the last one")
}

func TestFindsARunByWhatPeopleCallIt(t *testing.T) {
	results := t.TempDir()
	_, err := archive.Locate("", results)
	require.ErrorIs(t, err, archive.ErrNoRun)
	folder := exported(t, results)
	for _, name := range []string{"", "latest", "20261121-001500", "toy-20261121-001500", folder.Path} {
		found, err := archive.Locate(name, results)
		require.NoError(t, err, name)
		assert.Equal(t, "20261121-001500", filepath.Base(found), name)
	}
	_, err = archive.Locate("20200101-000000", results)
	assert.ErrorContains(t, err, `no such run as "20200101-000000": choose from toy-20261121-001500`)
}

func TestPointsAtTheLatestRunWithARelativeLink(t *testing.T) {
	results := t.TempDir()
	exported(t, results)
	target, err := os.Readlink(filepath.Join(results, "latest"))
	require.NoError(t, err)
	assert.Equal(t, filepath.Join("toy", "20261121-001500"), target)

	// A file that a killed process with the same number has left does no harm.
	require.NoError(t, os.WriteFile(fmt.Sprintf("%s.%d", filepath.Join(results, "latest"), os.Getpid()), nil, 0o600))
	require.NoError(t, archive.PointLatest(results, archive.Folder{Path: filepath.Join(results, "toy", "2")}))
	target, err = os.Readlink(filepath.Join(results, "latest"))
	require.NoError(t, err)
	assert.Equal(t, filepath.Join("toy", "2"), target)
}

func TestAnExportIsWholeOnceItsDigestsAreThereAndNothingChangedSince(t *testing.T) {
	folder := exported(t, t.TempDir())
	assert.Equal(t, "the export is incomplete: there is no SHA256SUMS", folder.Lacks())
	require.NoError(t, folder.WriteDigests())
	assert.Empty(t, folder.Lacks())
	rows, err := os.ReadFile(filepath.Join(folder.Path, archive.MeasurementsFile))
	require.NoError(t, err)
	require.NoError(t, folder.Write(archive.MeasurementsFile, rows))
	assert.Empty(t, folder.Lacks(), "as it was")
	require.NoError(t, folder.Replace(archive.ReportFile, []byte("another version's")))
	assert.Empty(t, folder.Lacks())
	_, err = folder.Verify()
	require.NoError(t, err)

	require.NoError(t, folder.Write("hlog/another.hlog", []byte("x")))
	assert.Equal(t, "the export is incomplete: there is no SHA256SUMS", folder.Lacks(), "an export that is under way, or broke off")
	require.NoError(t, folder.WriteDigests())
	lines := strings.SplitAfter(string(rows), "\n")
	require.NoError(t, os.WriteFile(filepath.Join(folder.Path, archive.MeasurementsFile), []byte(strings.Join(lines[:2], "")), 0o600))
	assert.Equal(t, "the export has 1 of 2 finished measurements", folder.Lacks())
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	assert.Equal(t, folder.Lacks(), run.Lacks)
}

func TestLeavesOutManifestsOfAnotherVersionAndReadsTheRest(t *testing.T) {
	folder := exported(t, t.TempDir())
	manifests, err := filepath.Glob(filepath.Join(folder.Path, "manifests", "measurements", "*.yaml"))
	require.NoError(t, err)
	require.Len(t, manifests, 2)
	text, err := os.ReadFile(manifests[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(manifests[0], []byte(strings.Replace(string(text), "ringside.dev/v1beta1", "ringside.dev/v2", 1)), 0o600))
	logs, err := filepath.Glob(filepath.Join(folder.Path, "hlog", "*.hlog"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(logs[1], []byte("#[Histogram log format version 1.3]\nbroken line\n"), 0o600))

	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	assert.Len(t, run.Rows, 2)
	assert.Len(t, run.Measurements, 1)
	assert.Len(t, run.Logs, 1)
	notes := strings.Join(run.Notes, "\n")
	assert.Contains(t, notes, "is Measurement of ringside.dev/v2, but this version of ringside reads Measurement of ringside.dev/v1beta1")
	assert.Contains(t, notes, "1 of 2 rows have no manifest")
	assert.Contains(t, notes, ".hlog could not be read")
}

func TestRefusesWhatIsNoRun(t *testing.T) {
	_, err := archive.Read(t.TempDir())
	assert.ErrorContains(t, err, "does not contain a run: there is no measurements.csv")
	file := filepath.Join(t.TempDir(), "x.tar.gz")
	require.NoError(t, os.WriteFile(file, []byte("not gzip"), 0o600))
	_, err = archive.Read(file)
	assert.ErrorContains(t, err, "is not a bundle (not gzip)")
	_, err = archive.Read(filepath.Join(t.TempDir(), "nowhere"))
	assert.ErrorContains(t, err, "there is no run at")
}

func TestABundleHoldsTheStacksOfProfiles(t *testing.T) {
	folder := exported(t, t.TempDir(), v1beta1.ProfileCPU, v1beta1.ProfileLock)
	bundle, err := folder.WriteBundle("toy-20261121-001500", time.Unix(1_700_000_000, 0))
	require.NoError(t, err)
	run, err := archive.Read(bundle)
	require.NoError(t, err)
	assert.Empty(t, run.Notes)
	require.Len(t, run.Profiles, 2)
	cpu := run.Measurements["toy-20261121-001500-r1-quick-write-cpu-1"]
	require.NotNil(t, cpu)
	assert.Equal(t, cpu.Status.Result.Profile.Total, run.Profiles[cpu.Name].Total())

	require.NoError(t, folder.WriteProfile(cpu.Name, []byte("no gzip")))
	run, err = archive.Read(folder.Path)
	require.NoError(t, err)
	assert.Len(t, run.Profiles, 1)
	require.Len(t, run.Notes, 1)
	assert.Contains(t, run.Notes[0], "profiles/"+cpu.Name+".collapsed.gz could not be read: unpack stacks: ")
}
