package inflict

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/operators/internal/faults/helper"
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

// mounted returns the mounts in a pod, as its kernel lists them, on a node whose own disk is 254:0, with a line for the volume.
func mounted(volume string) string {
	return `591 512 0:81 / / rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w
592 591 0:87 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
600 591 254:0 /var/lib/kubelet/pods/a1/etc-hosts /etc/hosts rw,relatime - ext4 /dev/vda rw
601 591 254:0 /var/lib/kubelet/pods/a1/containers/fault-1/c2 /dev/termination-log rw,relatime - ext4 /dev/vda rw
602 591 0:85 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k
` + volume
}

func TestOnlyAFileSystemOfItsOwnIsFilled(t *testing.T) {
	for name, test := range map[string]struct{ volume, says string }{
		"a disk of its own":                   {"610 591 8:16 / /volume rw,relatime - ext4 /dev/sdb rw", ""},
		"an image of its own":                 {"610 591 7:3 / /volume rw,relatime - xfs /dev/loop3 rw", ""},
		"a folder of the node's disk":         {"610 591 254:0 /volumes/pvc-1 /volume rw,relatime - ext4 /dev/vda rw", "is a folder of a file system that it shares (/volumes/pvc-1), which to fill would hit others"},
		"a folder of another disk":            {"610 591 8:16 /pvc-1 /volume rw,relatime - ext4 /dev/sdb rw", "is a folder of a file system that it shares (/pvc-1), which to fill would hit others"},
		"the node's disk":                     {"610 591 254:0 / /volume rw,relatime - ext4 /dev/vda rw", "is on a file system of the node, that /etc/hosts is on as well"},
		"somebody's over the network":         {"610 591 0:99 / /volume rw,relatime - nfs4 files:/ rw", "is on no block device of its own (nfs4), and others may share it"},
		"memory":                              {"610 591 0:99 / /volume rw,relatime - tmpfs tmpfs rw", "is on no block device of its own (tmpfs), and others may share it"},
		"the node's disk over one of its own": {"610 591 8:16 / /volume rw - ext4 /dev/sdb rw\n611 610 254:0 / /volume rw - ext4 /dev/vda rw", "is on a file system of the node"},
		"none":                                {"", "no volume of the store is mounted at /volume: let it keep its data on one"},
	} {
		t.Run(name, func(t *testing.T) {
			mounts, err := mountinfo.GetMountsFromReader(strings.NewReader(mounted(test.volume)), nil)
			require.NoError(t, err)
			err = sharedBy(mounts, helper.Volume)
			if test.says == "" {
				require.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, test.says)
			}
		})
	}
}
