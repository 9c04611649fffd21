package images

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func buildSample(t *testing.T) (archive string) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "pause")
	require.NoError(t, os.WriteFile(program, []byte("a program"), 0o755))
	archive = filepath.Join(dir, "images", "pause.tar")
	require.NoError(t, BuildScratch(archive, "ringside.dev/pause:1", program, "65535:65535"))
	return archive
}

func TestBuildsAnImageThatInspectFinds(t *testing.T) {
	archive := buildSample(t)
	found, err := Inspect(archive)
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "ringside.dev/pause:1", found[0].Name)

	documents, err := readDocuments(archive)
	require.NoError(t, err)
	config := documents[blobPath(found[0].Config)]
	assert.Equal(t, found[0].Config, digest(config), "the name of a blob is the digest of its content")
	var parsed struct {
		Config struct {
			User       string
			Entrypoint []string
		}
	}
	require.NoError(t, json.Unmarshal(config, &parsed))
	assert.Equal(t, "65535:65535", parsed.Config.User)
	assert.Equal(t, []string{"/pause"}, parsed.Config.Entrypoint)
}

func TestBuildsTheSameBytesFromTheSameProgram(t *testing.T) {
	first, err := os.ReadFile(buildSample(t))
	require.NoError(t, err)
	second, err := os.ReadFile(buildSample(t))
	require.NoError(t, err)
	assert.Equal(t, digest(first), digest(second))
}

func TestReadsGzippedArchives(t *testing.T) {
	archive := buildSample(t)
	plain, err := os.Open(archive)
	require.NoError(t, err)
	defer plain.Close()
	zipped, err := os.Create(archive + ".gz")
	require.NoError(t, err)
	writer := gzip.NewWriter(zipped)
	_, err = io.Copy(writer, plain)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	require.NoError(t, zipped.Close())

	want, err := Inspect(archive)
	require.NoError(t, err)
	got, err := Inspect(archive + ".gz")
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestReadsDockerArchives(t *testing.T) {
	for _, config := range []string{"abc123.json", "blobs/sha256/abc123"} { // older and newer docker
		archive := tarFile(t, map[string]string{
			"manifest.json": `[{"Config":"` + config + `","RepoTags":["localhost/a:1","localhost/b:1"],"Layers":[]}]`,
		})
		found, err := Inspect(archive)
		require.NoError(t, err)
		assert.Equal(t, []Image{{"localhost/a:1", "sha256:abc123"}, {"localhost/b:1", "sha256:abc123"}}, found)
	}
}

func TestRefusesWhatNoPodCouldRun(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		says  string
	}{
		{"other tar archives", map[string]string{"a.txt": "{}"}, "neither an OCI nor a docker image archive"},
		{"no image", map[string]string{"manifest.json": "[]"}, "holds no named image"},
		{"no tag", map[string]string{"manifest.json": `[{"Config":"a.json","RepoTags":["cassandra"]}]`}, `image name "cassandra" is not a full one: save it with registry and tag`},
		{"broken index", map[string]string{"index.json": "{"}, "index.json"},
		{"missing manifest", map[string]string{"index.json": `{"manifests":[{"digest":"sha256:0"}]}`}, "manifest sha256:0"},
		{
			"several platforms",
			map[string]string{"index.json": `{"manifests":[{"digest":"sha256:0"}]}`, "blobs/sha256/0": `{"manifests":[]}`},
			"archives of several platforms are not supported",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			archive := tarFile(t, test.files)
			_, err := Inspect(archive)
			assert.ErrorContains(t, err, test.says)
			assert.ErrorContains(t, err, archive)
		})
	}
	_, err := Inspect("/nonexistent.tar")
	assert.ErrorContains(t, err, "/nonexistent.tar")
}

func TestReadsContainerdsListing(t *testing.T) {
	listing := `REF                  TYPE                                       DIGEST     SIZE    PLATFORMS   LABELS
localhost/a:1        application/vnd.oci.image.manifest.v1+json sha256:111 1.0 MiB linux/amd64 io.cri-containerd.image=managed
sha256:abc123        application/vnd.oci.image.manifest.v1+json sha256:111 1.0 MiB linux/amd64 io.cri-containerd.image=managed
`
	assert.Equal(t, map[string]string{"localhost/a:1": "sha256:111", "sha256:abc123": "sha256:111"}, parseListing(listing))
}

func tarFile(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "image.tar")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	writer := tar.NewWriter(f)
	for name, content := range files {
		require.NoError(t, writer.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}))
		_, err := writer.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return path
}

func TestRemovesTheTagsThatAnotherHasReplacedAndNobodyNames(t *testing.T) {
	objects := []byte(`{"kind":"List","items":[
	  {"kind":"Pod","spec":{"initContainers":[{"image":"ringside.local/ringside-operator:running"}],"containers":[{"name":"image","image":"ringside.local/ringside-cassandra:suspended"}]}},
	  {"kind":"StatefulSet","spec":{"template":{"spec":{"containers":[{"image":"ringside.local/ringside-stub:waiting"}]}}}}]}`)
	inUse, err := InUse(objects)
	require.NoError(t, err)
	const cassandra, operator, stub = "ringside.local/ringside-cassandra", "ringside.local/ringside-operator", "ringside.local/ringside-stub"
	present := map[string]string{
		cassandra + ":suspended": "c1", cassandra + ":old": "c2", cassandra + ":new": "c3",
		operator + ":running": "o1", operator + ":old": "o2", operator + ":new": "o3", operator + ":same": "o1",
		stub + ":waiting": "s1", stub + ":old": "s2",
		"host:5000/theirs": "t1", "host:5000/theirs:1": "t2", "ringside.dev/pause:1": "p",
		"sha256:of-c1": "c1", "sha256:of-c2": "c2", "sha256:of-o1": "o1", "sha256:of-o2": "o2", "sha256:of-s2": "s2",
	}
	loaded := []Image{{Name: cassandra + ":new"}, {Name: operator + ":new"}}
	assert.Equal(t, []string{cassandra + ":old", operator + ":old", operator + ":same", "sha256:of-c2", "sha256:of-o2"}, Superseded(present, loaded, inUse),
		"what was not loaded now, what is in use, and what others brought stays")
	assert.Equal(t, []string{"host:5000/theirs"}, Superseded(present, []Image{{Name: "host:5000/theirs:1"}}, inUse), "the port of a registry is no tag")
}

func TestRefusesAListThatCannotBeRead(t *testing.T) {
	_, err := InUse([]byte("error from server"))
	assert.ErrorContains(t, err, "read the images that objects name")
}
