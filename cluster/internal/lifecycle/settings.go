package lifecycle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ringside.dev/ringside/cluster/internal/controlplane"
	"ringside.dev/ringside/cluster/internal/disk"
	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/node"
)

// Settings are the settings that a cluster was started with. They stay the same until the cluster is taken down.
type Settings struct {
	Instance      string       `json:"instance"` // the instance that owns the state directory
	Nodes         int          `json:"nodes"`
	APIPort       int          `json:"apiPort"`
	Registry      int          `json:"registry,omitempty"`      // port on 127.0.0.1 of the registry; 0: the cluster has none
	RegistryUsers string       `json:"registryUsers,omitempty"` // htpasswd file of its users; empty: no login
	Verbosity     int          `json:"verbosity"`
	Snapshotter   string       `json:"snapshotter"`
	Memory        int64        `json:"memory"`     // bytes that the nodes share; 0: not measured yet
	HostMemory    int64        `json:"hostMemory"` // bytes that every kubelet sees; more than Memory in a container with a limit
	Disk          disk.Verdict `json:"disk"`
	Tools         node.Tools   `json:"tools"`
}

// forwards returns the forwards of the cluster itself.
func (s Settings) forwards() []forward.Forward {
	own := []forward.Forward{forward.API(s.APIPort)}
	if s.Registry != 0 {
		own = append(own, forward.Registry(s.Registry))
	}
	return own
}

// registry returns the registry; nil if the cluster has none.
func (s Settings) registry() *controlplane.Registry {
	if s.Registry == 0 {
		return nil
	}
	return &controlplane.Registry{Users: s.RegistryUsers}
}

// saved returns the settings of the cluster that was started in this state directory, or nil if none was. It returns
// nil for a file that cannot be parsed.
func (c Cluster) saved() (*Settings, error) {
	content, err := os.ReadFile(c.Layout.Settings())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	var settings Settings
	if err := json.Unmarshal(content, &settings); err != nil || settings.Instance == "" || settings.Nodes < 1 {
		return nil, nil
	}
	return &settings, nil
}

// save replaces the file atomically. The file marks the directory as a cluster's, so it must never be incomplete.
func (c Cluster) save(settings Settings) error {
	content, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	// The machines' /tmp are below it, in which everybody may write, and daemons that run as root use them.
	if err := os.MkdirAll(c.Layout.State, 0o700); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	if err := os.Chmod(c.Layout.State, 0o700); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	temporary := c.Layout.Settings() + ".new"
	if err := os.WriteFile(temporary, append(content, '\n'), 0o644); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	if err := os.Rename(temporary, c.Layout.Settings()); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}
