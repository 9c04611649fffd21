package imagebuild

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// bootstrap is the value of Base for a base image made from Debian packages, for hosts that cannot pull public images.
const bootstrap = "bootstrap"

// resolveLimit bounds the time in which a registry must answer which image a name refers to.
const resolveLimit = 15 * time.Second

// errPlatform means that a base image was found, but not for a platform.
var errPlatform = errors.New("it lacks a platform")

// bases finds base images, each once in a build.
type bases struct {
	Builder
	found map[string]map[string]v1.Image // by base and platform
	// unreachable are the registries that could not be reached.
	unreachable map[string]bool
}

// of returns the base of an image on each platform: that of the user, else the public one, else one from Debian packages.
func (b bases) of(ctx context.Context, spec Spec) (map[string]v1.Image, error) {
	base := spec.Base
	if b.Base != "" && base != "" {
		base = b.Base
	}
	switch {
	case base == "":
		return b.onEach(scratch)
	case base == bootstrap, b.unreachable[registryOf(base)]:
		return b.onEach(func(on v1.Platform) (v1.Image, error) { return b.bootstrapped(ctx, spec, on) })
	case b.found[base] != nil:
		return b.found[base], nil
	}
	images, err := b.pull(ctx, base)
	if err == nil {
		b.found[base] = images
		return images, nil
	}
	err = fmt.Errorf("find base image %s: %w", base, err)
	if b.Base != "" || spec.java() == "" || errors.Is(err, errPlatform) || ctx.Err() != nil {
		return nil, err
	}
	b.Say("note: base image %s cannot be pulled (%v): Java %s comes from Debian sid instead", base, cause(err), spec.java())
	b.unreachable[registryOf(base)] = true
	images, own := b.of(ctx, spec)
	if own != nil {
		return nil, fmt.Errorf("%w; nor can it be made from Debian packages: %w", err, own)
	}
	return images, nil
}

func (b bases) onEach(get func(v1.Platform) (v1.Image, error)) (map[string]v1.Image, error) {
	images := map[string]v1.Image{}
	for _, platform := range b.Platforms {
		var err error
		if images[platform.String()], err = get(platform); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// registryOf returns the part of a reference that names the registry, if it has one.
func registryOf(reference string) string {
	registry, _, _ := strings.Cut(reference, "/")
	return registry
}

// cause returns what is wrong with the network, without the address of each attempt.
func cause(err error) error {
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// pull resolves a reference to digests and downloads the image of each platform.
func (b bases) pull(ctx context.Context, reference string) (map[string]v1.Image, error) {
	ref, err := name.ParseReference(reference)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	resolved, err := remote.Get(ref, remoteOptions(limited)...)
	if err != nil {
		return nil, err
	}
	return b.onEach(func(on v1.Platform) (v1.Image, error) {
		digest, err := digestFor(resolved, on)
		if err != nil {
			return nil, err
		}
		return b.kept(digest.Hex, func() (v1.Image, error) {
			return remote.Image(ref.Context().Digest(digest.String()), remoteOptions(ctx)...)
		})
	})
}

// digestFor returns the digest of the image for a platform.
func digestFor(resolved *remote.Descriptor, on v1.Platform) (v1.Hash, error) {
	images, err := imagesOf(resolved)
	if err != nil {
		return v1.Hash{}, err
	}
	var has []string
	for _, image := range images {
		if image.Platform == nil || image.Platform.OS == "unknown" { // an attestation
			continue
		}
		if image.Platform.OS == on.OS && image.Platform.Architecture == on.Architecture {
			return image.Digest, nil
		}
		has = append(has, image.Platform.String())
	}
	return v1.Hash{}, fmt.Errorf("%w: %s, it has %s; use another base (BASE=<image>) or other PLATFORMS", errPlatform, on, strings.Join(has, ", "))
}

// imagesOf returns the images to which a reference leads, with their platforms.
func imagesOf(resolved *remote.Descriptor) ([]v1.Descriptor, error) {
	if resolved.MediaType.IsIndex() {
		index, err := resolved.ImageIndex()
		if err != nil {
			return nil, err
		}
		manifest, err := index.IndexManifest()
		if err != nil {
			return nil, err
		}
		return manifest.Manifests, nil
	}
	image, err := resolved.Image()
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	return []v1.Descriptor{{Digest: resolved.Digest, Platform: config.Platform()}}, nil
}

// remoteOptions are those for all registries: the user's own credentials, from the configuration and helpers of docker.
func remoteOptions(ctx context.Context) []remote.Option {
	return []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain),
		remote.WithRetryBackoff(remote.Backoff{Duration: time.Second, Factor: 3, Steps: 2}), remote.WithUserAgent("ringside-images")}
}

// kept returns a base image from the folder of base images, an OCI layout each, and gets it if it is not there.
func (b Builder) kept(name string, get func() (v1.Image, error)) (v1.Image, error) {
	folder := filepath.Join(b.Out, "bases", name)
	if !exists(folder) {
		image, err := get()
		if err != nil {
			return nil, err
		}
		if err := os.RemoveAll(folder + ".new"); err != nil {
			return nil, fmt.Errorf("keep base image: %w", err)
		}
		if _, err := layout.Write(folder+".new", mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: image})); err != nil {
			return nil, fmt.Errorf("keep base image: %w", err)
		}
		if err := os.Rename(folder+".new", folder); err != nil {
			return nil, fmt.Errorf("keep base image: %w", err)
		}
	}
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, fmt.Errorf("read kept base image: %w", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("read kept base image: %w", err)
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("read kept base image: %s holds %d images, not one; remove it", folder, len(manifest.Manifests))
	}
	return index.Image(manifest.Manifests[0].Digest)
}

