package imagebuild

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), mode))
	require.NoError(t, os.Chmod(path, mode))
}

func TestATagSaysWhatAnImageIsMadeOf(t *testing.T) {
	tag := func(change func(containerfile, context string), more ...string) string {
		dir := t.TempDir()
		containerfile, context := filepath.Join(dir, "Containerfile"), filepath.Join(dir, "context")
		write(t, containerfile, "FROM scratch\n", 0o644)
		write(t, filepath.Join(context, "a/one"), "1", 0o644)
		write(t, filepath.Join(context, "two"), "2", 0o755)
		if change != nil {
			change(containerfile, context)
		}
		tag, err := tagOf(containerfile, context, more...)
		require.NoError(t, err)
		return tag
	}
	same := tag(nil)
	assert.Len(t, same, tagLength)
	assert.Equal(t, same, tag(nil), "in another folder, at another time")
	assert.Equal(t, same, tag(func(_, c string) {
		require.NoError(t, os.Rename(c, c+"-elsewhere"))
		require.NoError(t, os.Symlink(c+"-elsewhere", c))
	}), "behind a link")
	for name, other := range map[string]string{
		"a byte":            tag(func(_, c string) { write(t, filepath.Join(c, "two"), "3", 0o755) }),
		"a mode":            tag(func(_, c string) { write(t, filepath.Join(c, "two"), "2", 0o644) }),
		"a name":            tag(func(_, c string) { require.NoError(t, os.Rename(filepath.Join(c, "two"), filepath.Join(c, "three"))) }),
		"a link":            tag(func(_, c string) { require.NoError(t, os.Symlink("two", filepath.Join(c, "link"))) }),
		"the Containerfile": tag(func(f, _ string) { write(t, f, "FROM scratch\nUSER 1\n", 0o644) }),
		"the base":          tag(nil, "sha256:base"),
	} {
		assert.NotEqual(t, same, other, name)
	}
}

func archive(t *testing.T, files ...[2]string) string {
	t.Helper()
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	for _, file := range files {
		require.NoError(t, writer.WriteHeader(&tar.Header{Name: file[0], Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(file[1]))}))
		_, err := writer.Write([]byte(file[1]))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	path := filepath.Join(t.TempDir(), "image.tar")
	require.NoError(t, os.WriteFile(path, content.Bytes(), 0o600))
	return path
}

func TestReadsAnImagesDigestFromItsArchive(t *testing.T) {
	const digest = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" // of "{}"
	for _, test := range []struct{ name, config string }{
		{"as buildah names it", "44136f.json"}, {"as docker names it", "blobs/sha256/44136f"},
	} {
		got, err := configDigest(archive(t, [2]string{"layer", "x"}, [2]string{test.config, "{}"}, [2]string{"manifest.json", fmt.Sprintf(`[{"Config":%q}]`, test.config)}))
		require.NoError(t, err, test.name)
		assert.Equal(t, digest, got, test.name)
	}
	_, err := configDigest(archive(t, [2]string{"manifest.json", `[{"Config":"gone.json"}]`}))
	assert.ErrorContains(t, err, "holds not exactly one image with its configuration")
}

func TestTellsTheChartsWhatWasBuilt(t *testing.T) {
	m := Manifest{}.
		With(Image{Name: "stress", Registry: "r", Tag: "old"}).
		With(Image{Name: "prometheus", Registry: "r", Tag: "p", Version: "3.5.0", Digests: []string{"sha256:3"}}).
		With(Image{Name: "stress", Registry: "r", Tag: "s", Digests: []string{"sha256:1"}})
	_, err := m.OperatorValues()
	assert.ErrorContains(t, err, "run 'make images'")
	m = m.With(Image{Name: "operator", Registry: "r", Tag: "o", Digests: []string{"sha256:2"}}).
		With(Image{Name: "cassandra", Registry: "r", Tag: "c", Digests: []string{"sha256:4"}, PluginSHA256: "ab"})
	values, err := m.OperatorValues()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"image": map[string]any{"registry": "r", "tag": "o"},
		"images": map[string]any{"digests": map[string]any{
			"cassandra":  map[string]any{"tag": "c", "image": []string{"sha256:4"}, "plugin": "ab"},
			"operator":   map[string]any{"tag": "o", "image": []string{"sha256:2"}},
			"prometheus": map[string]any{"tag": "p", "image": []string{"sha256:3"}},
			"stress":     map[string]any{"tag": "s", "image": []string{"sha256:1"}},
		}},
	}, values)
	assert.Equal(t, map[string]any{"prometheus": map[string]any{
		"image": map[string]any{"registry": "r", "repository": "ringside-prometheus", "tag": "p"}, "version": "3.5.0",
	}}, monitoring(t, m))
}

