package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"ringside.dev/ringside/cluster/internal/disk"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/packages"
	"ringside.dev/ringside/cluster/internal/preflight"
	"ringside.dev/ringside/cluster/internal/programs"
)

// checkHost returns an error that lists everything that prevents the cluster from running.
func (w *work) checkHost() error {
	if err := w.judge(packages.Available()); err != nil {
		return err
	}
	if len(w.plan.Steps) == 1 { // no later step would report it
		w.Say("preflight: this host can run %d nodes", w.settings.Nodes)
	}
	return nil
}

func (w *work) judge(canInstall bool) (err error) {
	wish := preflight.Wish{Nodes: w.settings.Nodes, APIPort: w.settings.APIPort, RegistryPort: w.settings.Registry, RegistryUsers: w.settings.RegistryUsers, State: w.Layout.State}
	if w.facts, err = preflight.Find(w.Layout, w.Tree, wish); err != nil {
		return err
	}
	w.facts.Running, w.facts.CanInstall = w.plan.Running, canInstall
	faults, notes := preflight.Judge(w.facts, wish)
	for _, note := range notes {
		w.Say("note: %s", note)
	}
	return errors.Join(faults...)
}

func (w *work) installPackages(ctx context.Context) error {
	if len(w.facts.MissingCommands) == 0 {
		return nil
	}
	names := preflight.PackagesOf(preflight.Missing(preflight.Commands()))
	w.Say("installing packages: %v", names)
	if err := packages.Install(ctx, names, w.Say); err != nil {
		return err
	}
	return w.judge(false) // installation was attempted
}

// measureHost sets the settings that depend on the host, for a new cluster.
func (w *work) measureHost() error {
	memory, err := preflight.Memory(w.Tree)
	if err != nil {
		return err
	}
	w.settings.Snapshotter = "overlayfs"
	if !w.facts.Overlay {
		w.settings.Snapshotter = "native"
	}
	if w.settings.Tools, err = findTools(); err != nil {
		return err
	}
	if w.settings.Disk, err = disk.Inspect(w.Layout.State); err != nil {
		return err
	}
	w.settings.Memory, w.settings.HostMemory = memory.Total, memory.Host
	w.Say("disk: %s (%s)", w.settings.Disk.Kind, w.settings.Disk.Evidence)
	return w.save(w.settings)
}

// keepPrograms keeps the present programs, so that later builds do not affect the cluster: a daemon must restart with the same
// program.
func (w *work) keepPrograms() error { return programs.Keep(w.Layout.Bin, w.Layout.Programs()) }

func findTools() (node.Tools, error) {
	containerd, err := exec.LookPath("containerd")
	if err != nil {
		return node.Tools{}, fmt.Errorf("find containerd: %w", err)
	}
	i := slices.IndexFunc(preflight.CNIDirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, node.CNIPlugin))
		return err == nil
	})
	if i < 0 {
		return node.Tools{}, fmt.Errorf("find network plugins: none of %v holds %q", preflight.CNIDirs, node.CNIPlugin)
	}
	return node.Tools{Containerd: containerd, CNIDir: preflight.CNIDirs[i]}, nil
}
