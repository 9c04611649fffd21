package inflict

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// smallVolume returns a new file system of the given size in MiB.
func smallVolume(t *testing.T, size string) string {
	if os.Getuid() != 0 {
		t.Skip("a file system takes root")
	}
	folder := t.TempDir()
	require.NoError(t, unix.Mount("none", folder, "tmpfs", 0, "size="+size+"m"))
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(folder, 0)) })
	return folder
}

func usedBlocks(t *testing.T, folder string) uint64 {
	var system unix.Statfs_t
	require.NoError(t, unix.Statfs(folder, &system))
	return system.Blocks - system.Bfree
}

func TestADiskIsKeptBusyByAFileThatIsGoneWithWhoWrites(t *testing.T) {
	folder := smallVolume(t, "300")
	before := usedBlocks(t, folder)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Busy(ctx, folder, func() {
		assert.Greater(t, usedBlocks(t, folder), before)
		end()
	}))
	assert.Equal(t, before, usedBlocks(t, folder))
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestADiskThatIsAlmostFullIsNotFilled(t *testing.T) {
	folder := smallVolume(t, "200")
	require.EqualError(t, Busy(t.Context(), folder, func() { t.Error("it began") }), "only 200 MiB are free on the store's volume, and 256 must be")
}

func TestADiskThatIsNotThereIsNotKeptBusy(t *testing.T) {
	err := Busy(t.Context(), filepath.Join(t.TempDir(), "none"), func() { t.Error("it began") })
	assert.ErrorContains(t, err, "make a file without a name on the store's volume: no such file or directory")
}