func monitoring(t *testing.T, m Manifest) map[string]any {
	t.Helper()
	values, err := m.MonitoringValues()
	require.NoError(t, err)
	return values
}

// A clone that has run the embedded cluster has the images for it in its manifest too.
func TestTellsAClusterNothingOfImagesForAnotherRegistry(t *testing.T) {
	m := Manifest{}.
		With(Image{Name: "prometheus", Registry: LocalRegistry, Tag: "p", Version: "3.5.0"}).
		With(Image{Name: "stub", Registry: LocalRegistry, Tag: "s", Digests: []string{"sha256:1"}}).
		With(Image{Name: "operator", Registry: "registry.example/team", Tag: "o", Digests: []string{"sha256:2"}})
	values, err := m.OperatorValues()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"digests": map[string]any{
		"operator": map[string]any{"tag": "o", "image": []string{"sha256:2"}},
	}}, values["images"], "a stub that was never pushed has no tag there")
	assert.Empty(t, monitoring(t, m), "the public Prometheus, not one that no node can pull")
}

func TestAsksARegistryOnThisMachineForNoCertificate(t *testing.T) {
	for reference, plain := range map[string]bool{
		"localhost:5000/ringside-stub:1":        true,
		"localhost/ringside-stub:1":             true,
		"127.0.0.1:5000/team/ringside-stub:1":   true,
		"[::1]:5000/ringside-stub:1":            true,
		"registry.example/ringside-stub:1":      false,
		"registry.example:5000/localhost/x:1":   false,
		"localhost.example:5000/ringside-stub:": false,
		"10.0.0.1:5000/ringside-stub:1":         false,
	} {
		args := pushArgs(reference, "digest")
		assert.Equal(t, plain, slices.Contains(args, "--tls-verify=false"), reference)
		assert.Equal(t, reference, args[len(args)-1])
	}
}

func TestPicksTheImagesOfAnExperiment(t *testing.T) {
	all := []string{"cassandra", "cassandra-load", "operator", "prometheus", "stress", "stub", "ycsb"}
	document := filepath.Join(t.TempDir(), "experiment.yaml")
	write(t, document, "spec: {store: {chart: stub}, load: {image: registry.example/mine:1}}\n", 0o644)
	names, err := Needed(document, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"operator", "prometheus", "stub"}, names, "what others made is theirs to provide")
	assert.Equal(t, []string{"operator", "stub"}, WithoutPublic(names))
	write(t, document, "spec: {store: {chart: cassandra}, load: {image: cassandra-load}, phases: [{name: fill, image: stress}, {name: read}]}\n", 0o644)
	names, err = Needed(document, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"cassandra", "cassandra-load", "operator", "prometheus", "stress"}, names, "a phase may have a load of its own")
	write(t, document, "spec: {store: {chart: stub, values: {nodes: 1, ycsb: {enabled: true}, stress: {enabled: false}, metrics: {enabled: true}}}, load: {image: stress}}\n", 0o644)
	names, err = Needed(document, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"operator", "prometheus", "stress", "stub", "ycsb"}, names, "a companion that is switched on")
}

