// Package dist tests the artefacts of a release that make release-dry-run built.
package dist

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/v2/loader"

	"ringside.dev/ringside/release/internal/charts"
)

var (
	folder  = flag.String("dist", "", "folder that make release-dry-run wrote; without it, the tests are skipped")
	version = flag.String("version", "", "its version")
)

func dist(t *testing.T, name ...string) string {
	t.Helper()
	if *folder == "" {
		t.Skip("left out: needs the artefacts of a release; run make release-test")
	}
	return filepath.Join(append([]string{*folder}, name...)...)
}

func archive(system, machine string) string {
	return "ringside_" + *version + "_" + system + "_" + machine + ".tar.gz"
}

func TestTheArchiveOfThisMachineHasTheCommandOfTheVersion(t *testing.T) {
	into := t.TempDir()
	for name, content := range unpacked(t, dist(t, archive(runtime.GOOS, runtime.GOARCH))) {
		require.NoError(t, os.WriteFile(filepath.Join(into, path.Base(name)), content, 0o755))
	}
	assert.FileExists(t, filepath.Join(into, "LICENSE"))
	assert.FileExists(t, filepath.Join(into, "NOTICE"))
	command := exec.CommandContext(t.Context(), filepath.Join(into, "ringside"), "version")
	command.Dir = into
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Regexp(t, `^ringside `+regexp.QuoteMeta(*version)+`\ncommit [0-9a-f]{40}\nKubernetes client \d`, string(out))
}

func unpacked(t *testing.T, file string) map[string][]byte {
	t.Helper()
	content, err := os.Open(file)
	require.NoError(t, err)
	defer content.Close()
	unzipped, err := gzip.NewReader(content)
	require.NoError(t, err)
	files := map[string][]byte{}
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		files[entry.Name], err = io.ReadAll(entries)
		require.NoError(t, err)
	}
}

func TestTheChartsNameTheImagesOfTheRelease(t *testing.T) {
	images, err := charts.ReadImages(dist(t, "images.json"))
	require.NoError(t, err)
	chart, err := loader.LoadFile(dist(t, "charts", "ringside-"+*version+".tgz"))
	require.NoError(t, err)
	assert.Equal(t, *version, chart.Metadata.AppVersion)
	named := chart.Values["images"].(map[string]any)["digests"].(map[string]any)
	assert.Len(t, named, len(images.Images.Digests))
	for name, image := range images.Images.Digests {
		assert.Equal(t, image.Tag, named[name].(map[string]any)["tag"], name)
	}
}

// An archive is an OCI layout. The digest in it is that which is signed, and which the operator compares with what nodes report.
func TestTheArchivesHaveTheImagesThatTheChartsName(t *testing.T) {
	images, err := charts.ReadImages(dist(t, "images.json"))
	require.NoError(t, err)
	for name, image := range images.Images.Digests {
		into := t.TempDir()
		out, err := exec.CommandContext(t.Context(), "tar", "-xf", dist(t, "images", name+".tar"), "-C", into).CombinedOutput()
		require.NoError(t, err, "%s", out)
		index, err := layout.ImageIndexFromPath(into)
		require.NoError(t, err, name)
		manifest, err := index.IndexManifest()
		require.NoError(t, err, name)
		require.Len(t, manifest.Manifests, 1, name)
		assert.Equal(t, image.Digests[0], manifest.Manifests[0].Digest.String(), name)
	}
}
