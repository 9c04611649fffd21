// Package node describes a machine that runs containerd, kubelet, kube-proxy and the daemon that enforces
// NetworkPolicies.
package node

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"

	"ringside.dev/ringside/cluster/internal/imagevolume"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/policy"
	"ringside.dev/ringside/cluster/internal/topology"
)

// ContainerdSocket is the socket of a node's containerd, inside the machine.
const ContainerdSocket = "/run/containerd/containerd.sock"

// VolumesDir is the directory of a node's PersistentVolumes, inside the machine.
const VolumesDir = "/var/lib/ringside/volumes"

// volumePlugins is the kubelet's directory of volume plugins. The default is in the host's /usr/libexec.
const volumePlugins = "/var/lib/kubelet/volume-plugins"

// VolumesOnHost returns the path of VolumesDir on the host. home is the directory of the node's own files.
func VolumesOnHost(home string) string { return filepath.Join(home, VolumesDir) }

// Tools are the programs of the distribution that a node runs.
type Tools struct {
	Containerd string `json:"containerd"` // path
	CNIDir     string `json:"cniDir"`     // directory of the network plugins
}

// Options are the input of a node's configuration.
type Options struct {
	Node         topology.Node
	Server       string            // URL of the API server
	ServerSocket string            // its endpoint, to wait for
	Share        Share             // of the host's memory
	Labels       map[string]string // with which the node registers
	Cgroup       string            // of the node; the parent of its pods' groups
	Snapshotter  string            // "overlayfs" or "native"
	Tools        Tools
	RegistryPort int // port on localhost of the host in the names of images from the cluster's registry; 0: there is none
	// MayRaisePriority reports whether this process has CAP_SYS_RESOURCE. Without it, no process can be protected from
	// the kernel's out-of-memory killer.
	MayRaisePriority bool
	Verbosity        int
}