func TestFindsTheImagesOfEveryDocument(t *testing.T) {
	all, err := All("../..")
	require.NoError(t, err)
	documents, err := filepath.Glob("../../../experiments/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	for _, document := range documents {
		names, err := Needed(document, all)
		require.NoError(t, err)
		loads := 1
		if strings.HasSuffix(document, "cassandra-crosscheck.yaml") {
			loads = 2
		}
		companions := 0
		if strings.HasSuffix(document, "trip-kafka.yaml") {
			companions = 1
		}
		assert.Len(t, names, 3+loads+companions, "%s: operator, Prometheus, its store with its companions, and its loads; there are %v", document, names)
	}
}

func TestAJoiningStoresImageIsFoundByItsFolder(t *testing.T) {
	const joining = "../../../operators/e2e/testdata/crier"
	ours, err := All("../..")
	require.NoError(t, err)
	its, err := All(filepath.Join(joining, "images"))
	require.NoError(t, err)
	names, err := Needed(filepath.Join(joining, "experiments/crier.yaml"), append(its, ours...))
	require.NoError(t, err)
	assert.Equal(t, []string{"crier", "operator", "prometheus", "udp-load"}, names)
}

func TestRefusesAnImageThatDoesNotExist(t *testing.T) {
	_, err := Select("../..", "", []string{"casandra"})
	all, allErr := All("../..")
	require.NoError(t, allErr)
	assert.ErrorContains(t, err, `no image is named "casandra"; there are: `+strings.Join(all, ", "))
}

// A replacement for docker, which keeps its images in a file and writes archives.
const docker = `#!/bin/sh
echo "$@" >>"$STAND_IN/calls"
case $1 in
build) [ ! -e "$STAND_IN/offline" ] || exit 125; shift; while [ "$1" != -t ]; do shift; done; echo "$2" >>"$STAND_IN/images" ;;
inspect) for last; do :; done
  case $5 in *RepoDigests*) echo "${last%:*}@sha256:pushed" ;; *) grep -qx "$last" "$STAND_IN/images" 2>/dev/null && echo sha256:id ;; esac ;;
save) printf '{}' >"$STAND_IN/c.json"; printf '[{"Config":"c.json"}]' >"$STAND_IN/manifest.json"; tar -cf "$3" -C "$STAND_IN" c.json manifest.json ;;
esac
`

// builder returns a builder of an image "toy", whose staging copies a file that tests may change, and a function that
// returns the calls of docker since the last time.
func builder(t *testing.T) (Builder, func() string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bin/docker"), docker, 0o755)
	write(t, filepath.Join(dir, "src/toy/Containerfile"), "FROM scratch\n", 0o644)
	write(t, filepath.Join(dir, "src/toy/stage.sh"), "#!/bin/sh\ncp \"$(dirname \"$0\")/input\" \"$1/\"\necho 1.2 >\"$1/../version\"\necho ab >\"$1/../plugin.sha256\"\n", 0o755)
	write(t, filepath.Join(dir, "src/toy/input"), "one", 0o644)
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	t.Setenv("STAND_IN", dir)
	b := Builder{Source: filepath.Join(dir, "src"), Out: filepath.Join(dir, "out"), Registry: LocalRegistry, Engine: "docker", Say: t.Logf, Log: t.Output()}
	return b, func() string {
		content, _ := os.ReadFile(filepath.Join(dir, "calls"))
		_ = os.Remove(filepath.Join(dir, "calls"))
		return string(content)
	}
}

func built(t *testing.T, b Builder) Image {
	t.Helper()
	require.NoError(t, b.Build(context.Background(), []string{"toy"}))
	m, err := ReadManifest(ManifestPath(b.Out))
	require.NoError(t, err)
	require.Len(t, m.Images, 1)
	return m.Images[0]
}

