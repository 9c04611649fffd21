package imagevolume

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ownMounts gives the test's thread its own mount namespace, which ends with the thread.
func ownMounts(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a mount takes root")
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		t.Skip("there are no loop devices")
	}
	if _, err := exec.LookPath("mkfs.ext4"); err != nil {
		t.Skip("nothing makes an ext4")
	}
	runtime.LockOSThread() // never unlocked: other goroutines must not use a thread with its own mounts
	require.NoError(t, unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWNS))
	require.NoError(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
}

func TestAVolumeIsAFileSystemOfTheSizeThatWasClaimed(t *testing.T) {
	ownMounts(t)
	volumes, target := t.TempDir(), t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(volumes, "pvc-1"), 0o700))
	require.NoError(t, Make(t.Context(), filepath.Join(volumes, "pvc-1"), 64<<20))

	const options = `{"kubernetes.io/pvOrVolumeName": "pvc-1", "kubernetes.io/readwrite": "rw"}`
	require.Equal(t, Reply{Status: "Success"}, Answer(t.Context(), volumes, []string{"mount", target, options}))
	var system unix.Statfs_t
	require.NoError(t, unix.Statfs(target, &system))
	size := system.Blocks * uint64(system.Bsize)
	assert.LessOrEqual(t, size, uint64(64<<20))
	assert.Greater(t, size, uint64(48<<20))
	require.NoError(t, os.WriteFile(filepath.Join(target, "kept"), nil, 0o600))
	device := loopOf(t, filepath.Join(volumes, "pvc-1", file))
	assert.NotEmpty(t, device)

	require.NoError(t, unix.Unmount(target, 0)) // as the kubelet does itself
	assert.Empty(t, loopOf(t, filepath.Join(volumes, "pvc-1", file)), "the kernel has detached it")
	require.Equal(t, Reply{Status: "Success"}, Answer(t.Context(), volumes, []string{"mount", target, options}))
	assert.FileExists(t, filepath.Join(target, "kept"))
	require.NoError(t, unix.Unmount(target, 0))
}

// loopOf returns the loop device of an image.
func loopOf(t *testing.T, image string) string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), "losetup", "--noheadings", "--output", "NAME", "--associated", image).Output()
	require.NoError(t, err)
	return string(said)
}

func TestTheDriverIsWhereTheKubeletLooksForIt(t *testing.T) {
	plugins := t.TempDir()
	require.NoError(t, Install(plugins, "/bin/echo", "/volumes"))
	said, err := exec.CommandContext(t.Context(), filepath.Join(plugins, "ringside.dev~image", "image"), "mount", "/there", `{"a": "b c"}`).Output()
	require.NoError(t, err)
	assert.Equal(t, "image-volume --volumes=/volumes -- mount /there {\"a\": \"b c\"}\n", string(said))
}

func TestTheDriverSaysWhatItIs(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"what it can":        {[]string{"init"}, `{"status":"Success","capabilities":{"attach":false,"fsGroup":true}}`},
		"what it cannot":     {[]string{"unmount", "/there"}, `{"status":"Not supported"}`},
		"nothing":            {nil, `{"status":"Not supported"}`},
		"a name that climbs": {[]string{"mount", "/there", `{"kubernetes.io/pvOrVolumeName": "../pki"}`}, `{"status":"Failure","message":"\"../pki\" is not a plain name"}`},
		"no name":            {[]string{"mount", "/there", `{}`}, `{"status":"Failure","message":"\"\" is not a plain name"}`},
	} {
		t.Run(name, func(t *testing.T) {
			said, err := json.Marshal(Answer(t.Context(), t.TempDir(), test.args))
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(said))
		})
	}
}
