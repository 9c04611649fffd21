package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// deathTimeout is how long the kernel may take to end everything in the machines.
const deathTimeout = 60 * time.Second

// endProcesses kills the machines' inits and all that is in the cluster's control groups.
//
// Killing a machine's init is enough: the kernel ends all processes of its process namespace, and with the last of
// them go the mounts, links, routes and packet filter rules of the machine. What outlives processes, control groups
// and files, is removed afterwards.
func (c Cluster) endProcesses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, deathTimeout)
	defer cancel()
	said := false
	return poll(ctx, 50*time.Millisecond, func(context.Context) error {
		pids, err := c.processes()
		if err != nil || len(pids) == 0 {
			return err
		}
		if !said {
			c.Say("ending %d processes", len(pids))
			said = true
		}
		if err := c.Tree.Kill(c.Layout.Cgroup()); err != nil {
			return err
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d: %w", pid, err)
			}
		}
		return fmt.Errorf("%d processes do not end; the first is %d", len(pids), pids[0])
	})
}

// processes lists all that runs of the cluster: what its control groups hold, and what was recorded. Either alone would
// do, were it not for a cluster that an older version of this program started.
func (c Cluster) processes() ([]int, error) {
	pids, err := c.Tree.Processes(c.Layout.Cgroup())
	if err != nil {
		return nil, err
	}
	recorded, err := c.recorded()
	if err != nil {
		return nil, err
	}
	for _, process := range recorded {
		if process.Alive() && !slices.Contains(pids, process.PID) {
			pids = append(pids, process.PID)
		}
	}
	return pids, nil
}

// clearHost removes what is outside of the state directory.
func (c Cluster) clearHost() error {
	if err := c.Tree.Remove(c.Layout.Cgroup()); err != nil {
		return err
	}
	if err := os.RemoveAll(c.Layout.Run()); err != nil {
		return fmt.Errorf("remove run directory: %w", err)
	}
	return nil
}

// ours are the parts of a state directory. The directory itself may hold other things. The mark of a cluster's directory
// goes last: what is left by a removal that fails can then be removed by another.
var ours = []string{"machines", "logs", "pki", "images", "bin", "kubectl-cache", "forwards", "kubeconfig", "disk-probe", "cluster.json.new", "cluster.json"}

func (c Cluster) removeState() error {
	for _, name := range ours {
		if err := os.RemoveAll(filepath.Join(c.Layout.State, name)); err != nil {
			return fmt.Errorf("remove state: %w", err)
		}
	}
	_ = os.Remove(c.Layout.State) // only if it is empty
	return nil
}

func (c Cluster) verifyGone() error {
	left, err := c.leftovers()
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("the cluster is down, but this is left behind:\n  %s", strings.Join(left, "\n  "))
	}
	c.Say("down: no process, mount, control group or file of the cluster is left")
	return nil
}

// leftovers lists what should be gone and is not.
func (c Cluster) leftovers() ([]string, error) {
	var left []string
	pids, err := c.processes()
	if err != nil {
		return nil, err
	}
	for _, pid := range pids {
		left = append(left, fmt.Sprintf("process %d", pid))
	}
	left = append(left, c.Tree.Remaining(c.Layout.Cgroup())...)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("list mounts: %w", err)
	}
	left = append(left, mountsUnder(string(mounts), c.Layout.Run(), filepath.Join(c.Layout.State, "machines"))...)
	for _, path := range []string{c.Layout.Run(), filepath.Join(c.Layout.State, "machines")} {
		if _, err := os.Lstat(path); err == nil {
			left = append(left, path)
		}
	}
	return left, nil
}

func mountsUnder(mountinfo string, dirs ...string) []string {
	var found []string
	for _, line := range strings.Split(mountinfo, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		for _, dir := range dirs {
			if fields[4] == dir || strings.HasPrefix(fields[4], dir+"/") {
				found = append(found, "mount "+fields[4])
			}
		}
	}
	return found
}
