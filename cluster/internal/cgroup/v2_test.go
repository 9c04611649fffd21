package cgroup

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// unified returns the kernel's version 2 tree, with a controller that is not in use. A hybrid host has one too.
func unified(t *testing.T) (tree v2, controller string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes control groups")
	}
	mounts, err := os.Open("/proc/self/mountinfo")
	require.NoError(t, err)
	defer mounts.Close()
	for lines := bufio.NewScanner(mounts); lines.Scan(); {
		left, right, _ := strings.Cut(lines.Text(), " - ")
		if !strings.HasPrefix(right, "cgroup2 ") {
			continue
		}
		mount := strings.Fields(left)[4]
		available, err := readWords(filepath.Join(mount, "cgroup.controllers"))
		require.NoError(t, err)
		on, err := readWords(filepath.Join(mount, "cgroup.subtree_control"))
		require.NoError(t, err)
		free := slices.DeleteFunc(available, func(c string) bool { return slices.Contains(on, c) })
		if len(free) > 0 && unix.Access(mount, unix.W_OK) == nil {
			tree := newV2(mount, t.TempDir())
			tree.required, tree.useful = free[:1], nil
			t.Cleanup(func() { // also if the test failed
				_ = control(mount, "-"+free[0])
			})
			return tree, free[0]
		}
	}
	t.Skip("no version 2 tree with a controller that nobody uses")
	return v2{}, ""
}

// sleeper starts a process that repeatedly starts child processes.
func sleeper(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sh", "-c", "while :; do sleep 600 & wait; done")
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

func switchedOn(t *testing.T, dir string) []string {
	t.Helper()
	on, err := readWords(filepath.Join(dir, "cgroup.subtree_control"))
	require.NoError(t, err)
	return on
}

func TestOnARealVersion2TreeGroupsComeAndGoWithoutATrace(t *testing.T) {
	tree, controller := unified(t)
	const one, two = "/ringside-unit-test/one", "/ringside-unit-test/two"
	before := switchedOn(t, tree.mount)
	for _, group := range []string{one + "/node1/daemons", two + "/daemons"} {
		require.NoError(t, tree.Make(group))
		require.NoError(t, tree.Make(group), "again does no harm")
	}
	assert.Contains(t, switchedOn(t, tree.mount), controller)
	assert.Contains(t, switchedOn(t, tree.dir(one+"/node1")), controller, "pods' groups beside the daemons' get it, too")
	pid := sleeper(t)
	require.NoError(t, tree.Join(one+"/node1/daemons", pid))
	pids, err := tree.Processes(one)
	require.NoError(t, err)
	assert.Contains(t, pids, pid)

	require.NoError(t, tree.Kill(one))
	require.Eventually(t, func() bool {
		pids, err := tree.Processes(one)
		return err == nil && len(pids) == 0
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, tree.Remove(one))
	assert.Empty(t, tree.Remaining(one))
	assert.Contains(t, switchedOn(t, tree.mount), controller, "another cluster still needs it")
	require.NoError(t, tree.Remove(two))
	assert.Empty(t, tree.Remaining("/ringside-unit-test"))
	assert.Equal(t, before, switchedOn(t, tree.mount), "what was switched on for the first is off after the last")
	assert.NoFileExists(t, tree.record)
}

func TestOnARealVersion2TreeWhatTheKubeletEnablesIsOffAgain(t *testing.T) {
	tree, controller := unified(t)
	tree.required = nil
	before := switchedOn(t, tree.mount)
	require.NoError(t, tree.Make("/ringside-unit-test/one/node1"))
	assert.Equal(t, before, switchedOn(t, tree.mount))
	require.NoError(t, control(tree.mount, "+"+controller), "the kubelet enables all that exist, from the root down")
	require.NoError(t, control(tree.dir("/ringside-unit-test"), "+"+controller))
	require.NoError(t, tree.Make("/ringside-unit-test/two"), "a second cluster keeps the record of the first")
	require.NoError(t, tree.Remove("/ringside-unit-test/one"))
	assert.Contains(t, switchedOn(t, tree.mount), controller)
	require.NoError(t, tree.Remove("/ringside-unit-test/two"))
	assert.Equal(t, before, switchedOn(t, tree.mount))
}

func TestOnARealVersion2TreeAContainersOwnProcessesMakeRoomAndComeBack(t *testing.T) {
	host, controller := unified(t)
	require.NoError(t, host.Make("/ringside-unit-test/container"))
	t.Cleanup(func() { assert.NoError(t, host.Remove("/ringside-unit-test/container")) })
	pid := sleeper(t)
	require.NoError(t, host.Join("/ringside-unit-test/container", pid))
	t.Cleanup(func() {
		_ = host.Kill("/ringside-unit-test/container")
		assert.Eventually(t, func() bool {
			pids, err := host.Processes("/ringside-unit-test/container")
			return err == nil && len(pids) == 0
		}, 10*time.Second, 10*time.Millisecond)
	})
	// The root of the tree as seen from a container.
	inside := newV2(host.dir("/ringside-unit-test/container"), t.TempDir())
	inside.required, inside.useful = host.required, nil
	require.ErrorIs(t, control(inside.mount, "+"+controller), unix.EBUSY, "the kernel refuses while there are processes")
	require.Len(t, inside.Notes(), 1)
	assert.Contains(t, inside.Notes()[0], "are moved to a group below it until the cluster is taken down")

	require.NoError(t, inside.Make("/base/one/daemons"))
	assert.Equal(t, []string{controller}, switchedOn(t, inside.mount))
	aside, err := processesIn(filepath.Join(inside.mount, "base", asideGroup))
	require.NoError(t, err)
	assert.Contains(t, aside, pid)
	cluster, err := inside.Processes("/base/one")
	require.NoError(t, err)
	assert.Empty(t, cluster, "they are not the cluster's: 'down' must not end them")

	require.NoError(t, inside.Remove("/base/one"))
	back, err := processesIn(inside.mount)
	require.NoError(t, err)
	assert.Contains(t, back, pid)
	assert.Empty(t, switchedOn(t, inside.mount))
	assert.Empty(t, inside.Remaining("/base"))
}

func TestSaysWhatVersion2DoesNotGive(t *testing.T) {
	root := t.TempDir()
	write(t, root, "cgroup.controllers", "cpu memory pids\n")
	write(t, root, "cgroup.subtree_control", "cpu memory pids\n")
	tree := newV2(root, t.TempDir())
	assert.Equal(t, []string{"control group controller cpuset is not given in " + root}, tree.Faults())
	assert.Empty(t, tree.Notes(), "the host's root may hold processes")
	err := tree.Make("/base/one")
	assert.EqualError(t, err, "pass control group controller cpuset on: it is not given in "+root)
}
