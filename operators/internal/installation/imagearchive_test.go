package installation

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const reference = "docker.io/grafana/grafana:13.2.3"

// mirror serves an index with an image for this architecture and one for another, and returns the first.
func mirror(t *testing.T) (address string, served v1.Image) {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	address = strings.TrimPrefix(server.URL, "http://")
	var index v1.ImageIndex = empty.Index
	for _, architecture := range []string{runtime.GOARCH, "riscv64"} {
		image, err := random.Image(64<<10, 2)
		require.NoError(t, err)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}}})
		if architecture == runtime.GOARCH {
			served = image
		}
	}
	tag, err := name.NewTag(address + "/grafana/grafana:13.2.3")
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(tag, index))
	return address, served
}

func TestAnImageIsPulledFromAMirrorUnderItsOwnName(t *testing.T) {
	address, served := mirror(t)
	archive := filepath.Join(t.TempDir(), "pulled", "grafana.tar")
	var shown []string
	require.NoError(t, PullImage(t.Context(), PullOrder{Reference: reference, Mirror: address, Into: archive, Progress: func(text string) { shown = append(shown, text) }}))
	assert.NotEmpty(t, shown)

	found, err := ImageIn(archive)
	require.NoError(t, err)
	assert.Equal(t, Image{"docker.io", "grafana/grafana", "13.2.3"}, found)
	tag, err := name.NewTag(reference)
	require.NoError(t, err)
	pulled, err := tarball.ImageFromPath(archive, &tag)
	require.NoError(t, err)
	want, err := served.ConfigName()
	require.NoError(t, err)
	got, err := pulled.ConfigName()
	require.NoError(t, err)
	assert.Equal(t, want, got, "the image of this machine's architecture")
	manifest, err := tarball.LoadManifest(func() (io.ReadCloser, error) { return os.Open(archive) })
	require.NoError(t, err)
	assert.Equal(t, []string{reference}, manifest[0].RepoTags, "nodes know the image by its full name")
	left, err := os.ReadDir(filepath.Dir(archive))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

func TestAnImageThatIsNotThereLeavesNoArchive(t *testing.T) {
	address, _ := mirror(t)
	archive := filepath.Join(t.TempDir(), "grafana.tar")
	err := PullImage(t.Context(), PullOrder{Reference: "docker.io/grafana/grafana:0.0.0", Mirror: address, Into: archive})
	require.ErrorContains(t, err, "pull image "+address+"/grafana/grafana:0.0.0: ")
	assert.NoFileExists(t, archive)
}

func TestADownloadThatBreaksOffLeavesNoArchive(t *testing.T) {
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	var broken bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken && strings.Contains(r.URL.Path, "/blobs/") && r.Method == http.MethodGet {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("cut short"))
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	image, err := random.Image(64<<10, 1)
	require.NoError(t, err)
	tag, err := name.NewTag(address + "/grafana/grafana:13.2.3")
	require.NoError(t, err)
	require.NoError(t, remote.Write(tag, image))
	broken = true
	folder := t.TempDir()
	require.Error(t, PullImage(t.Context(), PullOrder{Reference: reference, Mirror: address, Into: filepath.Join(folder, "grafana.tar")}))
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestARegistryThatDoesNotAnswerIsGivenUpSoon(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections, and never answers
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	begun := time.Now()
	err = PullImage(t.Context(), PullOrder{Reference: reference, Mirror: silent.Addr().String(), Into: filepath.Join(t.TempDir(), "a.tar"), Answer: 200 * time.Millisecond})
	require.ErrorContains(t, err, "no answer within 200ms")
	assert.Less(t, time.Since(begun), AnswerPatience)
}

func TestTheNameOfAnArchive(t *testing.T) {
	image, err := random.Image(1<<10, 1)
	require.NoError(t, err)
	for name, want := range map[string]Image{
		"grafana/grafana:13.2.3":             {"docker.io", "grafana/grafana", "13.2.3"}, // as docker save writes it
		"docker.io/grafana/grafana:13.2.3":   {"docker.io", "grafana/grafana", "13.2.3"},
		"localhost:5000/mine/grafana:latest": {"localhost:5000", "mine/grafana", "latest"},
	} {
		assert.Equal(t, want, nameOf(t, name, image), name)
	}
	broken := filepath.Join(t.TempDir(), "broken.tar")
	require.NoError(t, os.WriteFile(broken, []byte("no archive"), 0o600))
	_, err = ImageIn(broken)
	assert.ErrorContains(t, err, "create it with: docker save")
}

func nameOf(t *testing.T, reference string, image v1.Image) Image {
	t.Helper()
	tag, err := name.NewTag(reference)
	require.NoError(t, err)
	archive := filepath.Join(t.TempDir(), "image.tar")
	require.NoError(t, tarball.WriteToFile(archive, tag, image))
	found, err := ImageIn(archive)
	require.NoError(t, err)
	return found
}
