package inflict

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ownVolume returns an ext4 file system of 64 MiB, with space reserved for root. Only the test's thread and its child processes see it, and
// it ends with them.
func ownVolume(t *testing.T) string {
	if os.Getuid() != 0 {
		t.Skip("a file system takes root")
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		t.Skip("there are no loop devices")
	}
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("nothing makes an ext4")
	}
	image, folder := filepath.Join(t.TempDir(), "image"), t.TempDir()
	runtime.LockOSThread() // permanently: a thread with its own mounts must not run other goroutines
	require.NoError(t, unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWNS))
	require.NoError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	require.NoError(t, os.WriteFile(image, nil, 0o600))
	require.NoError(t, os.Truncate(image, 64<<20))
	for _, command := range [][]string{{"mkfs.ext4", "-q", image}, {"mount", "-o", "loop", image, folder}} {
		said, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
		require.NoError(t, err, "%v: %s", command, said)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(folder, 0)) })
	return folder
}

// free returns the free space of a file system, for all users and for root.
func free(t *testing.T, folder string) (anybody, root uint64) {
	t.Helper()
	var system unix.Statfs_t
	require.NoError(t, unix.Statfs(folder, &system))
	return system.Bavail * uint64(system.Bsize), system.Bfree * uint64(system.Bsize)
}

func TestAVolumeIsFilledAndIsAsBeforeWhenThatIsOver(t *testing.T) {
	folder := ownVolume(t)
	before, _ := free(t, folder)
	for _, leave := range []uint64{0, 16 << 20} {
		ctx, end := context.WithCancel(t.Context())
		began := false
		require.NoError(t, Fill(ctx, folder, leave, func() {
			began = true
			anybody, root := free(t, folder)
			assert.LessOrEqual(t, anybody, leave)
			assert.Greater(t, anybody+1<<20, leave, "and not much less")
			assert.Positive(t, root, "what is kept for root stays")
			end()
		}))
		assert.True(t, began)
		after, _ := free(t, folder)
		assert.Equal(t, before, after)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(folder, "lost+found")}, left)
}

func TestAVolumeWithLessRoomThanIsToBeLeftIsNotFilled(t *testing.T) {
	folder := ownVolume(t)
	err := Fill(t.Context(), folder, 1<<30, func() { t.Error("it began") })
	assert.ErrorContains(t, err, "and 1024 MiB are to be left: there is nothing to fill")
}

// Killing the helper frees the volume.
func TestAVolumeIsFreeAgainWhenWhoFilledItIsKilled(t *testing.T) {
	folder := ownVolume(t)
	before, _ := free(t, folder)
	process := start(t, filler, target+"="+folder)
	process.says(t, "full")
	full, _ := free(t, folder)
	assert.Zero(t, full)
	require.NoError(t, process.command.Process.Kill())
	assert.Error(t, process.command.Wait(), "it was killed")
	after, _ := free(t, folder)
	assert.Equal(t, before, after)
}

func fillForEver(folder string) {
	fmt.Println(Fill(context.Background(), folder, 0, func() { fmt.Println("full") }))
}

func TestAFolderOfADiskIsNotFilled(t *testing.T) {
	folder := t.TempDir()
	assert.EqualError(t, Fill(t.Context(), folder, 0, func() { t.Error("it began") }),
		"no volume of the store is mounted at "+folder+": let it keep its data on one")
	if os.Getuid() != 0 {
		t.Skip("a mount takes root")
	}
	require.NoError(t, unix.Mount(folder, folder, "", unix.MS_BIND, ""))
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(folder, 0)) })
	assert.ErrorContains(t, Fill(t.Context(), folder, 0, func() { t.Error("it began") }), "the store's volume is a folder of a file system that it shares")
}
