package lifecycle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ringside.dev/ringside/cluster/internal/machine"
)

// State is the observed state of a cluster: all input of a plan.
type State struct {
	Instance string
	Dir      string // the given state directory

	Saved    *Settings // settings in the state directory; nil if it is not marked as a cluster's
	Contents []string  // names of the files in the state directory
	Keys     bool      // whether the keys of the certificate authority are there

	Owner     string   // state directory of the cluster that was last started with this instance name; empty if none
	Alive     []string // names of the running machines
	Processes int      // number of running processes, including forwards
}

// observe reads the state. The result stays valid only under the lock.
func (c Cluster) observe() (State, error) {
	s := State{Instance: c.Layout.Instance, Dir: c.Layout.State}
	var err error
	if s.Saved, err = c.saved(); err != nil {
		return State{}, err
	}
	if s.Contents, err = namesIn(c.Layout.State); err != nil {
		return State{}, err
	}
	_, err = os.Stat(filepath.Join(c.Layout.PKI(), "ca.crt"))
	s.Keys = err == nil
	if s.Owner, err = c.owner(); err != nil {
		return State{}, err
	}
	recorded, err := c.recorded()
	if err != nil {
		return State{}, err
	}
	pids, err := c.Tree.Processes(c.Layout.Cgroup())
	if err != nil {
		return State{}, err
	}
	for name, process := range recorded {
		if !process.Alive() {
			continue
		}
		if !strings.HasPrefix(name, forwardPrefix) {
			s.Alive = append(s.Alive, name)
		}
		if !slices.Contains(pids, process.PID) {
			pids = append(pids, process.PID)
		}
	}
	slices.Sort(s.Alive)
	s.Processes = len(pids)
	return s, nil
}

// namesIn lists a directory. A path that is not a directory is an error.
func namesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at state directory: %w; choose another --state", err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, nil
}

// recorded returns the processes that were started for this instance, by the names of their records.
func (c Cluster) recorded() (map[string]machine.Process, error) {
	files, err := filepath.Glob(filepath.Join(c.Layout.Run(), "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list process records: %w", err)
	}
	found := map[string]machine.Process{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if found[name], err = c.process(name); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (c Cluster) ownerFile() string { return filepath.Join(c.Layout.Run(), "owner") }

func (c Cluster) owner() (string, error) {
	content, err := os.ReadFile(c.ownerFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read owner: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// claim marks the state directory, and then the instance name on this host, as this cluster's.
func (c Cluster) claim(settings Settings) error {
	if err := c.save(settings); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Layout.Run(), 0o755); err != nil {
		return fmt.Errorf("make run directory: %w", err)
	}
	if err := os.WriteFile(c.ownerFile(), []byte(c.Layout.State+"\n"), 0o644); err != nil {
		return fmt.Errorf("record owner: %w", err)
	}
	return nil
}
