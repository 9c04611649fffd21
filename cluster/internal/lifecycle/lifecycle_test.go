package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
)

func TestKeepsAClusterAsItWasMade(t *testing.T) {
	saved := Settings{Nodes: 3, APIPort: 7000, Verbosity: 2, Memory: 42}
	for _, test := range []struct {
		name    string
		request Request
		found   bool
		want    Settings
		says    string
	}{
		{"a new cluster", Request{}, false, Settings{Nodes: DefaultNodes, APIPort: DefaultAPIPort, Verbosity: 1}, ""},
		{"a new cluster as asked", Request{Nodes: 2, APIPort: 8000, Verbosity: 4}, false, Settings{Nodes: 2, APIPort: 8000, Verbosity: 4}, ""},
		{"one that is there", Request{}, true, saved, ""},
		{"one that is there, the same asked", Request{Nodes: 3, APIPort: 7000}, true, saved, ""},
		{"another number of nodes", Request{Nodes: 4}, true, Settings{}, "made with 3 nodes, not 4: take it down first"},
		{"another port", Request{APIPort: 7001}, true, Settings{}, "made with API port 7000, not 7001: take it down first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := merge(test.request, saved, test.found)
			if test.says != "" {
				assert.ErrorContains(t, err, test.says)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func newCluster(t *testing.T) Cluster {
	t.Helper()
	return Cluster{
		Layout: layout.Layout{Instance: "ringside-unit-test", State: t.TempDir(), Bin: "/bin", Runtime: t.TempDir()},
		Say:    func(string, ...any) {},
		Now:    time.Now,
	}
}

func TestSavesAndReadsSettings(t *testing.T) {
	c := newCluster(t)
	_, found, err := c.saved()
	require.NoError(t, err)
	assert.False(t, found)

	want := Settings{Nodes: 4, APIPort: 16443, Snapshotter: "native"}
	require.NoError(t, c.save(want))
	got, found, err := c.saved()
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, want, got)

	require.NoError(t, os.WriteFile(c.Layout.Settings(), []byte("{"), 0o600))
	_, _, err = c.saved()
	assert.ErrorContains(t, err, c.Layout.Settings())
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

func TestRemovesItsOwnStateAndNothingElse(t *testing.T) {
	c := newCluster(t)
	require.NoError(t, c.save(Settings{Nodes: 1}))
	require.NoError(t, os.MkdirAll(c.Layout.Machine("node1"), 0o755))
	foreign := filepath.Join(c.Layout.State, "notes.txt")
	require.NoError(t, os.WriteFile(foreign, nil, 0o600))

	require.NoError(t, c.removeState())
	assert.FileExists(t, foreign)
	assert.NoDirExists(t, c.Layout.Machine("node1"))

	require.NoError(t, os.Remove(foreign))
	require.NoError(t, c.removeState())
	assert.NoDirExists(t, c.Layout.State)
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
	unlock, err := c.lock()
	require.NoError(t, err)
	_, err = c.lock()
	assert.ErrorContains(t, err, "is changing this cluster right now")
	unlock()
	unlock, err = c.lock()
	require.NoError(t, err)
	unlock()
}
