package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
)

// newCluster returns a cluster with all its paths in a temporary directory.
func newCluster(t *testing.T) Cluster {
	t.Helper()
	root := t.TempDir()
	return Cluster{
		Layout: layout.Layout{Instance: "ringside-unit-test", State: filepath.Join(root, "state"), Bin: "/bin", Runtime: filepath.Join(root, "run")},
		Tree:   noGroups{},
		Say:    func(string, ...any) {},
		Now:    time.Now,
	}
}

func TestSavesAndReadsSettings(t *testing.T) {
	c := newCluster(t)
	none, err := c.saved()
	require.NoError(t, err)
	assert.Nil(t, none)

	want := Settings{Instance: "ringside-unit-test", Nodes: 4, APIPort: 16443, Snapshotter: "native"}
	require.NoError(t, c.save(want))
	got, err := c.saved()
	require.NoError(t, err)
	assert.Equal(t, want, *got)

	for _, content := range []string{"", "{", "{}", `{"instance":"ringside-unit-test"}`, `{"nodes":4}`, "[]"} {
		require.NoError(t, os.WriteFile(c.Layout.Settings(), []byte(content), 0o600))
		got, err := c.saved()
		require.NoError(t, err)
		assert.Nil(t, got, "%q marks no cluster's directory", content)
	}
}

func TestOnlyTheOwnerEntersTheStateDirectory(t *testing.T) {
	c := newCluster(t)
	require.NoError(t, os.Mkdir(c.Layout.State, 0o755), "as a user may have made it")
	require.NoError(t, c.claim(Settings{Instance: "ringside-unit-test", Nodes: 1}))
	info, err := os.Stat(c.Layout.State)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestFindsMountsLeftBehind(t *testing.T) {
	mounts := strings.Join([]string{
		"22 1 254:0 / / rw - ext4 /dev/vda rw",
		"23 22 0:50 / /state/machines/node1/var/lib/kubelet/pods/x rw - tmpfs tmpfs rw",
		"24 22 0:51 / /state/machines-of-another rw - tmpfs tmpfs rw",
		"25 22 0:52 / /run/ringside rw - tmpfs tmpfs rw",
	}, "\n")
	assert.Equal(t,
		[]string{"mount /state/machines/node1/var/lib/kubelet/pods/x", "mount /run/ringside"},
		mountsUnder(mounts, "/state/machines", "/run/ringside"))
}

func TestGivesUpOnlyWhenWaitingIsOfNoUse(t *testing.T) {
	tries := 0
	err := poll(t.Context(), time.Microsecond, func(context.Context) error {
		if tries++; tries < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 3, tries)

	tries = 0
	err = poll(t.Context(), time.Microsecond, func(context.Context) error {
		tries++
		return fmt.Errorf("node1: %w", permanent{errors.New("keeps ending")})
	})
	assert.EqualError(t, err, "node1: keeps ending")
	assert.Equal(t, 1, tries)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = poll(ctx, time.Hour, func(context.Context) error { return errors.New("the last reason") })
	assert.EqualError(t, err, "the last reason")
}

func TestShowsTheEndOfALog(t *testing.T) {
	assert.Equal(t, "c\nd", tail("a\nb\nc\nd\n", 2))
	assert.Equal(t, "a", tail("a\n", 5))
	assert.Empty(t, tail("", 5))
}

func TestNamesTheLogOfTheMachineWhenADaemonHasNone(t *testing.T) {
	c := newCluster(t)
	logs := c.Layout.Logs("node1")
	require.NoError(t, os.MkdirAll(logs, 0o755))
	require.NoError(t, os.WriteFile(machine.InitLog(logs), []byte("mount failed\n"), 0o600))
	err := c.failure("node1", "kubelet", errors.New("does not become ready"))
	assert.EqualError(t, err, "kubelet on node1 does not become ready\nlast lines of "+machine.InitLog(logs)+":\nmount failed")
}

func TestDescribesServices(t *testing.T) {
	text, healthy := describeServices([]machine.ServiceStatus{{Name: "containerd", Running: true}, {Name: "kubelet", LastExit: "exited with code 1"}})
	assert.Equal(t, "containerd, kubelet (down: exited with code 1)", text)
	assert.False(t, healthy)
}

func TestSumsUpWhatWasLoaded(t *testing.T) {
	assert.Equal(t, "loaded into all nodes", summary([]bool{true, true}))
	assert.Equal(t, "present on all nodes", summary([]bool{false, false}))
	assert.Equal(t, "loaded into 1 of 2 nodes, present on the others", summary([]bool{true, false}))
}

func TestRefusesASecondChangeAtTheSameTime(t *testing.T) {
	c := newCluster(t)
	unlock, err := c.lock(t.Context(), 0)
	require.NoError(t, err)
	_, err = c.lock(t.Context(), 0)
	assert.ErrorIs(t, err, errLocked)
	unlock()
	unlock, err = c.lock(t.Context(), 0)
	require.NoError(t, err)
	unlock()
	assert.NoDirExists(t, c.Layout.Runtime, "where there is no cluster the lock leaves nothing")
}

func TestASmallChangeWaitsForTheLock(t *testing.T) {
	c := newCluster(t)
	require.NoError(t, os.MkdirAll(c.Layout.Run(), 0o755))
	unlock, err := c.lock(t.Context(), 0)
	require.NoError(t, err)
	waiting := make(chan struct{})
	c.Say = func(string, ...any) { close(waiting) }
	go func() {
		<-waiting
		unlock()
	}()
	unlock, err = c.lock(t.Context(), time.Minute)
	require.NoError(t, err)
	unlock()
	assert.FileExists(t, c.lockFile(), "a cluster that is there keeps its lock's file")
}

// noGroups is a host without control groups of clusters.
type noGroups struct{ cgroup.Tree }

func (noGroups) Processes(string) ([]int, error) { return nil, nil }
func (noGroups) Kill(string) error               { return nil }
func (noGroups) Remove(string) error             { return nil }
func (noGroups) Remaining(string) []string       { return nil }

// fakeHost is a root directory with files that must not be deleted, and a running cluster "ringside".
type fakeHost struct {
	root string
	live machine.Process
}

func newFakeHost(t *testing.T) fakeHost {
	t.Helper()
	h := fakeHost{root: t.TempDir()}
	for _, file := range []string{
		"etc/pki/tls.key", "etc/passwd", "repo/images/operator/image.yaml", "repo/Makefile", "run/sshd.pid", "run/ringside-cluster/note", "run/ringside-cluster/ringside.lock",
		"live/cluster/machines/node1/etcd/db", "live/cluster/pki/ca.crt", "half/machines/x", "settings/cluster.json", "settings/pki/x",
	} {
		path := filepath.Join(h.root, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("{}"), 0o600))
	}
	program := exec.Command("sleep", "600")
	require.NoError(t, program.Start())
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	live := h.cluster("ringside", "live/cluster")
	var err error
	h.live, err = machine.Identify(program.Process.Pid)
	require.NoError(t, err)
	require.NoError(t, live.claim(Settings{Instance: "ringside", Nodes: 1}))
	require.NoError(t, h.live.Record(live.Layout.Run(), "node1"))
	return h
}

// cluster returns the cluster of the command-line flags, but below the fake root.
func (h fakeHost) cluster(instance, state string) Cluster {
	return Cluster{
		Layout: layout.Layout{Instance: instance, State: filepath.Join(h.root, state), Bin: "/bin", Runtime: filepath.Join(h.root, "run/ringside-cluster")},
		Tree:   noGroups{},
		Say:    func(string, ...any) {},
		Now:    time.Now,
	}
}

func (h fakeHost) files(t *testing.T) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(h.root, func(path string, _ fs.DirEntry, err error) error {
		found = append(found, path)
		return err
	}))
	return found
}

