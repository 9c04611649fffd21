package imagebuild

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	amd64 = v1.Platform{OS: "linux", Architecture: "amd64"}
	arm64 = v1.Platform{OS: "linux", Architecture: "arm64"}
)

const toy = `
base: %BASE%
files: {/opt/toy/input: input, /load: load}
programs: {/hello: ./hello}
waits: true
user: "10001:10001"
entrypoint: [/load]
cmd: [run]
`

// builder returns a builder of an image "toy" without a base, and what it has said.
func builder(t *testing.T) (Builder, *strings.Builder) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "src/toy/input"), "one", 0o600)
	write(t, filepath.Join(dir, "src/toy/load"), "#!/bin/sh\n", 0o700)
	write(t, filepath.Join(dir, "src/toy/stage.sh"), "#!/bin/sh\nmkdir -p \"$1/etc\"\necho staged >\"$1/etc/staged\"\nln -sf staged \"$1/etc/link\"\necho 1.2 >\"$1/../version\"\n", 0o755)
	write(t, filepath.Join(dir, "go.mod"), "module toy.example\ngo 1.24\n", 0o644)
	write(t, filepath.Join(dir, "hello/main.go"), "package main\n\nfunc main() { println(\"hello\") }\n", 0o644)
	t.Chdir(dir) // Go packages are named from the repository's root
	b := Builder{Source: "src", Out: "out", Registry: LocalRegistry, Platforms: []v1.Platform{amd64}, Log: t.Output()}
	standOn(t, b, `""`)
	var said strings.Builder
	b.Say = func(format string, args ...any) {
		said.WriteString(strings.TrimSpace(fmt.Sprintf(format, args...)) + "\n")
	}
	return b, &said
}

// standOn sets the base of the toy.
func standOn(t *testing.T, b Builder, base string) {
	t.Helper()
	write(t, filepath.Join(b.Source, "toy", specFile), strings.ReplaceAll(toy, "%BASE%", base), 0o644)
}

func built(t *testing.T, b Builder) Image {
	t.Helper()
	require.NoError(t, b.Build(t.Context(), []string{"toy"}))
	m, err := ReadManifest(ManifestPath(b.Out))
	require.NoError(t, err)
	require.Len(t, m.Images, 1)
	return m.Images[0]
}

// openRegistry serves a registry, which asks for a login if there is a user.
func openRegistry(t *testing.T, user, password string) (address string) {
	t.Helper()
	stores := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, secret, _ := r.BasicAuth(); name != user || secret != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		stores.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// pushBase pushes an image of random content for the platforms.
func pushBase(t *testing.T, address string, platforms ...v1.Platform) (reference string) {
	t.Helper()
	reference = address + "/jre:25-jre"
	tag, err := name.NewTag(reference)
	require.NoError(t, err)
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		image, err := random.Image(100, 1)
		require.NoError(t, err)
		config, err := image.ConfigFile()
		require.NoError(t, err)
		config.OS, config.Architecture = platform.OS, platform.Architecture
		config.Config.Env, config.Config.Cmd = []string{"JAVA_HOME=/opt/java"}, []string{"jshell"}
		image, err = mutate.ConfigFile(image, config)
		require.NoError(t, err)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	require.NoError(t, remote.WriteIndex(tag, index))
	return reference
}

// listing returns the files of an image with modes, and the content of the small ones.
func listing(t *testing.T, image v1.Image) (modes map[string]string, contents map[string][]byte) {
	t.Helper()
	modes, contents = map[string]string{}, map[string][]byte{}
	flat := mutate.Extract(image)
	defer flat.Close()
	for reader := tar.NewReader(flat); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return modes, contents
		}
		require.NoError(t, err)
		modes[header.Name] = header.FileInfo().Mode().String()
		assert.True(t, header.ModTime.Unix() == 0 && header.Uid == 0 && header.Gid == 0 || strings.HasPrefix(header.Name, "random_file") || header.Name == "java", header.Name)
		contents[header.Name], err = io.ReadAll(reader)
		require.NoError(t, err)
	}
}

