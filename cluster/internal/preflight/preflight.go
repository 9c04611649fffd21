// Package preflight decides whether the host can run the cluster, before anything is started.
package preflight

import (
	"errors"
	"fmt"
	"strings"

	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/programs"
	"ringside.dev/ringside/cluster/internal/topology"
)

const gibibyte = int64(1) << 30

// Facts has the observed properties of the host.
type Facts struct {
	Root            bool
	MemoryAvailable int64    // bytes
	DiskFree        int64    // bytes available to root on the disk of the state directory
	MissingPrograms []string // of those that cluster/build.sh builds
	MissingCommands []string // of those of the distribution
	CanInstall      bool     // apt-get is available to install them
	MissingKernel   []string // features of the kernel
	Overlay         bool     // an overlay file system can be mounted over the state directory
	PortTaken       bool     // another program listens on the API port
	RegistryTaken   bool     // another program listens on the registry's port
	UsersFault      string   // what is wrong with the htpasswd file of the registry
	CgroupFaults    []string // what the control groups lack
	CgroupNotes     []string // changes that 'up' will make to them
	Unified         bool     // they have version 2
	InotifyFree     int      // inotify instances that root can still create, or the needed number if that is less
	Running         bool     // the cluster runs, at least in part: its memory, disk and port are its own
}

// Wish is the requested cluster.
type Wish struct {
	Nodes   int
	APIPort int
	// RegistryPort is 0 for a cluster without a registry.
	RegistryPort int
	// RegistryUsers is the registry's htpasswd file; empty means no login.
	RegistryUsers string
	State         string
}

// DiskNeeded returns the minimum free disk space for this many nodes: for each node the unpacked images, a small data
// set and the gibibyte below which a kubelet evicts; and the image archives.
func DiskNeeded(nodes int) int64 { return 2*gibibyte + int64(nodes)*5*gibibyte/2 }

// Judge returns everything that prevents the cluster from running, one error with a fix each, and other facts worth a
// note.
func Judge(f Facts, w Wish) (faults []error, notes []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if w.Nodes < 1 || w.Nodes > topology.MaxNodes {
		fault("--nodes is %d: use 1 to %d", w.Nodes, topology.MaxNodes)
		return faults, nil
	}
	if w.APIPort < 1 || w.APIPort > 65535 {
		fault("--api-port is %d: use 1 to 65535", w.APIPort)
	}
	if w.RegistryPort < 0 || w.RegistryPort > 65535 || w.RegistryPort == w.APIPort {
		fault("--registry is %d: use 1 to 65535, different from --api-port", w.RegistryPort)
	}
	if w.RegistryUsers != "" && w.RegistryPort == 0 {
		fault("--registry-users without a registry: add --registry")
	}
	if f.UsersFault != "" {
		fault("--registry-users: %s: create the file with htpasswd -Bc FILE USER", f.UsersFault)
	}
	if !f.Root {
		// Without root, the other checks are not possible.
		return append(faults, errors.New("not root: nodes need namespaces, mounts and control groups; run it as root or with sudo")), nil
	}
	if len(f.MissingPrograms) > 0 {
		fault("not built yet: %s; run cluster/build.sh%s", strings.Join(f.MissingPrograms, ", "), registryOf(w))
	}
	switch {
	case len(f.MissingCommands) == 0:
	case f.CanInstall:
		notes = append(notes, fmt.Sprintf("'up' installs packages for missing commands: %s", strings.Join(packagesOf(f.MissingCommands), ", ")))
	default:
		fault("commands are missing: %s; install them (packages: %s)", strings.Join(f.MissingCommands, ", "), strings.Join(packagesOf(f.MissingCommands), ", "))
	}
	if len(f.MissingKernel) > 0 {
		fault("the kernel lacks %s: use a kernel with these features, or load their modules", strings.Join(f.MissingKernel, ", "))
	}
	for _, missing := range f.CgroupFaults {
		fault("%s: mount the control groups read-write, with all controllers (in a container: run it privileged)", missing)
	}
	if !f.Running {
		faults = append(faults, judgeResources(f, w)...)
	}
	notes = append(notes, f.CgroupNotes...)
	if !f.Overlay {
		notes = append(notes, fmt.Sprintf("overlayfs is not possible under %s: images are copied for each container instead, which takes more disk space and time", w.State))
	}
	return faults, notes
}

// registryOf returns the argument of cluster/build.sh that adds the registry.
func registryOf(w Wish) string {
	if w.RegistryPort == 0 {
		return ""
	}
	return " " + programs.Registry
}

func judgeResources(f Facts, w Wish) (faults []error) {
	if need := node.MemoryNeeded(w.Nodes); f.MemoryAvailable < need {
		faults = append(faults, fmt.Errorf("too little memory for %d nodes: need %s available, have %s; end other programs or start fewer nodes (NODES= with make, or --nodes)", w.Nodes, inGiB(need), inGiB(f.MemoryAvailable)))
	}
	if need := DiskNeeded(w.Nodes); f.DiskFree < need {
		faults = append(faults, fmt.Errorf("too little disk for %d nodes under %s: need %s free, have %s; free some space or choose another --state", w.Nodes, w.State, inGiB(need), inGiB(f.DiskFree)))
	}
	if need := node.InotifyNeeded(w.Nodes, f.Unified); f.InotifyFree < need {
		faults = append(faults, fmt.Errorf("too few inotify instances for %d nodes: need %d free, have %d; take another cluster down, start fewer nodes (NODES= with make, or --nodes), or raise the limit: sysctl -w %s=512", w.Nodes, need, f.InotifyFree, inotifySetting))
	}
	if f.PortTaken {
		faults = append(faults, fmt.Errorf("port %d of 127.0.0.1 is in use: choose another (API_PORT= with make, or --api-port)", w.APIPort))
	}
	if f.RegistryTaken {
		faults = append(faults, fmt.Errorf("port %d of 127.0.0.1 is in use: choose another with --registry", w.RegistryPort))
	}
	return faults
}

func inGiB(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/float64(gibibyte)) }