func TestDownTouchesNothingThatIsNotItsOwn(t *testing.T) {
	h := newFakeHost(t)
	before := h.files(t)
	for _, test := range []struct{ name, instance, state string }{
		{"the repository", "ringside", "repo"},
		{"the repository, by another name", "other", "repo"},
		{"the host's configuration", "other", "etc"},
		{"the root", "other", "."},
		{"the run directory", "other", "run"},
		{"the directory of all clusters' records", "other", "run/ringside-cluster"},
		{"a live cluster's files by another name", "other", "live/cluster"},
		{"a live cluster by a wrong directory", "ringside", "elsewhere"},
		{"a directory above a live cluster's", "other", "live"},
		{"a directory that only looks like a cluster's", "other", "half"},
		{"a cluster.json of something else", "other", "settings"},
		{"a file", "other", "etc/passwd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := h.cluster(test.instance, test.state).Down(t.Context())
			require.Error(t, err)
			assert.NotContains(t, err.Error(), "\n", "one line")
			assert.ElementsMatch(t, before, h.files(t))
			assert.True(t, h.live.Alive())
		})
	}
}

func TestUpTakesNoDirectoryOfOtherThings(t *testing.T) {
	h := newFakeHost(t)
	before := h.files(t)
	for _, state := range []string{"repo", "etc", ".", "half", "settings", "live/cluster"} {
		err := h.cluster("other", state).Up(t.Context(), Request{})
		require.Error(t, err, state)
		assert.NotContains(t, err.Error(), "\n", state)
		assert.Equal(t, before, h.files(t), state)
	}
}

func TestDownEndsAndRemovesItsOwnAndNothingElse(t *testing.T) {
	h := newFakeHost(t)
	c := h.cluster("ringside", "live/cluster")
	foreign := filepath.Join(c.Layout.State, "notes.txt")
	require.NoError(t, os.WriteFile(foreign, nil, 0o600))

	require.NoError(t, c.Down(t.Context()))

	assert.False(t, h.live.Alive())
	assert.FileExists(t, foreign)
	assert.NoDirExists(t, c.Layout.Machine("node1"))
	assert.NoDirExists(t, c.Layout.Run())
	assert.NoFileExists(t, c.lockFile())
	assert.FileExists(t, filepath.Join(h.root, "run/ringside-cluster/note"))
	assert.FileExists(t, filepath.Join(h.root, "repo/images/operator/image.yaml"))
	assert.ErrorContains(t, c.Down(t.Context()), "is not the directory of a cluster", "again: what is left there is not")
	require.NoError(t, os.Remove(foreign))
	assert.NoError(t, c.Down(t.Context()))
}

func TestEndsAClusterWhoseFilesAreGone(t *testing.T) {
	h := newFakeHost(t)
	c := h.cluster("ringside", "live/cluster")
	require.NoError(t, os.RemoveAll(filepath.Join(h.root, "live")))
	assert.ErrorContains(t, c.Up(t.Context(), Request{}), "the cluster runs (node1), but its files")
	assert.True(t, h.live.Alive())

	require.NoError(t, c.Down(t.Context()))
	assert.False(t, h.live.Alive())
	assert.NoDirExists(t, c.Layout.Run())
}
