package lifecycle

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/cluster/internal/addons"
	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/controlplane"
	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/images"
	"ringside.dev/ringside/cluster/internal/kubeconfig"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/network"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/topology"
)

// How long each part may take on a busy machine of two cores.
const (
	containerdTimeout = 60 * time.Second
	apiTimeout        = 120 * time.Second
	readyTimeout      = 180 * time.Second
)

// Labels of the nodes.
const (
	diskLabel    = "ringside.dev/disk"
	regionLabel  = "topology.kubernetes.io/region"
	zoneLabel    = "topology.kubernetes.io/zone"
	evidenceNote = "ringside.dev/disk-evidence" // an annotation
)

// Up starts what is not running yet and returns when the cluster is of use. The settings are those of a cluster
// that passed preflight, or the saved ones of a cluster that is up already.
func (c Cluster) Up(ctx context.Context, settings Settings) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := c.save(settings); err != nil {
		return err
	}
	nodes := topology.Nodes(settings.Nodes)
	store := pki.Store{Dir: c.Layout.PKI(), Now: c.Now}
	if err := c.startMachines(store, settings, nodes); err != nil {
		return err
	}
	if err := c.startForwards(settings); err != nil {
		return err
	}
	if err := c.loadOwnImages(ctx, nodes); err != nil {
		return err
	}
	api, err := c.waitForAPI(ctx)
	if err != nil {
		return err
	}
	if err := addons.Apply(ctx, c.Layout.Kube("kubectl"), c.Layout.Kubeconfig()); err != nil {
		return err
	}
	return c.waitUntilReady(ctx, api, settings, nodes)
}

func (c Cluster) startMachines(store pki.Store, settings Settings, nodes []topology.Node) error {
	if err := cgroup.Make(c.Hierarchies, c.Layout.Cgroup()); err != nil {
		return err
	}
	controlPlane, err := c.startControlPlane(store, settings)
	if err != nil {
		return err
	}
	share, err := node.ShareOf(settings.Memory, settings.Nodes)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		options := node.Options{
			Node:             n,
			Server:           controlplane.Server(),
			Share:            share,
			Labels:           map[string]string{diskLabel: settings.Disk.Kind, regionLabel: "embedded", zoneLabel: n.Name},
			Cgroup:           c.cgroup(n.Name),
			Snapshotter:      settings.Snapshotter,
			MayRaisePriority: mayRaisePriority(),
			Verbosity:        settings.Verbosity,
		}
		if err := c.startNode(store, controlPlane, options, nodes); err != nil {
			return err
		}
	}
	return nil
}

func (c Cluster) startControlPlane(store pki.Store, settings Settings) (machine.Process, error) {
	spec, err := controlplane.Prepare(c.Layout, store, settings.Verbosity)
	if err != nil {
		return machine.Process{}, err
	}
	if err := c.writeAdmin(store, settings.APIPort); err != nil {
		return machine.Process{}, err
	}
	process, err := c.process(topology.ControlPlane)
	if err != nil {
		return machine.Process{}, err
	}
	if process.Alive() {
		return process, nil
	}
	c.Say("control plane: starting etcd, API server, controllers, scheduler, volume provisioner")
	return machine.Start(spec, c.startOptions(topology.ControlPlane, network.SetUpControlPlane))
}

func (c Cluster) startNode(store pki.Store, controlPlane machine.Process, options node.Options, all []topology.Node) error {
	connect := func(pid int) error { return network.Connect(controlPlane.PID, pid, options.Node, all) }
	process, err := c.process(options.Node.Name)
	if err != nil {
		return err
	}
	if process.Alive() {
		return connect(process.PID) // the control plane, and with it the bridge, may be new
	}
	spec, err := node.Prepare(c.Layout, store, options)
	if err != nil {
		return err
	}
	c.Say("%s: starting containerd, kubelet, kube-proxy", options.Node.Name)
	_, err = machine.Start(spec, c.startOptions(options.Node.Name, connect))
	return err
}

func (c Cluster) startOptions(name string, connect func(pid int) error) machine.StartOptions {
	return machine.StartOptions{
		RecordDir:   c.Layout.Run(),
		LogDir:      c.Layout.Logs(name),
		Hierarchies: c.Hierarchies,
		Cgroup:      c.daemonCgroup(name),
		Connect:     connect,
	}
}

// writeAdmin writes the user's kubeconfig, of the group that may do everything.
func (c Cluster) writeAdmin(store pki.Store, port int) error {
	ca, err := store.Authority("ca")
	if err != nil {
		return err
	}
	const user = "ringside-admin"
	pair, err := store.Issue("admin", ca, pki.Request{Name: user, Groups: []string{"system:masters"}, Client: true})
	if err != nil {
		return fmt.Errorf("certificate of the administrator: %w", err)
	}
	server := "https://127.0.0.1:" + strconv.Itoa(port)
	return kubeconfig.Write(c.Layout.Kubeconfig(), server, user, ca.CertPEM(), pair.CertPEM, pair.KeyPEM)
}

func (c Cluster) startForwards(settings Settings) error {
	forwards, err := c.forwards()
	if err != nil {
		return err
	}
	for _, f := range append([]forward.Forward{forward.API(settings.APIPort)}, forwards...) {
		if err := c.startForward(f); err != nil {
			return err
		}
	}
	return nil
}

// loadOwnImages brings in what no pod can start without.
func (c Cluster) loadOwnImages(ctx context.Context, nodes []topology.Node) error {
	for _, image := range []struct{ archive, name, program, user string }{
		{"pause.tar", images.PauseName, "pause", "65535:65535"},
		{"coredns.tar", images.CoreDNSName, "coredns", "65532:65532"},
	} {
		archive := filepath.Join(c.Layout.Images(), image.archive)
		if err := images.BuildScratch(archive, image.name, filepath.Join(c.Layout.Bin, image.program), image.user); err != nil {
			return err
		}
		if err := c.loadInto(ctx, archive, nodes); err != nil {
			return err
		}
	}
	return nil
}

// LoadImages brings archives into every node that does not have their images yet.
func (c Cluster) LoadImages(ctx context.Context, archives []string) error {
	settings, found, err := c.saved()
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("no cluster is up in %s: run 'ringside-cluster up' first", c.Layout.State)
	}
	for _, archive := range archives {
		if err := c.loadInto(ctx, archive, topology.Nodes(settings.Nodes)); err != nil {
			return err
		}
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

// imageStore returns the node's store once its containerd answers.
func (c Cluster) imageStore(ctx context.Context, name string) (images.Store, error) {
	process, err := c.process(name)
	if err != nil {
		return images.Store{}, err
	}
	if !process.Alive() {
		return images.Store{}, fmt.Errorf("%s is down: run 'ringside-cluster up'", name)
	}
	store := images.Store{Node: name, Address: filepath.Join(process.Root(), node.ContainerdSocket)}
	ctx, cancel := context.WithTimeout(ctx, containerdTimeout)
	defer cancel()
	if err := poll(ctx, 100*time.Millisecond, store.Ping); err != nil {
		return images.Store{}, c.failure(name, "containerd", fmt.Errorf("does not answer: %w", err))
	}
	return store, nil
}

// poll tries until it succeeds; when the time is up it returns the last failure.
func poll(ctx context.Context, every time.Duration, try func(context.Context) error) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-ticker.C:
		}
	}
}

func makeRunDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make run directory: %w", err)
	}
	return nil
}
