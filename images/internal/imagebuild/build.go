package imagebuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"golang.org/x/sys/unix"
)

// LocalRegistry is a name only: its images are loaded from archives.
const LocalRegistry = "ringside.local"

// Builder builds images sequentially, because they share the staging folder.
type Builder struct {
	Source    string // folder of the images' sources
	Out       string // folder for staging, archives and the manifest
	Registry  string
	Base      string        // base image with Java; empty: the public one of each image, else bootstrap; bootstrap: our own
	Platforms []v1.Platform // sorted
	Push      bool          // push to the registry instead of writing archives
	Say       func(format string, args ...any)
	Log       io.Writer // output of the tools
}

// ManifestPath returns the path of the manifest in a folder of built images.
func ManifestPath(out string) string { return filepath.Join(out, "manifest.json") }

// Build builds the images and adds them to the manifest. It does not rebuild an image that has not changed.
func (b Builder) Build(ctx context.Context, names []string) error {
	if b.Push && b.Registry == LocalRegistry {
		return fmt.Errorf("to push, name a registry that you may push to; %s is only a name for loaded archives", LocalRegistry)
	}
	if err := os.MkdirAll(b.Out, 0o755); err != nil {
		return fmt.Errorf("make folder of images: %w", err)
	}
	unlock, err := lock(filepath.Join(b.Out, ".lock"))
	if err != nil {
		return err
	}
	defer unlock()
	manifest, err := ReadManifest(ManifestPath(b.Out))
	if err != nil {
		return err
	}
	var specs []Spec
	for _, name := range names {
		spec, _, err := readSpec(filepath.Join(b.Source, name))
		if err != nil {
			return fmt.Errorf("image %s: %w", name, err)
		}
		specs = append(specs, spec)
	}
	if err := b.buildJars(ctx, specs); err != nil {
		return err
	}
	from := bases{b, map[string]map[string]v1.Image{}, map[string]bool{}}
	for _, name := range names {
		before, _ := manifest.Find(name)
		started := time.Now()
		image, err := from.one(ctx, name, before)
		if err != nil {
			return fmt.Errorf("image %s: %w", name, err)
		}
		if image.Reference() == before.Reference() {
			b.Say("image %s is up to date: %s", name, image.Tag)
		} else {
			b.Say("image %s built in %.0f s: %s", name, time.Since(started).Seconds(), image.Tag)
		}
		manifest = manifest.With(image)
		if err := manifest.Write(ManifestPath(b.Out)); err != nil {
			return err
		}
	}
	return nil
}

// one builds an image and writes its archive or pushes it. An archive that exists for the same inputs is kept.
func (b bases) one(ctx context.Context, name string, before Image) (Image, error) {
	spec, text, err := readSpec(filepath.Join(b.Source, name))
	if err != nil {
		return Image{}, err
	}
	if host := HostPlatform(); spec.Native && !slices.EqualFunc(b.Platforms, []v1.Platform{host}, v1.Platform.Equals) {
		return Image{}, fmt.Errorf("it can be built for %s only, the platform of this machine; set PLATFORMS=%s", host, host)
	}
	scratch := filepath.Join(b.Out, ".scratch") // the lock allows one build at a time
	defer os.RemoveAll(scratch)
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return Image{}, fmt.Errorf("make folder for layers: %w", err)
	}
	all, err := b.stageParts(ctx, name, spec, scratch)
	if err != nil {
		return Image{}, err
	}
	image := Image{Name: name, Registry: strings.TrimSuffix(b.Registry, "/")}
	if image.Tag, err = tagFor(text, all); err != nil {
		return Image{}, err
	}
	archive := filepath.Join(b.Out, name+".tar")
	if !b.Push && before.Reference() == image.Reference() && before.Archive == archive && exists(archive) {
		return before, nil
	}
	version, _ := os.ReadFile(filepath.Join(b.Out, name, "version")) // most staging scripts write none
	image.Version = strings.TrimSpace(string(version))
	if spec.Proof != "" {
		if image.PluginSHA256, err = sumOf(b.jarPath(spec.Jars[spec.Proof], path.Base(spec.Proof))); err != nil {
			return Image{}, err
		}
	}
	built, err := assemble(spec, all)
	if err != nil {
		return Image{}, err
	}
	if image.Digests, err = built.digests(); err != nil {
		return Image{}, fmt.Errorf("digests of the image: %w", err)
	}
	for _, platform := range b.Platforms {
		image.Platforms = append(image.Platforms, platform.String())
	}
	if b.Push {
		return image, built.push(ctx, image.Reference())
	}
	image.Archive = archive
	return image, built.archive(archive, image.Reference(), scratch)
}

// lock waits until no other build runs.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	for {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock: %w", err)
	}
	return func() { _ = file.Close() }, nil
}
