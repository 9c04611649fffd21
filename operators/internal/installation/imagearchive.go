package installation

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const (
	// AnswerPatience is how long a registry may take to answer, on a machine that may have no way to it.
	AnswerPatience = 15 * time.Second
	// downloadPatience bounds the download of the layers.
	downloadPatience = 15 * time.Minute
	// dockerHub is the registry of names without one, as container runtimes write it.
	dockerHub = "docker.io"
)

// PullOrder describes an image to pull.
type PullOrder struct {
	// Reference is the image's full name, under which nodes know it: docker.io/grafana/grafana:13.2.3.
	Reference string
	// Mirror is a registry, with or without a path, from which the image is pulled instead; empty: its own.
	Mirror string
	// Into is the path of the archive.
	Into string
	// Answer bounds the time until the registry answers; 0 means AnswerPatience.
	Answer time.Duration
	// Progress shows how much is downloaded; nil shows nothing.
	Progress func(done string)
}

// PullImage writes the image for this machine's architecture to an archive. The archive exists only if it is complete.
func PullImage(ctx context.Context, order PullOrder) error {
	tag, err := name.NewTag(order.Reference)
	if err != nil {
		return fmt.Errorf("pull image: %w", err)
	}
	source, err := sourceOf(tag, order.Mirror)
	if err != nil {
		return err
	}
	patience := order.Answer
	if patience == 0 {
		patience = AnswerPatience
	}
	// Cancels the question, and not the download that follows it.
	ctx, cancel := context.WithTimeout(ctx, downloadPatience)
	defer cancel()
	late := time.AfterFunc(patience, cancel)
	image, err := remote.Image(source, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain),
		remote.WithPlatform(v1.Platform{OS: "linux", Architecture: runtime.GOARCH}))
	if !late.Stop() {
		return fmt.Errorf("pull image %s: no answer within %s", source, patience)
	}
	if err != nil {
		return fmt.Errorf("pull image %s: %w", source, err)
	}
	if err := write(order, tag, image); err != nil {
		return fmt.Errorf("pull image %s: %w", source, err)
	}
	return nil
}

// sourceOf returns where an image is pulled from: the same repository and tag at the mirror.
func sourceOf(tag name.Tag, mirror string) (name.Tag, error) {
	if mirror == "" {
		return tag, nil
	}
	source, err := name.NewTag(strings.TrimSuffix(mirror, "/") + "/" + tag.RepositoryStr() + ":" + tag.TagStr())
	if err != nil {
		return name.Tag{}, fmt.Errorf("pull image from mirror %q: %w; name a registry, such as mirror.example or mirror.example/path", mirror, err)
	}
	return source, nil
}

// write replaces the archive at once, so that an interrupted download leaves none.
func write(order PullOrder, tag name.Tag, image v1.Image) error {
	if err := os.MkdirAll(filepath.Dir(order.Into), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(order.Into), ".pull-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := writeTo(file, order, tag, image); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), order.Into)
}

func writeTo(to io.Writer, order PullOrder, tag name.Tag, image v1.Image) error {
	updates := make(chan v1.Update)
	done := make(chan error, 1)
	go func() { done <- tarball.Write(tag, image, to, tarball.WithProgress(updates)) }()
	for {
		select {
		case update := <-updates: // the library never closes it
			if order.Progress != nil && update.Error == nil {
				order.Progress(fmt.Sprintf("%d of %d MB", update.Complete>>20, update.Total>>20))
			}
		case err := <-done:
			return err
		}
	}
}

// ImageIn returns the name of the first image in an archive of docker save, podman save or PullImage.
func ImageIn(archive string) (Image, error) {
	manifest, err := tarball.LoadManifest(func() (io.ReadCloser, error) { return os.Open(archive) })
	if err != nil {
		return Image{}, fmt.Errorf("read image archive %s: %w; create it with: docker save <image>:<tag> -o %s", archive, err, archive)
	}
	var names []string
	for _, image := range manifest {
		names = append(names, image.RepoTags...)
	}
	if len(names) == 0 {
		return Image{}, fmt.Errorf("read image archive %s: it names no image; create it with: docker save <image>:<tag> -o %s", archive, archive)
	}
	tag, err := name.NewTag(names[0])
	if err != nil {
		return Image{}, fmt.Errorf("read image archive %s: %w", archive, err)
	}
	registry := tag.RegistryStr()
	if registry == name.DefaultRegistry {
		registry = dockerHub
	}
	return Image{registry, tag.RepositoryStr(), tag.TagStr()}, nil
}
