package lifecycle

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
)

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