// Prepare writes the node's certificates and configuration and returns its machine.
func Prepare(l layout.Layout, store pki.Store, opts Options) (machine.Spec, error) {
	home := l.Machine(opts.Node.Name)
	if err := makeDirectories(home); err != nil {
		return machine.Spec{}, err
	}
	if err := writeIdentity(store, home, opts); err != nil {
		return machine.Spec{}, err
	}
	kubelet, err := kubeletConfig(opts)
	if err != nil {
		return machine.Spec{}, err
	}
	network, err := cniConfig(opts.Node.PodSubnet)
	if err != nil {
		return machine.Spec{}, err
	}
	proxy, err := proxyConfig(opts)
	if err != nil {
		return machine.Spec{}, err
	}
	files := map[string][]byte{
		"containerd.toml":            []byte(containerdConfig(opts)),
		"kubelet.yaml":               kubelet,
		"kube-proxy.yaml":            proxy,
		"cni/net.d/10-pods.conflist": network,
		"resolv.conf":                []byte("# There is no name server outside the cluster.\n"),
	}
	maps.Copy(files, registryFiles(opts.RegistryPort))
	for file, content := range files {
		path := filepath.Join(home, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return machine.Spec{}, fmt.Errorf("make directory: %w", err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return machine.Spec{}, fmt.Errorf("write %s of %s: %w", file, opts.Node.Name, err)
		}
	}
	plugins := filepath.Join(home, volumePlugins)
	if err := imagevolume.Install(plugins, filepath.Join(machine.BinDir, "ringside-cluster"), VolumesDir); err != nil {
		return machine.Spec{}, err
	}
	return spec(l, home, opts), nil
}

func spec(l layout.Layout, home string, opts Options) machine.Spec {
	return machine.Spec{
		Name: opts.Node.Name,
		Binds: []machine.Bind{
			{Source: l.Programs(), Target: machine.BinDir},
			{Source: home, Target: machine.ConfigDir},
			{Source: l.Logs(opts.Node.Name), Target: machine.LogDir},
			{Source: filepath.Join(home, "var"), Target: "/var"},
			{Source: filepath.Join(home, "tmp"), Target: "/tmp"},
		},
		Masks: map[string]string{
			// The kubelet sets these, or exits if it cannot.
			"vm/overcommit_memory":      "1",
			"vm/panic_on_oom":           "0",
			"kernel/panic":              "10",
			"kernel/panic_on_oops":      "1",
			"kernel/keys/root_maxkeys":  "1000000",
			"kernel/keys/root_maxbytes": "25000000",
		},
		Sysctls: sysctls(),
		Services: []machine.Service{
			// No timer slack: containers, which are measured, would inherit it.
			{Name: "containerd", Env: machine.Modest(), Args: []string{opts.Tools.Containerd, "--config=" + inMachine("containerd.toml")}},
			{Name: "kubelet", Env: machine.Modest(), TimerSlack: machine.Leisurely, WaitFor: []string{"unix:" + ContainerdSocket, opts.ServerSocket}, Args: kubeletArgs(opts)},
			{Name: "kube-proxy", Env: machine.Modest(), TimerSlack: machine.Leisurely, WaitFor: []string{opts.ServerSocket}, Args: []string{
				program("kube-proxy"), "--config=" + inMachine("kube-proxy.yaml"), fmt.Sprintf("--v=%d", opts.Verbosity),
			}},
			{Name: policy.Service, Env: machine.Modest(), TimerSlack: machine.Leisurely, WaitFor: []string{opts.ServerSocket}, Args: []string{
				filepath.Join(machine.BinDir, "ringside-cluster"), policy.Command,
				"--kubeconfig=" + inMachine(policy.Service+".kubeconfig"), "--node=" + opts.Node.Name,
			}},
		},
	}
}

func sysctls() map[string]string {
	all := map[string]string{"net/ipv4/ip_forward": "1"}
	maps.Copy(all, policy.Sysctls)
	return all
}

func inMachine(file string) string { return filepath.Join(machine.ConfigDir, file) }

func program(name string) string { return filepath.Join(machine.BinDir, "kube", name) }

func makeDirectories(home string) error {
	for dir, mode := range map[string]os.FileMode{
		"pki": 0o700, "cni/net.d": 0o755, "tmp": 0o777 | os.ModeSticky,
		"var/lib": 0o755, "var/log/pods": 0o755, "var/tmp": 0o777 | os.ModeSticky, VolumesDir: 0o755,
	} {
		path := filepath.Join(home, dir)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return fmt.Errorf("make directory: %w", err)
		}
		if err := os.Chmod(path, mode); err != nil { // regardless of the umask
			return fmt.Errorf("set mode of directory: %w", err)
		}
	}
	for link, target := range map[string]string{"var/run": "/run", "var/lock": "/run/lock"} {
		path := filepath.Join(home, link)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if err := os.Symlink(target, path); err != nil {
			return fmt.Errorf("make link: %w", err)
		}
	}
	return nil
}

// writeIdentity writes the credentials of the node's daemons. The node gets no keys of other machines.
func writeIdentity(store pki.Store, home string, opts Options) error {
	ca, err := store.Authority("ca")
	if err != nil {
		return err
	}
	name := opts.Node.Name
	own := pki.Store{Dir: filepath.Join(home, "pki"), Now: store.Now}
	if err := os.WriteFile(filepath.Join(own.Dir, "ca.crt"), ca.CertPEM(), 0o644); err != nil {
		return fmt.Errorf("write certificate authority of %s: %w", name, err)
	}
	_, err = own.Issue("kubelet-server", ca, cert.Config{
		CommonName: "system:node:" + name, Organization: []string{"system:nodes"}, Usages: pki.Server, AltNames: pki.Names(name, opts.Node.IP),
	})
	if err != nil {
		return fmt.Errorf("credentials of %s: %w", name, err)
	}
	for _, client := range []struct {
		file, user string
		groups     []string
	}{
		{"kubelet", "system:node:" + name, []string{"system:nodes"}},
		{"kube-proxy", "system:kube-proxy", nil},
		{policy.Service, policy.User, nil},
	} {
		pair, err := own.Issue(client.file, ca, cert.Config{CommonName: client.user, Organization: client.groups, Usages: pki.Client})
		if err != nil {
			return fmt.Errorf("credentials of %s: %w", name, err)
		}
		if err := pair.WriteKubeconfig(filepath.Join(home, client.file+".kubeconfig"), opts.Server, ca); err != nil {
			return err
		}
	}
	return nil
}
