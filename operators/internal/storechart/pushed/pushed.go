// Package pushed gives tests a registry with charts in it.
package pushed

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/registry"
)

// Registry starts a registry, and returns its address and a function that stops it.
func Registry(t testing.TB) (host string, stop func()) {
	t.Helper()
	server := httptest.NewServer(ggcr.New(ggcr.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://"), server.Close
}

// Chart pushes the chart of a folder as helm package and helm push do, and returns its reference. More files, by their names, come in place of
// those of the folder; empty ones are left out.
func Chart(t testing.TB, host, folder string, more map[string]string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), filepath.Base(folder))
	require.NoError(t, os.CopyFS(copied, os.DirFS(folder)))
	for name, text := range more {
		path := filepath.Join(copied, name)
		if text == "" {
			require.NoError(t, os.Remove(path))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	chart, err := loader.LoadDir(copied)
	require.NoError(t, err)
	archive, err := chartutil.Save(chart, t.TempDir())
	require.NoError(t, err)
	content, err := os.ReadFile(archive)
	require.NoError(t, err)
	client, err := registry.NewClient(registry.ClientOptPlainHTTP(), registry.ClientOptWriter(io.Discard))
	require.NoError(t, err)
	repository := host + "/charts/" + chart.Name()
	result, err := client.Push(content, repository+":"+chart.Metadata.Version)
	require.NoError(t, err)
	return "oci://" + repository + "@" + result.Manifest.Digest
}
