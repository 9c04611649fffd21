package archive_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
)

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