func TestBuildsAnImageAgainOnlyWhenItChanged(t *testing.T) {
	b, calls := builder(t)
	first := built(t, b)
	assert.Equal(t, "1.2", first.Version)
	assert.Equal(t, "ab", first.PluginSHA256)
	assert.Equal(t, []string{"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}, first.Digests)
	assert.Contains(t, calls(), "build ")

	assert.Equal(t, first, built(t, b))
	assert.NotContains(t, calls(), "build ")

	write(t, filepath.Join(b.Source, "toy/input"), "two", 0o644)
	second := built(t, b)
	assert.NotEqual(t, first.Tag, second.Tag, "nodes that hold the first must not take it for the second")
	assert.Contains(t, calls(), "rmi "+first.Reference())
}

func TestFindsTheJavaThatAnImageStandsOn(t *testing.T) {
	for containerfile, java := range map[string]string{
		"ARG BASE=docker.io/library/eclipse-temurin:8-jre\nFROM ${BASE}\n":               "8",
		"# Newer.\nARG BASE=docker.io/library/eclipse-temurin:25-jre\nFROM ${BASE}\n":    "25",
		"FROM scratch\nCOPY root /\n":                                                    "",
		"# ARG BASE=docker.io/library/eclipse-temurin:8-jre was it once\nFROM scratch\n": "",
	} {
		assert.Equal(t, java, javaOf([]byte(containerfile)), containerfile)
	}
	folders, err := filepath.Glob("../../*/Containerfile")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, path := range folders {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Contains(string(content), "ARG BASE") {
			assert.NotEmpty(t, javaOf(content), "%s: what it needs where no public image can be pulled", path)
		}
	}
}

func TestBootstrapsABaseForEachJavaThatAnImageAsksFor(t *testing.T) {
	b, calls := builder(t)
	b.Base = bootstrap
	write(t, filepath.Join(b.Source, "debian/packages.lock"), "a 1", 0o644)
	write(t, filepath.Join(b.Source, "base.sh"), "#!/bin/sh\nmkdir -p \"$1\" && touch \"$1/Containerfile\"\necho \"base.sh $2\" >>\"$STAND_IN/calls\"\n", 0o755)
	built(t, b)
	assert.NotContains(t, calls(), "base.sh", "it stands on nothing")
	for _, java := range []string{"8", "25"} {
		write(t, filepath.Join(b.Source, "toy/Containerfile"), "ARG BASE=registry.example/jre:"+java+"-jre\nFROM ${BASE}\n", 0o644)
		built(t, b)
		made := calls()
		assert.Contains(t, made, "base.sh "+java+"\n")
		assert.Contains(t, made, "--build-arg BASE="+LocalRegistry+"/ringside-base:")
	}
	built(t, b)
	assert.NotContains(t, calls(), "base.sh", "it is there")
}

func TestAFailedBuildOnAPublicImageNamesTheWayWithoutOne(t *testing.T) {
	b, _ := builder(t)
	write(t, filepath.Join(filepath.Dir(b.Source), "offline"), "", 0o644)
	fix := "BASE=bootstrap makes it of Debian packages"
	assert.NotContains(t, b.Build(t.Context(), []string{"toy"}).Error(), fix, "it stands on nothing")

	write(t, filepath.Join(b.Source, "toy/Containerfile"), "ARG BASE=registry.example/jre:8-jre\nFROM ${BASE}\n", 0o644)
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), fix)
	b.Base = "registry.example/mine:8"
	assert.NotContains(t, b.Build(t.Context(), []string{"toy"}).Error(), fix, "somebody chose it")
}

func TestNotesThePushedDigestAndPushesAgainWhatIsThere(t *testing.T) {
	b, calls := builder(t)
	b.Push = true
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "name a registry that you may push to")
	b.Registry = "registry.example/team"
	first := built(t, b)
	assert.Equal(t, []string{"sha256:pushed"}, first.Digests)
	assert.Empty(t, first.Archive)
	assert.Contains(t, calls(), "push registry.example/team/ringside-toy:"+first.Tag)
	assert.Equal(t, first, built(t, b))
	assert.NotContains(t, calls(), "build ", "it is pushed as it is: the registry may have lost it")
}
