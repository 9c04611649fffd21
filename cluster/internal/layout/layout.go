// Package layout says where the embedded cluster keeps its files on the host.
package layout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// runtime is under /run so that a reboot forgets which process was which.
const runtime = "/run/ringside-cluster"

// CgroupBase holds the control groups of all clusters on the host, and nothing else: whatever an instance is called,
// its group is never one that somebody else made.
const CgroupBase = "/ringside-cluster"

// instancePattern admits what is one plain path element, and no longer than a link to a socket below it may be.
var instancePattern = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,30}[a-z0-9])?$`)

// Layout is the set of directories of one cluster.
type Layout struct {
	Instance string // distinguishes clusters on one host; names the control groups and the run directory
	State    string // absolute; holds everything that outlives a process: certificates, etcd, images, volumes, logs
	Bin      string // absolute; holds ringside-kube, kube/, coredns, pause
	Runtime  string // absolute; holds one directory per instance
}

// New resolves the directories. An empty bin means the directory this program was started from.
//
// Instance and state come from a command line, where an unset shell variable becomes an empty word: both are refused
// unless they can only mean a place of the cluster's own.
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

// Run holds process records.
func (l Layout) Run() string { return filepath.Join(l.Runtime, l.Instance) }

// Cgroup is the cluster's control group, relative to each hierarchy's mount.
func (l Layout) Cgroup() string { return filepath.Join(CgroupBase, l.Instance) }

// Machine is the directory of one machine's own files.
func (l Layout) Machine(name string) string { return filepath.Join(l.State, "machines", name) }

// Logs holds one file per daemon of a machine.
func (l Layout) Logs(machine string) string { return filepath.Join(l.State, "logs", machine) }

// PKI holds certificates and keys.
func (l Layout) PKI() string { return filepath.Join(l.State, "pki") }

// Kubeconfig is the administrator's.
func (l Layout) Kubeconfig() string { return filepath.Join(l.State, "kubeconfig") }

// Settings is what the running cluster was started with. It also marks the directory as a cluster's.
func (l Layout) Settings() string { return filepath.Join(l.State, "cluster.json") }

// Images holds the archives of the cluster's own images.
func (l Layout) Images() string { return filepath.Join(l.State, "images") }

// Programs holds what the cluster was started with, whatever is built into Bin meanwhile.
func (l Layout) Programs() string { return filepath.Join(l.State, "bin") }

// KubectlCache is for what kubectl remembers of the API.
func (l Layout) KubectlCache() string { return filepath.Join(l.State, "kubectl-cache") }

// Kube returns the path of one Kubernetes program.
func (l Layout) Kube(program string) string { return filepath.Join(l.Programs(), "kube", program) }
