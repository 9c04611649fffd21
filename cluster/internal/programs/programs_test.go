package programs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func build(t *testing.T, dir, content string) {
	t.Helper()
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		_ = os.Remove(path) // like the Go command: a new file instead of overwriting the old one
		if filepath.Dir(name) == Kube && filepath.Base(name) != "etcd" {
			require.NoError(t, os.Symlink("../ringside-kube", path))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(content), 0o755))
	}
}

func TestAClusterKeepsTheProgramsItWasStartedWith(t *testing.T) {
	bin, kept := t.TempDir(), filepath.Join(t.TempDir(), "bin")
	build(t, bin, "old")
	require.NoError(t, Keep(bin, kept))
	require.Empty(t, Missing(kept, false))
	build(t, bin, "new")
	for _, name := range Names() {
		content, err := os.ReadFile(filepath.Join(kept, name))
		require.NoError(t, err)
		assert.Equal(t, "old", string(content), name)
	}
	require.NoError(t, Keep(bin, kept), "a cluster that is started again from nothing takes the new ones")
	content, err := os.ReadFile(filepath.Join(kept, "kube/kubelet"))
	require.NoError(t, err)
	assert.Equal(t, "new", string(content))
}

func TestACopyCanBeRun(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	require.NoError(t, os.WriteFile(from, []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, clone(from, to))
	info, err := os.Stat(to)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}

func TestNamesWhatIsNotBuilt(t *testing.T) {
	bin := t.TempDir()
	build(t, bin, "x")
	require.NoError(t, os.Remove(filepath.Join(bin, "pause")))
	assert.Equal(t, []string{filepath.Join(bin, "pause")}, Missing(bin, false))
}

func TestTheRegistryIsAProgramOnlyWhereItIsWanted(t *testing.T) {
	bin, kept := t.TempDir(), filepath.Join(t.TempDir(), "bin")
	build(t, bin, "x")
	assert.Equal(t, []string{filepath.Join(bin, Registry)}, Missing(bin, true))
	require.NoError(t, os.WriteFile(filepath.Join(bin, Registry), nil, 0o755))
	require.NoError(t, Keep(bin, kept))
	assert.Empty(t, Missing(kept, true))
}
