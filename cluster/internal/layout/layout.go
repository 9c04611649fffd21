// Package layout defines the paths of the embedded cluster's files on the host.
package layout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// runtime is under /run so that process records do not survive a reboot.
const runtime = "/run/ringside-cluster"

// CgroupBase holds the control groups of all clusters on the host, and nothing else: an instance's group can therefore
// never be a group of another program.
const CgroupBase = "/ringside-cluster"

// instancePattern accepts one plain path element that is short enough for the path of a socket link below it.
var instancePattern = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,30}[a-z0-9])?$`)

// Layout has the directories of a cluster.
type Layout struct {
	Instance string // distinguishes clusters on one host; names the control groups and the run directory
	State    string // absolute; has everything that outlives a process: certificates, etcd, images, volumes, logs
	Bin      string // absolute; has ringside-kube, kube/, coredns, pause
	Runtime  string // absolute; has one directory per instance
}

// New returns the layout. An empty bin means the directory of this program.
//
// Instance and state come from a command line, where an unset shell variable becomes an empty word. New accepts only
// values that can be nothing but the cluster's own directory.
func New(instance, state, bin string) (Layout, error) {
	if !instancePattern.MatchString(instance) {
		return Layout{}, fmt.Errorf("--instance is %q: use up to 32 small letters, digits and dashes, a letter first", instance)
	}
	if state == "" {
		return Layout{}, errors.New("--state is empty: name a directory for the cluster's files")
	}
	state, err := filepath.Abs(state)
	if err != nil {
		return Layout{}, fmt.Errorf("resolve state directory: %w", err)
	}
	if state == "/" {
		return Layout{}, errors.New("--state is the root directory: name a directory for the cluster's files")
	}
	if bin == "" {
		self, err := os.Executable()
		if err != nil {
			return Layout{}, fmt.Errorf("find own executable: %w", err)
		}
		bin = filepath.Dir(self)
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return Layout{}, fmt.Errorf("resolve binary directory: %w", err)
	}
	return Layout{Instance: instance, State: state, Bin: bin, Runtime: runtime}, nil
}

// Run returns the directory of process records.
func (l Layout) Run() string { return filepath.Join(l.Runtime, l.Instance) }

// Cgroup returns the cluster's control group, relative to the mount of each hierarchy.
func (l Layout) Cgroup() string { return filepath.Join(CgroupBase, l.Instance) }

// Machine returns the directory of a machine's own files.
func (l Layout) Machine(name string) string { return filepath.Join(l.State, "machines", name) }

// Logs returns the directory of a machine's logs, one file per daemon.
func (l Layout) Logs(machine string) string { return filepath.Join(l.State, "logs", machine) }

// PKI returns the directory of certificates and keys.
func (l Layout) PKI() string { return filepath.Join(l.State, "pki") }

// Kubeconfig returns the administrator's kubeconfig.
func (l Layout) Kubeconfig() string { return filepath.Join(l.State, "kubeconfig") }

// Settings returns the file with the settings of the cluster. It also marks the directory as that of a cluster.
func (l Layout) Settings() string { return filepath.Join(l.State, "cluster.json") }

// Images returns the directory of the archives of the cluster's own images.
func (l Layout) Images() string { return filepath.Join(l.State, "images") }

// Programs returns the directory of the programs that the cluster was started with. Later builds in Bin do not change them.
func (l Layout) Programs() string { return filepath.Join(l.State, "bin") }

// KubectlCache returns kubectl's cache directory.
func (l Layout) KubectlCache() string { return filepath.Join(l.State, "kubectl-cache") }

// Kube returns the path of a Kubernetes program.
func (l Layout) Kube(program string) string { return filepath.Join(l.Programs(), "kube", program) }