func TestAnImageHoldsWhatItsDescriptionStates(t *testing.T) {
	b, _ := builder(t)
	b.Base = pushBase(t, openRegistry(t, "", ""), amd64, arm64)
	standOn(t, b, "registry.example/jre:25-jre")
	made := built(t, b)
	assert.Equal(t, "1.2", made.Version)
	assert.Equal(t, []string{"linux/amd64"}, made.Platforms)
	image, err := tarball.ImageFromPath(made.Archive, nil)
	require.NoError(t, err)
	config, err := image.ConfigFile()
	require.NoError(t, err)
	assert.Equal(t, []string{"/load"}, config.Config.Entrypoint)
	assert.Equal(t, []string{"run"}, config.Config.Cmd, "not that of the base")
	assert.Equal(t, "10001:10001", config.Config.User)
	assert.Equal(t, []string{"JAVA_HOME=/opt/java"}, config.Config.Env)
	modes, contents := listing(t, image)
	for file, mode := range map[string]string{
		"opt/toy/input": "-rw-r--r--", "opt/toy": "drwxr-xr-x", "load": "-rwxr-xr-x", "load.waits": "-rw-r--r--",
		"etc/staged": "-rw-r--r--", "etc/link": "Lrwxrwxrwx", "hello": "-rwxr-xr-x",
	} {
		assert.Equal(t, mode, modes[file], file)
	}
	assert.Equal(t, "one", string(contents["opt/toy/input"]))
	assert.Empty(t, contents["load.waits"])
}

func TestTwoBuildsAreEqualByteForByte(t *testing.T) {
	b, _ := builder(t)
	b.Base = pushBase(t, openRegistry(t, "", ""), amd64, arm64)
	standOn(t, b, "registry.example/jre:25-jre")
	for _, platforms := range [][]v1.Platform{{amd64}, {amd64, arm64}} {
		b.Platforms = platforms
		first := built(t, b)
		bytes, err := os.ReadFile(first.Archive)
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(b.Out))
		require.NoError(t, os.Chmod(filepath.Join(b.Source, "toy/input"), 0o640), "another umask")
		second := built(t, b)
		again, err := os.ReadFile(second.Archive)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.True(t, string(bytes) == string(again), "%v", platforms)
	}
}

func TestProgramsAreCompiledForEachPlatformOfTheIndex(t *testing.T) {
	b, _ := builder(t)
	b.Platforms = []v1.Platform{amd64, arm64}
	made := built(t, b)
	assert.Len(t, made.Digests, 5, "of the index, two manifests and two configurations")
	images := imagesIn(t, made)
	require.Len(t, images, 2)
	for platform, image := range images {
		_, contents := listing(t, image)
		assert.Equal(t, machines[platform], machine(t, contents["hello"]), platform)
	}
}

var machines = map[string]elf.Machine{"linux/amd64": elf.EM_X86_64, "linux/arm64": elf.EM_AARCH64}

// machine returns the machine for which a program was compiled.
func machine(t *testing.T, program []byte) elf.Machine {
	t.Helper()
	file, err := elf.NewFile(bytes.NewReader(program))
	require.NoError(t, err)
	return file.Machine
}

// imagesIn returns the images of an archive of several platforms.
func imagesIn(t *testing.T, made Image) map[string]v1.Image {
	t.Helper()
	top, err := layout.ImageIndexFromPath(unpacked(t, made.Archive))
	require.NoError(t, err)
	manifest, err := top.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	assert.Equal(t, made.Digests[0], manifest.Manifests[0].Digest.String())
	assert.Equal(t, made.Reference(), manifest.Manifests[0].Annotations["io.containerd.image.name"])
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	inner, err := index.IndexManifest()
	require.NoError(t, err)
	images := map[string]v1.Image{}
	for _, platform := range inner.Manifests {
		image, err := index.Image(platform.Digest)
		require.NoError(t, err)
		config, err := image.ConfigFile()
		require.NoError(t, err)
		assert.Equal(t, platform.Platform.String(), config.Platform().String())
		images[platform.Platform.String()] = image
	}
	return images
}

// unpacked extracts an archive.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	into := t.TempDir()
	file, err := os.Open(archive)
	require.NoError(t, err)
	defer file.Close()
	for reader := tar.NewReader(file); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return into
		}
		require.NoError(t, err)
		if header.Typeflag == tar.TypeDir {
			continue
		}
		content, err := io.ReadAll(reader)
		require.NoError(t, err)
		write(t, filepath.Join(into, header.Name), string(content), fs.FileMode(header.Mode))
	}
}

// containerd, kind and k3d read the OCI layout; docker, podman and minikube may read manifest.json. Both must name the same
// image.
func TestAnArchiveIsAnOCILayoutAndADockerArchive(t *testing.T) {
	b, _ := builder(t)
	made := built(t, b)
	tag, err := name.NewTag(made.Reference())
	require.NoError(t, err)
	docker, err := tarball.ImageFromPath(made.Archive, &tag)
	require.NoError(t, err)
	config, err := docker.ConfigName()
	require.NoError(t, err)
	assert.Equal(t, made.Digests[1], config.String())

	top, err := layout.ImageIndexFromPath(unpacked(t, made.Archive))
	require.NoError(t, err)
	manifest, err := top.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	assert.Equal(t, made.Digests[0], manifest.Manifests[0].Digest.String())
	assert.Equal(t, map[string]string{"io.containerd.image.name": made.Reference(), "org.opencontainers.image.ref.name": made.Reference()}, manifest.Manifests[0].Annotations)
	image, err := top.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	same, err := image.ConfigName()
	require.NoError(t, err)
	assert.Equal(t, config, same)
}

