package imagebuild

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// LocalRegistry is a name only: its images are loaded from archives.
const LocalRegistry = "ringside.local"

// Builder builds images sequentially, because they share the staging folder and the storage.
type Builder struct {
	Source   string // folder of the images' sources
	Out      string // folder for staging, archives and the manifest
	Registry string
	Engine   string // build tool; empty: the first that is installed
	Base     string // base image with Java; empty: the public one in each Containerfile; bootstrap: our own
	Push     bool   // push to the registry instead of writing archives
	Say      func(format string, args ...any)
	Log      io.Writer // output of the tools
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
	tool, err := findEngine(b.Engine, b.Out, b.Log)
	if err != nil {
		return err
	}
	manifest, err := ReadManifest(ManifestPath(b.Out))
	if err != nil {
		return err
	}
	for _, name := range names {
		before, _ := manifest.Find(name)
		started := time.Now()
		image, err := b.one(ctx, tool, name, before)
		if err != nil {
			return fmt.Errorf("image %s: %w", name, err)
		}
		if image.Tag == before.Tag && image.Reference() == before.Reference() {
			b.Say("image %s is up to date: %s", name, image.Tag)
			manifest = manifest.With(image)
		} else {
			b.Say("image %s built in %.0f s: %s", name, time.Since(started).Seconds(), image.Tag)
			manifest = manifest.With(image)
			if before.Name != "" {
				_ = tool.call(ctx, "rmi", before.Reference()) // it may be missing or in use; it only takes space
			}
		}
		if err := manifest.Write(ManifestPath(b.Out)); err != nil {
			return err
		}
	}
	return nil
}

// one stages, builds and saves or pushes an image, unless it has not changed since before.
func (b Builder) one(ctx context.Context, tool engine, name string, before Image) (Image, error) {
	folder := filepath.Join(b.Out, name)
	staged := filepath.Join(folder, "context")
	if err := os.MkdirAll(staged, 0o755); err != nil {
		return Image{}, fmt.Errorf("make staging folder: %w", err)
	}
	if err := run(ctx, b.Log, filepath.Join(b.Source, name, "stage.sh"), staged); err != nil {
		return Image{}, err
	}
	containerfile := filepath.Join(b.Source, name, "Containerfile")
	base, err := b.base(ctx, tool, containerfile)
	if err != nil {
		return Image{}, err
	}
	tag, err := tagOf(containerfile, staged, tool.name, tool.imageIDOf(ctx, base))
	if err != nil {
		return Image{}, err
	}
	image := Image{
		Name: name, Registry: strings.TrimSuffix(b.Registry, "/"), Tag: tag,
		Version: fact(folder, "version"), PluginSHA256: fact(folder, "plugin.sha256"),
	}
	archive := filepath.Join(b.Out, name+".tar")
	if !b.Push && before.Reference() == image.Reference() && before.Archive == archive && exists(archive) {
		return before, nil
	}
	if tool.imageID(ctx, image.Reference()) == "" {
		if err := tool.buildImage(ctx, image.Reference(), containerfile, staged, base); err != nil {
			return Image{}, b.withoutPublic(err, containerfile)
		}
	}
	digest := ""
	if b.Push {
		digest, err = tool.push(ctx, image.Reference())
	} else {
		image.Archive = archive
		if err = tool.save(ctx, image.Reference(), archive); err == nil {
			digest, err = configDigest(archive)
		}
	}
	image.Digests = []string{digest}
	return image, err
}

// imageIDOf returns the id of a base image, or its name if it was not pulled yet.
func (e engine) imageIDOf(ctx context.Context, base string) string {
	if base == "" {
		return ""
	}
	if id := e.imageID(ctx, base); id != "" {
		return id
	}
	return base
}

// fact reads a file that a staging script writes next to the context. It is not part of the image.
func fact(folder, name string) string {
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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
