package imagebuild

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// artifact is an image of one platform, or an index of the images of several.
type artifact struct {
	platforms []v1.Platform
	images    []v1.Image
	index     v1.ImageIndex // nil with one platform
}

// top returns what a tag refers to.
func (a artifact) top() interface {
	remote.Taggable
	mutate.Appendable
} {
	if a.index != nil {
		return a.index
	}
	return a.images[0]
}

// parts are the files that an image adds to its base on a platform.
type parts struct {
	platform v1.Platform
	base     v1.Image
	layers   []string // uncompressed archives
	digests  []string // of the archives
}

// stageParts writes the layers of an image for each platform to a folder.
func (b bases) stageParts(ctx context.Context, name string, spec Spec, folder string) ([]parts, error) {
	from, err := b.of(ctx, spec)
	if err != nil {
		return nil, err
	}
	files, err := b.stage(ctx, name, spec)
	if err != nil {
		return nil, err
	}
	shared := filepath.Join(folder, "files.tar")
	digest, err := files.writeLayer(shared)
	if err != nil {
		return nil, err
	}
	var all []parts
	for _, platform := range b.Platforms {
		part := parts{platform: platform, base: from[platform.String()]}
		if len(files) > 0 {
			part.layers, part.digests = []string{shared}, []string{digest}
		}
		programs, err := b.compile(ctx, name, spec, platform)
		if err != nil {
			return nil, err
		}
		if len(programs) > 0 {
			file := filepath.Join(folder, platform.Architecture+".tar")
			digest, err := programs.writeLayer(file)
			if err != nil {
				return nil, err
			}
			part.layers, part.digests = append(part.layers, file), append(part.digests, digest)
		}
		all = append(all, part)
	}
	return all, nil
}

// tagFor returns the tag of an image.
func tagFor(text []byte, all []parts) (string, error) {
	inputs := []string{string(text)}
	for _, part := range all {
		base, err := part.base.Digest()
		if err != nil {
			return "", fmt.Errorf("digest of the base image: %w", err)
		}
		inputs = append(append(inputs, part.platform.String(), base.String()), part.digests...)
	}
	return tagOf(inputs), nil
}

// assemble adds layers and settings to the bases.
func assemble(spec Spec, all []parts) (artifact, error) {
	out := artifact{}
	var index v1.ImageIndex = empty.Index
	for _, part := range all {
		image, err := part.image(spec)
		if err != nil {
			return artifact{}, fmt.Errorf("assemble the image of %s: %w", part.platform, err)
		}
		out.platforms, out.images = append(out.platforms, part.platform), append(out.images, image)
		platform := part.platform
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	if len(all) > 1 {
		out.index = index
	}
	return out, nil
}

func (p parts) image(spec Spec) (v1.Image, error) {
	kind := types.OCILayer
	if base, err := p.base.MediaType(); err != nil {
		return nil, err
	} else if base == types.DockerManifestSchema2 {
		kind = types.DockerLayer
	}
	var added []mutate.Addendum
	for _, file := range p.layers {
		layer, err := tarball.LayerFromFile(file, tarball.WithMediaType(kind), tarball.WithCompressedCaching)
		if err != nil {
			return nil, err
		}
		added = append(added, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: time.Unix(0, 0).UTC()}, CreatedBy: "ringside-images"}})
	}
	image, err := mutate.Append(p.base, added...)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	config.Config.User, config.Config.Entrypoint, config.Config.Cmd = spec.User, spec.Entrypoint, spec.Cmd
	config.Config.ExposedPorts, config.Config.Volumes = set(spec.Ports), set(spec.Volumes)
	return mutate.ConfigFile(image, config)
}

func set(names []string) map[string]struct{} {
	if len(names) == 0 {
		return nil
	}
	all := map[string]struct{}{}
	for _, name := range names {
		all[name] = struct{}{}
	}
	return all
}

// digests returns all digests under which a node may report the image, that of the tag first: of the index or the
// manifest, of the manifest of each platform, and of the configuration of each platform.
func (a artifact) digests() ([]string, error) {
	top, err := a.top().Digest()
	if err != nil {
		return nil, err
	}
	all := []string{top.String()}
	for _, image := range a.images {
		manifest, err := image.Digest()
		if err != nil {
			return nil, err
		}
		config, err := image.ConfigName()
		if err != nil {
			return nil, err
		}
		for _, digest := range []string{manifest.String(), config.String()} {
			if !slices.Contains(all, digest) {
				all = append(all, digest)
			}
		}
	}
	return all, nil
}

// push writes the artifact to a registry with the credentials of the user.
func (a artifact) push(ctx context.Context, reference string) error {
	tag, err := name.NewTag(reference)
	if err != nil {
		return fmt.Errorf("push %s: %w", reference, err)
	}
	if err := remote.Push(tag, a.top(), remoteOptions(ctx)...); err != nil {
		return fmt.Errorf("push %s: %w; if it asks for a login, log in first: docker login %s", reference, err, tag.RegistryStr())
	}
	return nil
}

// archive writes an OCI layout as a tar archive. containerd (so kind, k3d and the embedded cluster) finds the image by the
// annotations of its name. An image of one platform also has the manifest.json of docker save, which older versions of docker
// (so minikube) read. The layout is first written to the scratch folder.
func (a artifact) archive(file, reference, scratch string) error {
	folder := filepath.Join(scratch, "layout")
	store, err := layout.Write(folder, empty.Index)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	named := layout.WithAnnotations(map[string]string{"io.containerd.image.name": reference, "org.opencontainers.image.ref.name": reference})
	if a.index != nil {
		err = store.AppendIndex(a.index, named)
	} else if err = store.AppendImage(a.images[0], named, layout.WithPlatform(a.platforms[0])); err == nil {
		err = addDocker(store, a.images[0], reference)
	}
	if err != nil {
		return fmt.Errorf("write archive of %s: %w", reference, err)
	}
	files := tree{}
	if err := files.addFolder(folder); err != nil {
		return err
	}
	if _, err := files.writeLayer(file + ".new"); err != nil {
		return err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return nil
}

// addDocker adds what docker save writes, with the blobs of the OCI layout.
func addDocker(store layout.Path, image v1.Image, reference string) error {
	manifest, err := image.Manifest()
	if err != nil {
		return err
	}
	blob := func(digest v1.Hash) string { return path.Join("blobs", digest.Algorithm, digest.Hex) }
	var layers []string
	for _, layer := range manifest.Layers {
		layers = append(layers, blob(layer.Digest))
	}
	content, err := json.Marshal([]map[string]any{{"Config": blob(manifest.Config.Digest), "RepoTags": []string{reference}, "Layers": layers}})
	if err != nil {
		return err
	}
	return store.WriteFile("manifest.json", content, 0o644)
}
