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

// deathTimeout is how long the kernel may take to end all processes of the machines.
const deathTimeout = 60 * time.Second

// endProcesses kills the machines' inits and everything in the cluster's control groups.
//
// To kill a machine's init is sufficient: the kernel ends all processes of its PID namespace, and with the last of them
// it removes the machine's mounts, links, routes and packet filter rules. Control groups and files outlive the
// processes and are removed afterwards.
func (c Cluster) endProcesses(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.within(deathTimeout))
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

// processes returns all processes of the cluster: those in its control groups, and the recorded ones. One of the two
// sources would be sufficient except for a cluster that an older version of this program started.
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

// clearHost removes what is outside the state directory.
func (c Cluster) clearHost() error {
	if err := c.Tree.Remove(c.Layout.Cgroup()); err != nil {
		return err
	}
	if err := os.RemoveAll(c.Layout.Run()); err != nil {
		return fmt.Errorf("remove run directory: %w", err)
	}
	return nil
}

// ours lists the contents of a state directory. The directory may have other files. The file that marks it as a
// cluster's is last, so that another command can complete a removal that failed.
var ours = []string{"machines", "logs", "pki", "images", "bin", "kubectl-cache", "forwards", "kubeconfig", "disk-probe", "cluster.json.new", "cluster.json"}

func (c Cluster) removeState() error {
	for _, name := range ours {
		if err := os.RemoveAll(filepath.Join(c.Layout.State, name)); err != nil {
			return fmt.Errorf("remove state: %w", err)
		}
	}
	_ = os.Remove(c.Layout.State) // succeeds only if it is empty
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

// leftovers lists what the removal has left.
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