func TestATagChangesWithEachInput(t *testing.T) {
	b, said := builder(t)
	address := openRegistry(t, "", "")
	b.Base = pushBase(t, address, amd64, arm64)
	standOn(t, b, "registry.example/jre:25-jre")
	first := built(t, b)
	assert.Len(t, first.Tag, tagLength)
	assert.Contains(t, said.String(), "image toy built in")
	assert.Equal(t, first, built(t, b))
	assert.Contains(t, said.String(), "image toy is up to date")
	tags := map[string]string{first.Tag: "nothing"}
	for _, change := range []struct {
		name string
		make func()
	}{
		{"a byte", func() { write(t, filepath.Join(b.Source, "toy/input"), "two", 0o644) }},
		{"a mode", func() { write(t, filepath.Join(b.Source, "toy/input"), "two", 0o755) }},
		{"a program", func() { write(t, "hello/main.go", "package main\n\nfunc main() { println(\"bye\") }\n", 0o644) }},
		{"the description", func() { standOn(t, b, "registry.example/jre:21-jre") }},
		{"the image behind the base's tag", func() { pushBase(t, address, amd64, arm64) }},
		{"the platform", func() { b.Platforms = []v1.Platform{arm64} }},
		{"one more platform", func() { b.Platforms = []v1.Platform{amd64, arm64} }},
	} {
		change.make()
		made := built(t, b)
		assert.Empty(t, tags[made.Tag], "%s has the tag of %s", change.name, tags[made.Tag])
		tags[made.Tag] = change.name
	}
}

func TestABaseWithoutThePlatformIsAnErrorThatNamesIt(t *testing.T) {
	b, _ := builder(t)
	standOn(t, b, pushBase(t, openRegistry(t, "", ""), amd64))
	b.Platforms = []v1.Platform{amd64, arm64}
	err := b.Build(t.Context(), []string{"toy"})
	assert.ErrorContains(t, err, "image toy: find base image")
	assert.ErrorContains(t, err, "it lacks a platform: linux/arm64, it has linux/amd64; use another base (BASE=<image>) or other PLATFORMS")
}

func TestAnImageOfThisMachinesProgramsIsBuiltForNoOtherPlatform(t *testing.T) {
	b, _ := builder(t)
	write(t, filepath.Join(b.Source, "toy", specFile), "native: true\nuser: \"1:1\"\nentrypoint: [/x]\n", 0o644)
	b.Platforms = []v1.Platform{amd64, arm64}
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "it can be built for "+HostPlatform().String()+" only, the platform of this machine")
}

// bootstrapping adds a base.sh that makes an archive and notes its calls.
func bootstrapping(t *testing.T, b Builder) (calls func() string) {
	t.Helper()
	write(t, filepath.Join(b.Source, "debian/packages.lock"), "a 1", 0o644)
	write(t, filepath.Join(b.Source, "base.sh"), "#!/bin/sh\nset -e\nmkdir -p \"$1\"\necho \"Java $2\" >\"$1/java\"\ntar -C \"$1\" -cf \"$1/root.tar\" java\necho \"base.sh $2\" >>calls\n", 0o755)
	return func() string {
		content, _ := os.ReadFile("calls")
		_ = os.Remove("calls")
		return string(content)
	}
}

func TestTheBaseIsTheUsersElseThePublicOneElseFromDebianPackages(t *testing.T) {
	b, said := builder(t)
	b.Platforms = []v1.Platform{HostPlatform()}
	calls := bootstrapping(t, b)
	public := pushBase(t, openRegistry(t, "", ""), amd64, arm64)
	closed := "127.0.0.1:1/jre:25-jre"

	standOn(t, b, public)
	fromPublic := built(t, b)
	assert.Empty(t, calls())

	standOn(t, b, closed)
	own := built(t, b)
	assert.Equal(t, "base.sh 25\n", calls())
	assert.Equal(t, 1, strings.Count(said.String(), "base image "+closed+" cannot be pulled"))
	image, err := tarball.ImageFromPath(own.Archive, nil)
	require.NoError(t, err)
	modes, _ := listing(t, image)
	assert.Contains(t, modes, "java")
	assert.Equal(t, own, built(t, b))
	assert.Empty(t, calls(), "it is there")

	b.Base = public
	users := built(t, b)
	assert.NotEqual(t, own.Tag, users.Tag)
	b.Base = closed
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "find base image "+closed, "a base that was asked for is not replaced")
	assert.Empty(t, calls())

	b.Base = bootstrap
	standOn(t, b, public)
	made := built(t, b)
	assert.Empty(t, calls())
	assert.NotEqual(t, fromPublic.Tag, made.Tag)
	standOn(t, b, "registry.example/jre:8-jre")
	built(t, b)
	assert.Equal(t, "base.sh 8\n", calls(), "one for each Java")

	other := arm64
	if HostPlatform().Equals(arm64) {
		other = amd64
	}
	b.Platforms = []v1.Platform{other}
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "it lacks a platform: "+other.String())
}

