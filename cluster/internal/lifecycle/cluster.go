// Package lifecycle brings the embedded cluster up and down and tells how it is.
package lifecycle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/disk"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/topology"
)

// Settings is what a cluster is started with. It stays as it is until the cluster is taken down.
type Settings struct {
	Nodes       int          `json:"nodes"`
	APIPort     int          `json:"apiPort"`
	Verbosity   int          `json:"verbosity"`
	Snapshotter string       `json:"snapshotter"`
	Memory      int64        `json:"memory"` // bytes the nodes share
	Disk        disk.Verdict `json:"disk"`
	Tools       node.Tools   `json:"tools"`
}

// Cluster is one embedded cluster on this host.
type Cluster struct {
	Layout      layout.Layout
	Hierarchies []cgroup.Hierarchy
	// Say reports progress, one line at a time.
	Say func(format string, args ...any)
	Now func() time.Time
}

// saved returns the settings of the cluster that was started in this state directory, if one was.
func (c Cluster) saved() (Settings, bool, error) {
	content, err := os.ReadFile(c.Layout.Settings())
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, false, nil
	}
	if err != nil {
		return Settings{}, false, fmt.Errorf("read settings: %w", err)
	}
	var settings Settings
	if err := json.Unmarshal(content, &settings); err != nil {
		return Settings{}, false, fmt.Errorf("read settings: %s: %w; take the cluster down and up again", c.Layout.Settings(), err)
	}
	return settings, true, nil
}

func (c Cluster) save(settings Settings) error {
	content, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	if err := os.MkdirAll(c.Layout.State, 0o755); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	if err := os.WriteFile(c.Layout.Settings(), append(content, '\n'), 0o644); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// running tells whether anything of the cluster, or of another of the same instance name, runs.
func (c Cluster) running() (bool, error) {
	pids, err := cgroup.Processes(c.Hierarchies, c.Layout.Cgroup())
	return len(pids) > 0, err
}

// anyMachineAlive tells whether the control plane or a node runs, whoever started it.
func (c Cluster) anyMachineAlive() (bool, error) {
	for _, name := range machines(topology.MaxNodes) {
		process, err := c.process(name)
		if err != nil || process.Alive() {
			return process.Alive(), err
		}
	}
	return false, nil
}

func (c Cluster) process(name string) (machine.Process, error) {
	return machine.Recorded(c.Layout.Run(), name)
}

func (c Cluster) cgroup(machineName string) string {
	return filepath.Join(c.Layout.Cgroup(), machineName)
}

// daemonCgroup holds a machine's daemons, beside its pods.
func (c Cluster) daemonCgroup(machineName string) string {
	return filepath.Join(c.cgroup(machineName), "daemons")
}

func machines(nodes int) []string {
	names := []string{topology.ControlPlane}
	for _, node := range topology.Nodes(nodes) {
		names = append(names, node.Name)
	}
	return names
}
