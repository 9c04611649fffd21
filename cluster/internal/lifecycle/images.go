package lifecycle

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/cluster/internal/addons"
	"ringside.dev/ringside/cluster/internal/images"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/topology"
)

// loadOwnImages loads the images that every pod needs.
func (c Cluster) loadOwnImages(ctx context.Context, nodes []topology.Node) error {
	for _, image := range []struct{ archive, name, program, user string }{
		{"pause.tar", images.PauseName, "pause", "65535:65535"},
		{"coredns.tar", images.CoreDNSName, "coredns", "65532:65532"},
	} {
		archive := filepath.Join(c.Layout.Images(), image.archive)
		if err := images.BuildScratch(archive, image.name, filepath.Join(c.Layout.Programs(), image.program), image.user); err != nil {
			return err
		}
		if err := c.loadInto(ctx, archive, nodes); err != nil {
			return err
		}
	}
	return nil
}

func (c Cluster) loadArchives(ctx context.Context, archives []string, nodes []topology.Node) error {
	var loaded []images.Image
	for _, archive := range archives {
		wanted, err := images.Inspect(archive)
		if err != nil {
			return err
		}
		if err := c.loadInto(ctx, archive, nodes); err != nil {
			return err
		}
		loaded = append(loaded, wanted...)
	}
	if err := c.removeSuperseded(ctx, loaded, nodes); err != nil {
		c.Say("note: superseded images stay on the nodes: %v", err)
	}
	return nil
}

// removeSuperseded frees disk space on the nodes. It keeps every image that an object names, because no registry could
// supply it again.
func (c Cluster) removeSuperseded(ctx context.Context, loaded []images.Image, nodes []topology.Node) error {
	objects, err := addons.Objects(ctx, c.Layout.Kube("kubectl"), c.Layout.Kubeconfig(), c.Layout.KubectlCache())
	if err != nil {
		return err
	}
	inUse, err := images.InUse(objects)
	if err != nil {
		return err
	}
	removed := 0
	for _, n := range nodes {
		store, err := c.imageStore(ctx, n.Name)
		if err != nil {
			return err
		}
		count, err := store.Prune(ctx, loaded, inUse)
		if err != nil {
			return err
		}
		removed += count
	}
	if removed > 0 {
		c.Say("superseded images: %d references removed from the nodes", removed)
	}
	return nil
}

func (c Cluster) loadInto(ctx context.Context, archive string, nodes []topology.Node) error {
	wanted, err := images.Inspect(archive)
	if err != nil {
		return err
	}
	loaded := make([]bool, len(nodes))
	work, ctx := errgroup.WithContext(ctx)
	for i, n := range nodes {
		work.Go(func() error {
			store, err := c.imageStore(ctx, n.Name)
			if err != nil {
				return err
			}
			loaded[i], err = store.Load(ctx, archive, wanted)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	for _, image := range wanted {
		c.Say("image %s: %s", image.Name, summary(loaded))
	}
	return nil
}

func summary(loaded []bool) string {
	count := 0
	for _, l := range loaded {
		if l {
			count++
		}
	}
	switch count {
	case 0:
		return "present on all nodes"
	case len(loaded):
		return "loaded into all nodes"
	default:
		return fmt.Sprintf("loaded into %d of %d nodes, present on the others", count, len(loaded))
	}
}

// imageStore returns the node's image store once its containerd answers.
func (c Cluster) imageStore(ctx context.Context, name string) (images.Store, error) {
	process, err := c.process(name)
	if err != nil {
		return images.Store{}, err
	}
	if !process.Alive() {
		return images.Store{}, fmt.Errorf("%s is down: run 'ringside-cluster up'", name)
	}
	store := images.Store{Node: name, Address: filepath.Join(process.Root(), node.ContainerdSocket)}
	ctx, cancel := context.WithTimeout(ctx, c.within(containerdTimeout))
	defer cancel()
	err = poll(ctx, 100*time.Millisecond, func(ctx context.Context) error {
		if err := c.crashLoop(name); err != nil {
			return err
		}
		return store.Ping(ctx)
	})
	if err != nil {
		return images.Store{}, c.failure(name, "containerd", fmt.Errorf("does not answer: %w", err))
	}
	return store, nil
}
