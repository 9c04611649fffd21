package preflight

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The limit applies per user. In its own user namespace the test has one that no other program uses.
func TestCountsTheInotifyInstancesThatAreLeft(t *testing.T) {
	if os.Getenv("RINGSIDE_COUNTS_INOTIFY") == "" {
		if os.Geteuid() != 0 {
			t.Skip("needs root: sets a limit in a user namespace")
		}
		cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), "RINGSIDE_COUNTS_INOTIFY=yes")
		mapped := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}}
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER, UidMappings: mapped, GidMappings: mapped}
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", output)
		return
	}
	const limit = 8
	require.NoError(t, os.WriteFile("/proc/sys/user/max_inotify_instances", []byte(strconv.Itoa(limit)), 0))
	held, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	require.NoError(t, err)
	assert.Equal(t, limit-1, inotifyFree(128))
	assert.Equal(t, limit-1, inotifyFree(128), "what was made is gone again")
	assert.Equal(t, 5, inotifyFree(5), "no more than are wanted")
	require.NoError(t, unix.Close(held))
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, entry := range open {
		target, _ := os.Readlink("/proc/self/fd/" + entry.Name()) // the descriptor of the listing itself is already closed
		assert.False(t, strings.Contains(target, "inotify"), target)
	}
}
