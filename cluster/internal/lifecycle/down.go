package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"ringside.dev/ringside/cluster/internal/cgroup"
)

// deathTimeout is how long the kernel may take to end everything in the machines.
const deathTimeout = 60 * time.Second

// Down ends the cluster and removes all that it made, and makes sure of it.
//
// Killing a machine's init is enough: the kernel ends all processes of its process namespace, and with the last of
// them go the mounts, links, routes and packet filter rules of the machine. What outlives processes, control groups
// and files, is removed afterwards.
func (c Cluster) Down(ctx context.Context) error {
	unlock, err := c.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if other, err := c.otherOwner(); err != nil || other != "" {
		if err == nil {
			err = fmt.Errorf("the cluster that runs is another clone's, of %s: take it down with 'ringside-cluster down --state %s'", other, other)
		}
		return err
	}
	before, err := cgroup.Processes(c.Hierarchies, c.Layout.Cgroup())
	if err != nil {
		return err
	}
	if len(before) > 0 {
		c.Say("ending %d processes", len(before))
	}
	if err := c.removeFromHost(ctx); err != nil {
		return err
	}
	if err := c.removeState(); err != nil {
		return err
	}
	left, err := c.leftovers()
	if err != nil {
		return err
	}
	if len(left) > 0 {
		return fmt.Errorf("the cluster is down, but this is left behind:\n  %s", strings.Join(left, "\n  "))
	}
	_ = os.Remove(c.Layout.Run() + ".lock")
	_ = os.Remove(filepath.Dir(c.Layout.Run())) // if no other cluster uses it
	c.Say("down: no process, mount, control group or file of the cluster is left")
	return nil
}

// removeFromHost ends what runs and removes what is outside of the state directory.
func (c Cluster) removeFromHost(ctx context.Context) error {
	if err := c.endProcesses(ctx); err != nil {
		return err
	}
	if err := cgroup.Remove(c.Hierarchies, c.Layout.Cgroup()); err != nil {
		return err
	}
	if err := os.RemoveAll(c.Layout.Run()); err != nil {
		return fmt.Errorf("remove run directory: %w", err)
	}
	return nil
}

func (c Cluster) endProcesses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, deathTimeout)
	defer cancel()
	return poll(ctx, 50*time.Millisecond, func(context.Context) error {
		pids, err := cgroup.Processes(c.Hierarchies, c.Layout.Cgroup())
		if err != nil {
			return err
		}
		for _, pid := range pids {
			// The inits among them take the others along; the rest is asked again until the group is empty.
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d: %w", pid, err)
			}
		}
		if len(pids) > 0 {
			return fmt.Errorf("%d processes do not end, the first is %d", len(pids), pids[0])
		}
		return nil
	})
}

// ours are the parts of a state directory. The directory itself may hold other things.
var ours = []string{"machines", "logs", "pki", "images", "forwards", "kubeconfig", "cluster.json", "disk-probe"}

func (c Cluster) removeState() error {
	for _, name := range ours {
		if err := os.RemoveAll(filepath.Join(c.Layout.State, name)); err != nil {
			return fmt.Errorf("remove state: %w", err)
		}
	}
	_ = os.Remove(c.Layout.State) // only if it is empty
	return nil
}

// leftovers lists what should be gone and is not.
func (c Cluster) leftovers() ([]string, error) {
	var left []string
	pids, err := cgroup.Processes(c.Hierarchies, c.Layout.Cgroup())
	if err != nil {
		return nil, err
	}
	for _, pid := range pids {
		left = append(left, fmt.Sprintf("process %d", pid))
	}
	left = append(left, cgroup.Remaining(c.Hierarchies, c.Layout.Cgroup())...)
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