// scratch returns an image without files.
func scratch(platform v1.Platform) (v1.Image, error) {
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config.OS, config.Architecture = platform.OS, platform.Architecture
	return mutate.ConfigFile(image, config)
}

// bootstrapped returns a base image from Debian packages, which has only the platform of this machine.
func (b Builder) bootstrapped(ctx context.Context, spec Spec, on v1.Platform) (v1.Image, error) {
	java, host, script := spec.java(), HostPlatform(), filepath.Join(b.Source, "base.sh")
	if java == "" {
		return nil, fmt.Errorf("make base image %s from Debian packages: this is possible for Java only; set BASE=<image>", spec.Base)
	}
	if !on.Equals(host) {
		return nil, fmt.Errorf("make base image from Debian packages: %w: %s, it has %s; use another base (BASE=<image>) or PLATFORMS=%s", errPlatform, on, host, host)
	}
	files, err := filepath.Glob(filepath.Join(b.Source, "debian", "*"))
	if err != nil {
		return nil, fmt.Errorf("digest the inputs of the base image: %w", err)
	}
	var inputs []string
	for _, file := range append(files, script) {
		sum, err := sumOf(file)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, sum)
	}
	folder := filepath.Join(b.Out, "base")
	defer os.RemoveAll(folder)
	return b.kept("java"+java+"-"+tagOf(inputs), func() (v1.Image, error) {
		if err := b.run(ctx, nil, script, folder, java); err != nil {
			return nil, fmt.Errorf("base image with Java %s: %w", java, err)
		}
		b.Say("base image with Java %s built from Debian packages", java)
		return debianImage(filepath.Join(folder, "root.tar"), host)
	})
}

// debianImage returns an image with one layer.
func debianImage(archive string, platform v1.Platform) (v1.Image, error) {
	layer, err := tarball.LayerFromFile(archive, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image, err := scratch(platform)
	if err != nil {
		return nil, err
	}
	if image, err = mutate.Config(image, v1.Config{Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}); err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{CreatedBy: "images/base.sh"}})
}

// Bootstraps reports whether images are built without public ones.
func (b Builder) Bootstraps() bool { return b.Base == bootstrap }
