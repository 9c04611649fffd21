package inflict

import (
	"context"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ownNetwork puts this goroutine's thread into a network namespace of its own, which goes with it.
func ownNetwork(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("a network namespace takes root")
	}
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	require.NoError(t, unix.Unshare(unix.CLONE_NEWNET))
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(socket) //nolint:errcheck // of this test alone
	up, err := unix.NewIfreq("lo")
	require.NoError(t, err)
	up.SetUint16(unix.IFF_UP)
	require.NoError(t, unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, up))
}

// passes says whether a datagram comes through on the loopback interface.
func passes(t *testing.T) bool {
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer to.Close() //nolint:errcheck // of this test alone
	from, err := net.DialUDP("udp4", nil, to.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	defer from.Close() //nolint:errcheck // of this test alone
	if _, err := from.Write([]byte("x")); err != nil {
		require.ErrorIs(t, err, unix.EPERM, "what is dropped on its way out is told to the sender")
		return false
	}
	// On the loopback interface, what comes through is there when Write returns.
	require.NoError(t, to.SetReadDeadline(time.Now().Add(time.Second)))
	n, _, err := to.ReadFrom(make([]byte, 8))
	return err == nil && n == 1
}

func TestNothingPassesACutUntilItIsMended(t *testing.T) {
	ownNetwork(t)
	require.True(t, passes(t))
	const none = 99
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Cut(ctx, none, func() {
		assert.False(t, passes(t))
		end()
	}))
	assert.True(t, passes(t))
}

func TestACutSparesTheInterfaceThatItIsToldTo(t *testing.T) {
	ownNetwork(t)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Cut(ctx, Loopback, func() {
		assert.True(t, passes(t))
		end()
	}))
}

func TestACutNeedsItsRight(t *testing.T) {
	ownNetwork(t)
	const nobody, asItIs = 65534, ^uintptr(0)
	_, _, refused := unix.RawSyscall(unix.SYS_SETRESUID, asItIs, nobody, asItIs) // of this thread alone, unlike unix.Setresuid
	require.Zero(t, refused)
	err := Cut(context.Background(), Loopback, func() { t.Error("it was cut") })
	assert.ErrorContains(t, err, "drop the node's packets")
	assert.ErrorContains(t, err, "CAP_NET_ADMIN")
}
