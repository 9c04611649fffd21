package inflict

import (
	"context"
	"net"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ownNetwork moves this goroutine's thread into a new network namespace, which ends with the thread.
func ownNetwork(t testing.TB) {
	if os.Getuid() != 0 {
		t.Skip("a network namespace takes root")
	}
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	require.NoError(t, unix.Unshare(unix.CLONE_NEWNET))
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(socket) //nolint:errcheck // used only by this test
	up, err := unix.NewIfreq("lo")
	require.NoError(t, err)
	up.SetUint16(unix.IFF_UP)
	require.NoError(t, unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, up))
}

// pair returns two sockets on the loopback interface; one receives what the other sends.
func pair(t testing.TB) (to, from *net.UDPConn) {
	to, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { _ = to.Close() })
	from, err = net.DialUDP("udp4", nil, to.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	t.Cleanup(func() { _ = from.Close() })
	return to, from
}

// passes reports whether a datagram arrives on the loopback interface.
func passes(t *testing.T) bool {
	to, from := pair(t)
	_, err := from.Write([]byte("x"))
	require.NoError(t, err, "who sends is told nothing")
	inside, err := to.SyscallConn()
	require.NoError(t, err)
	there := false
	// A datagram that passes has arrived when Write returns.
	require.NoError(t, inside.Control(func(fd uintptr) {
		n, _, err := unix.Recvfrom(int(fd), make([]byte, 8), unix.MSG_DONTWAIT)
		there = err == nil && n == 1
	}))
	return there
}

func TestNothingPassesACutUntilItIsFixed(t *testing.T) {
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
	_, _, refused := unix.RawSyscall(unix.SYS_SETRESUID, asItIs, nobody, asItIs) // of this thread only, unlike unix.Setresuid
	require.Zero(t, refused)
	err := Cut(context.Background(), Loopback, func() { t.Error("it was cut") })
	assert.ErrorContains(t, err, "filter the node's packets")
	assert.ErrorContains(t, err, "CAP_NET_ADMIN")
}