func TestPushesWithTheLoginOfTheDockerConfig(t *testing.T) {
	b, _ := builder(t)
	address := openRegistry(t, "somebody", "secret")
	b.Push = true
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "name a registry that you may push to")
	b.Registry, b.Platforms = address+"/team", []v1.Platform{amd64, arm64}
	folder := t.TempDir()
	t.Setenv("DOCKER_CONFIG", folder)
	assert.ErrorContains(t, b.Build(t.Context(), []string{"toy"}), "docker login "+address)

	auth := authn.AuthConfig{Username: "somebody", Password: "secret"}
	content, err := json.Marshal(map[string]any{"auths": map[string]any{address: auth}})
	require.NoError(t, err)
	write(t, filepath.Join(folder, "config.json"), string(content), 0o600)
	made := built(t, b)
	assert.Empty(t, made.Archive)
	assert.Equal(t, made, built(t, b), "it is pushed again: the registry may have lost it")
	tag, err := name.NewTag(made.Reference())
	require.NoError(t, err)
	index, err := remote.Index(tag, remote.WithAuth(authn.FromConfig(auth)))
	require.NoError(t, err)
	digest, err := index.Digest()
	require.NoError(t, err)
	assert.Equal(t, made.Digests[0], digest.String())
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	assert.Len(t, manifest.Manifests, 2)
}

func TestEveryImageIsDescribed(t *testing.T) {
	names, err := All("../..")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		spec, _, err := readSpec(filepath.Join("../..", name))
		require.NoError(t, err)
		if spec.Base != "" {
			assert.NotEmpty(t, spec.java(), "%s: what it needs where no public image can be pulled", name)
		}
		for _, file := range spec.Files {
			assert.FileExists(t, filepath.Join("../..", name, file))
		}
		for _, module := range spec.Jars {
			assert.FileExists(t, filepath.Join("../..", module, "pom.xml"))
		}
		for _, program := range spec.Programs {
			assert.DirExists(t, filepath.Join("../../..", program))
		}
	}
}

func TestRejectsADescriptionThatIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"users: x": `unknown field "users"`,
		"user: \"1:1\"\nentrypoint: [x]\nfiles: {opt/x: x}": `"opt/x" is no path in the image`,
		"user: \"1:1\"": "user or entrypoint is missing",
		"user: \"1:1\"\nentrypoint: [x]\nproof: /a.jar": "proof is /a.jar; use a path of jars",
	} {
		folder := t.TempDir()
		write(t, filepath.Join(folder, specFile), text, 0o644)
		_, _, err := readSpec(folder)
		assert.ErrorContains(t, err, says)
	}
}

// Takes minutes on two cores: make test-long.
func TestTheOperatorsImageHoldsProgramsOfEachPlatform(t *testing.T) {
	if os.Getenv("RINGSIDE_LONG") == "" {
		t.Skip("left out: it compiles the operator for two platforms; make test-long runs it")
	}
	out := t.TempDir()
	t.Chdir("../../..")
	b := Builder{Source: "images", Out: out, Registry: LocalRegistry, Platforms: []v1.Platform{amd64, arm64}, Say: t.Logf, Log: t.Output()}
	require.NoError(t, b.Build(t.Context(), []string{"operator"}))
	m, err := ReadManifest(ManifestPath(out))
	require.NoError(t, err)
	images := imagesIn(t, m.Images[0])
	require.Len(t, images, 2)
	for platform, image := range images {
		modes, contents := listing(t, image)
		t.Logf("%s: %v", platform, slices.Sorted(maps.Keys(modes)))
		assert.Contains(t, modes, "charts/cassandra/Chart.yaml")
		assert.Contains(t, modes, "loads/stress/orders.schema.json")
		for _, program := range []string{"operator", "meter", "fault"} {
			assert.Equal(t, machines[platform], machine(t, contents[program]), "%s on %s", program, platform)
		}
	}
}
