// Package layout says where the embedded cluster keeps its files on the host.
package layout

import (
	"fmt"
	"os"
	"path/filepath"
)

// Layout is the set of directories of one cluster.
type Layout struct {
	Instance string // distinguishes clusters on one host; names the control groups and the run directory
	State    string // absolute; holds everything that outlives a process: certificates, etcd, images, volumes, logs
	Bin      string // absolute; holds ringside-kube, kube/, coredns, pause
	Runtime  string // absolute; holds the process records of every cluster of the host, each under its instance's name
}

// runtime is under /run so that a reboot forgets it.
const runtime = "/run/ringside-cluster"

// New resolves the directories. An empty bin means the directory this program was started from.
func New(instance, state, bin string) (Layout, error) {
	state, err := filepath.Abs(state)
	if err != nil {
		return Layout{}, fmt.Errorf("resolve state directory: %w", err)
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

// Run holds the cluster's process records.
func (l Layout) Run() string { return filepath.Join(l.Runtime, l.Instance) }

// Cgroup is the cluster's control group, relative to each hierarchy's mount.
func (l Layout) Cgroup() string { return "/" + l.Instance }

// Machine is the directory of one machine's own files.
func (l Layout) Machine(name string) string { return filepath.Join(l.State, "machines", name) }

// Logs holds one file per daemon of a machine.
func (l Layout) Logs(machine string) string { return filepath.Join(l.State, "logs", machine) }

// PKI holds certificates and keys.
func (l Layout) PKI() string { return filepath.Join(l.State, "pki") }

// Kubeconfig is the administrator's.
func (l Layout) Kubeconfig() string { return filepath.Join(l.State, "kubeconfig") }

// Settings is what the running cluster was started with.
func (l Layout) Settings() string { return filepath.Join(l.State, "cluster.json") }

// Images holds the archives of the cluster's own images.
func (l Layout) Images() string { return filepath.Join(l.State, "images") }

// Kube returns the path of one Kubernetes program.
func (l Layout) Kube(program string) string { return filepath.Join(l.Bin, "kube", program) }
