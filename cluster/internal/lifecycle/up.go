package lifecycle

import (
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/util/cert"

	"ringside.dev/ringside/cluster/internal/controlplane"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/network"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/topology"
)

// Timeouts for a busy machine with two cores. Cluster.Patience multiplies them.
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

// startMachines starts the machines that do not run, and returns the names of the nodes among them.
func (c Cluster) startMachines(store pki.Store, settings Settings, nodes []topology.Node) (fresh []string, err error) {
	if err := c.Tree.Make(c.Layout.Cgroup()); err != nil {
		return nil, err
	}
	if err := c.Tree.Weigh(c.Layout.Cgroup(), len(machines(settings.Nodes))); err != nil {
		return nil, err
	}
	controlPlane, err := c.startControlPlane(store, settings)
	if err != nil {
		return nil, err
	}
	share, err := node.ShareOf(settings.HostMemory, settings.Memory, settings.Nodes)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		options := node.Options{
			Node:             n,
			Server:           controlplane.Server(),
			ServerSocket:     controlplane.APIServerSocket(),
			Share:            share,
			Labels:           map[string]string{diskLabel: settings.Disk.Kind, regionLabel: "embedded", zoneLabel: n.Name},
			Cgroup:           c.cgroup(n.Name),
			Snapshotter:      settings.Snapshotter,
			Tools:            settings.Tools,
			RegistryPort:     settings.Registry,
			MayRaisePriority: mayRaisePriority(),
			Verbosity:        settings.Verbosity,
		}
		isFresh, err := c.startNode(store, controlPlane, options, nodes)
		if err != nil {
			return nil, err
		}
		if isFresh {
			fresh = append(fresh, n.Name)
		}
	}
	if len(fresh) > 0 {
		c.Say("%s: starting containerd, kubelet, kube-proxy, network policies", strings.Join(fresh, ", "))
	}
	return fresh, c.connectDirectly(nodes)
}

// connectDirectly connects each two nodes of a small cluster directly.
func (c Cluster) connectDirectly(nodes []topology.Node) error {
	if len(nodes) > network.MostDirect {
		return nil
	}
	var pids []int
	for i, n := range nodes {
		process, err := c.process(n.Name)
		if err != nil {
			return err
		}
		for j, pid := range pids {
			if err := network.ConnectDirectly(pid, process.PID, nodes[j], nodes[i]); err != nil {
				return err
			}
		}
		pids = append(pids, process.PID)
	}
	return nil
}

func (c Cluster) startControlPlane(store pki.Store, settings Settings) (machine.Process, error) {
	spec, err := controlplane.Prepare(c.Layout, store, settings.Verbosity, settings.registry())
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

func (c Cluster) startNode(store pki.Store, controlPlane machine.Process, options node.Options, all []topology.Node) (fresh bool, err error) {
	connect := func(pid int) error { return network.Connect(controlPlane.PID, pid, options.Node, all) }
	process, err := c.process(options.Node.Name)
	if err != nil {
		return false, err
	}
	if process.Alive() {
		return false, connect(process.PID) // the control plane, and with it the bridge, may have been restarted
	}
	spec, err := node.Prepare(c.Layout, store, options)
	if err != nil {
		return false, err
	}
	_, err = machine.Start(spec, c.startOptions(options.Node.Name, connect))
	return true, err
}

func (c Cluster) startOptions(name string, connect func(pid int) error) machine.StartOptions {
	return machine.StartOptions{
		RecordDir: c.Layout.Run(),
		LogDir:    c.Layout.Logs(name),
		Tree:      c.Tree,
		Cgroup:    c.daemonCgroup(name),
		Connect:   connect,
	}
}

// writeAdmin writes the kubeconfig of the administrator.
func (c Cluster) writeAdmin(store pki.Store, port int) error {
	ca, err := store.Authority("ca")
	if err != nil {
		return err
	}
	pair, err := store.Issue("admin", ca, cert.Config{CommonName: "ringside-admin", Organization: []string{"system:masters"}, Usages: pki.Client})
	if err != nil {
		return err
	}
	return pair.WriteKubeconfig(c.Layout.Kubeconfig(), "https://127.0.0.1:"+strconv.Itoa(port), ca)
}

func (c Cluster) startForwards(settings Settings) error {
	forwards, err := c.forwards()
	if err != nil {
		return err
	}
	for _, f := range append(settings.forwards(), forwards...) {
		if err := c.startForward(f); err != nil {
			return err
		}
	}
	return nil
}
