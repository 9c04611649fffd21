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
)

// Request is what the user asks of a new cluster. Zero values stand for "as it was, or the default".
type Request struct {
	Nodes     int
	APIPort   int
	Verbosity int
}

// Defaults of a cluster.
const (
	DefaultNodes   = 4
	DefaultAPIPort = 16443
)

// Prepare checks the host, installs what is missing, and returns the settings to start with: those of the cluster
// that is there already, or new ones.
func (c Cluster) Prepare(ctx context.Context, request Request) (Settings, error) {
	if err := c.clearRemains(ctx); err != nil {
		return Settings{}, err
	}
	settings, running, err := c.settle(request)
	if err != nil {
		return Settings{}, err
	}
	facts, err := c.find(settings, running)
	if err != nil {
		return Settings{}, err
	}
	if err := c.judge(facts, settings); err != nil {
		return Settings{}, err
	}
	if len(facts.MissingCommands) > 0 {
		names := preflight.PackagesOf(preflight.Missing(preflight.Commands()))
		c.Say("installing packages: %v", names)
		if err := packages.Install(ctx, names); err != nil {
			return Settings{}, err
		}
		if facts, err = c.find(settings, running); err != nil {
			return Settings{}, err
		}
		facts.CanInstall = false // it was tried
		if err := c.judge(facts, settings); err != nil {
			return Settings{}, err
		}
	}
	return c.complete(settings, facts)
}

// Preflight checks the host and changes nothing.
func (c Cluster) Preflight(request Request) error {
	settings, running, err := c.settle(request)
	if err != nil {
		return err
	}
	facts, err := c.find(settings, running)
	if err != nil {
		return err
	}
	if err := c.judge(facts, settings); err != nil {
		return err
	}
	c.Say("preflight: this host can run %d nodes", settings.Nodes)
	return nil
}

// settle merges the request with what was saved.
func (c Cluster) settle(request Request) (settings Settings, running bool, err error) {
	saved, found, err := c.saved()
	if err != nil {
		return Settings{}, false, err
	}
	if running, err = c.running(); err != nil {
		return Settings{}, false, err
	}
	running = running && (c.Owner() == c.Layout.State || c.Owner() == "")
	settings, err = merge(request, saved, found)
	return settings, running, err
}

// merge keeps a cluster as it was made: certificates, addresses and shares of memory depend on it.
func merge(request Request, saved Settings, found bool) (Settings, error) {
	if !found {
		saved = Settings{Nodes: DefaultNodes, APIPort: DefaultAPIPort, Verbosity: 1}
		if request.Nodes != 0 {
			saved.Nodes = request.Nodes
		}
		if request.APIPort != 0 {
			saved.APIPort = request.APIPort
		}
	}
	if request.Nodes != 0 && request.Nodes != saved.Nodes {
		return Settings{}, fmt.Errorf("the cluster was made with %d nodes, not %d: take it down first ('ringside-cluster down')", saved.Nodes, request.Nodes)
	}
	if request.APIPort != 0 && request.APIPort != saved.APIPort {
		return Settings{}, fmt.Errorf("the cluster was made with API port %d, not %d: take it down first ('ringside-cluster down')", saved.APIPort, request.APIPort)
	}
	if request.Verbosity != 0 {
		saved.Verbosity = request.Verbosity
	}
	return saved, nil
}

func (c Cluster) wish(settings Settings) preflight.Wish {
	return preflight.Wish{Nodes: settings.Nodes, APIPort: settings.APIPort, State: c.Layout.State}
}

func (c Cluster) find(settings Settings, running bool) (preflight.Facts, error) {
	facts, err := preflight.Find(c.Layout, c.wish(settings))
	if err != nil {
		return preflight.Facts{}, err
	}
	facts.Running = running
	facts.CanInstall = packages.Available()
	if facts.OtherOwner, err = c.otherOwner(); err != nil {
		return preflight.Facts{}, err
	}
	return facts, nil
}

// otherOwner returns the state directory of another cluster that runs under our instance name, or "".
func (c Cluster) otherOwner() (string, error) {
	owner := c.Owner()
	if owner == "" || owner == c.Layout.State {
		return "", nil
	}
	alive, err := c.anyMachineAlive()
	if err != nil || !alive {
		return "", err
	}
	return owner, nil
}

// clearRemains removes what another clone's cluster left on the host when it died, as a forward that still holds its
// port. The files in that clone's state directory are left alone.
func (c Cluster) clearRemains(ctx context.Context) error {
	owner := c.Owner()
	if owner == "" || owner == c.Layout.State || os.Geteuid() != 0 {
		return nil
	}
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if alive, err := c.anyMachineAlive(); err != nil || alive {
		return err // not dead: judge refuses it
	}
	c.Say("removing what is left of the dead cluster of %s", owner)
	return c.removeFromHost(ctx)
}

func (c Cluster) judge(facts preflight.Facts, settings Settings) error {
	faults, notes := preflight.Judge(facts, c.wish(settings))
	for _, note := range notes {
		c.Say("note: %s", note)
	}
	return errors.Join(faults...)
}

// complete adds to new settings what depends on the host.
func (c Cluster) complete(settings Settings, facts preflight.Facts) (Settings, error) {
	if settings.Memory != 0 {
		return settings, nil
	}
	memory, err := preflight.Memory()
	if err != nil {
		return Settings{}, err
	}
	settings.Memory = memory.Total
	settings.Snapshotter = "overlayfs"
	if !facts.Overlay {
		settings.Snapshotter = "native"
	}
	if settings.Tools, err = findTools(); err != nil {
		return Settings{}, err
	}
	if err := os.MkdirAll(c.Layout.State, 0o755); err != nil {
		return Settings{}, fmt.Errorf("make state directory: %w", err)
	}
	if settings.Disk, err = disk.Inspect(c.Layout.State); err != nil {
		return Settings{}, err
	}
	c.Say("disk: %s (%s)", settings.Disk.Kind, settings.Disk.Evidence)
	return settings, nil
}

func findTools() (node.Tools, error) {
	containerd, err := exec.LookPath("containerd")
	if err != nil {
		return node.Tools{}, fmt.Errorf("find containerd: %w", err)
	}
	i := slices.IndexFunc(preflight.CNIDirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, preflight.CNIPlugin))
		return err == nil
	})
	if i < 0 {
		return node.Tools{}, fmt.Errorf("find network plugins: none of %v holds %q", preflight.CNIDirs, preflight.CNIPlugin)
	}
	return node.Tools{Containerd: containerd, CNIDir: preflight.CNIDirs[i]}, nil
}
