package archive_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

func TestDigestsAreReadFromAnywhereAndLeadNowhere(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	digests, err := archive.ParseDigests([]byte(sum + "  measurements.csv\n" + sum + "  manifests/experiment.yaml\n"))
	require.NoError(t, err)
	assert.Equal(t, []string{"manifests/experiment.yaml", "measurements.csv"}, digests.Names())
	for text, fault := range map[string]string{
		"":                               "it is empty",
		"0a0a  measurements.csv\n":       `"0a0a  measurements.csv" is not a line of sha256sum`,
		sum + " measurements.csv\n":      "is not a line of sha256sum",
		sum + "  ../../etc/passwd\n":     `"../../etc/passwd" is not a file of a run`,
		sum + "  /etc/passwd\n":          `"/etc/passwd" is not a file of a run`,
		sum + "  hlog/../../x\n":         `"hlog/../../x" is not a file of a run`,
		sum + "  hlog//x\n":              `"hlog//x" is not a file of a run`,
		sum + "  \n":                     `"" is not a file of a run`,
		sum + "  .\n":                    `"." is not a file of a run`,
		sum + "  SHA256SUMS\n":           `"SHA256SUMS" is not a file of a run`,
		"<html>no such page</html>":      "is not a line of sha256sum",
		strings.Repeat("0g", 32) + "  x": "is not a line of sha256sum",
	} {
		_, err := archive.ParseDigests([]byte(text))
		assert.ErrorContains(t, err, "SHA256SUMS is damaged: ", text)
		assert.ErrorContains(t, err, fault, text)
	}
}

func TestVerifiesEveryFileThatTheDigestsName(t *testing.T) {
	folder := exported(t, t.TempDir())
	_, err := folder.Verify()
	require.ErrorIs(t, err, fs.ErrNotExist, "an export that was not finished")
	require.NoError(t, folder.WriteDigests())
	digests, err := folder.Verify()
	require.NoError(t, err)
	assert.Contains(t, digests.Names(), archive.ExperimentFile)
	assert.NotContains(t, digests.Names(), archive.DigestsFile)

	require.NoError(t, os.WriteFile(filepath.Join(folder.Path, archive.MeasurementsFile), []byte("other"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(folder.Path, archive.ExperimentFile)))
	_, err = folder.Verify()
	broken := (*archive.BrokenError)(nil)
	require.ErrorAs(t, err, &broken)
	assert.Equal(t, []string{"manifests/experiment.yaml is missing", "measurements.csv was changed"}, broken.Files)
	assert.ErrorContains(t, err, "does not match its SHA256SUMS: manifests/experiment.yaml is missing; measurements.csv was changed")
}

func TestARunIsIdentifiedByItsManifestWhichLeadsNowhere(t *testing.T) {
	identity, err := exported(t, t.TempDir()).Identity()
	require.NoError(t, err)
	assert.Equal(t, archive.Identity{Experiment: "toy", Run: "20261121-001500", UID: "uid"}, identity)
	assert.Equal(t, "toy/20261121-001500", identity.Folder())

	const manifest = "{apiVersion: ringside.dev/v1beta1, kind: Experiment, metadata: {labels: {ringside.dev/experiment: %, ringside.dev/run: 20261121-001500}}}"
	for _, name := range []string{"../..", "..", ".hidden", "a/b", `a\b`} {
		_, err := archive.Identify([]byte(strings.Replace(manifest, "%", name, 1)))
		assert.ErrorContains(t, err, "is not a valid name of a run or an experiment", name)
	}
	_, err = archive.Identify([]byte("{apiVersion: ringside.dev/v2, kind: Experiment}"))
	assert.ErrorContains(t, err, "manifests/experiment.yaml is Experiment of ringside.dev/v2")
	_, err = (archive.Folder{Path: t.TempDir()}).Identity()
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// Logs as other tools wrote them: the issues HdrHistogram#69 and #136, YCSB#380, scylla-cluster-tests#3133.
func TestNamesTheLogsThatContradictThemselvesOrAreEmpty(t *testing.T) {
	run, err := archive.Read("testdata/logs")
	require.NoError(t, err)
	for _, want := range []string{
		"hlog/clock-set-back-an-hour.hlog is left out: the log has times that go back: an interval of READ-st from 2026-11-21T00:39:43.000Z to 2026-11-21T00:39:44.000Z" +
			" is followed by one from 2026-11-20T23:39:44.000Z to 2026-11-20T23:39:45.000Z; the clock was changed, or the log has several runs of the tool",
		"hlog/base-twice.hlog could not be read: log line 6: BaseTime is 1795225183.000 s, and the times before it count from 1795221583.000 s;" +
			" write one log for each run of the tool, with one BaseTime before its first interval",
		"hlog/empty.hlog is left out: the log has 0 operations",
		"hlog/header-only.hlog is left out: the log has 0 operations",
		"hlog/one-comment.hlog is left out: the log has 0 operations",
	} {
		assert.Contains(t, run.Notes, want)
	}
	var read []string
	for name, log := range run.Logs {
		read = append(read, name)
		assert.Equal(t, int64(300), log.OperationCount(), name)
		assert.InDelta(t, 3, log.Length().Seconds(), 0.001, name)
	}
	slices.Sort(read)
	assert.Equal(t, []string{"control", "relative-with-base"}, read, "the ways to write time give the same")
}
