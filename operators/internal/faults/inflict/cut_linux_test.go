package inflict

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

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

func slowForEver(text string) {
	runtime.GOMAXPROCS(1) // as the helper's command does
	const none = 99
	by, err := time.ParseDuration(text)
	if err == nil {
		err = Slow(context.Background(), none, by, func() { fmt.Println("held") })
	}
	fmt.Println(err)
}

// requireOne requires that a datagram arrives, possibly late.
func requireOne(t testing.TB, to *net.UDPConn) {
	require.NoError(t, to.SetReadDeadline(time.Now().Add(20*time.Second)))
	_, err := to.Read(make([]byte, 8))
	require.NoError(t, err)
}

func TestPacketsAreHeldForTheirTime(t *testing.T) {
	ownNetwork(t)
	const none, by = 99, 200 * time.Millisecond
	to, from := pair(t)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Slow(ctx, none, by, func() {
		sent := time.Now()
		for range 3 {
			_, err := from.Write([]byte("x"))
			require.NoError(t, err)
		}
		for range 3 {
			requireOne(t, to)
			assert.GreaterOrEqual(t, time.Since(sent), by-grain)
		}
		_, err := from.Write([]byte("x"))
		require.NoError(t, err)
		end()
	}))
	requireOne(t, to)
	assert.True(t, passes(t), "nothing is held any more")
}

func TestPacketsPassWhenWhoHeldThemIsKilled(t *testing.T) {
	ownNetwork(t)
	killed := start(t, slower, holds+"=1h")
	killed.says(t, "held")
	require.False(t, passes(t))
	require.NoError(t, killed.command.Process.Kill())
	_ = killed.command.Wait()
	assert.True(t, passes(t))
}

func TestAQueueIsOnesOwn(t *testing.T) {
	ownNetwork(t)
	q, err := openQueue(slowed)
	require.NoError(t, err)
	defer q.close()
	_, err = openQueue(slowed)
	assert.ErrorContains(t, err, "read the node's packets")
}

// The helper's CPU time per packet, which the store cannot use. Single packets cost most, because each wakes the helper.
func BenchmarkAHeldPacket(b *testing.B) {
	for _, burst := range []int{1, 16} {
		b.Run(fmt.Sprintf("%d at a time", burst), func(b *testing.B) {
			ownNetwork(b)
			helper := start(b, slower, holds+"=1ms")
			helper.says(b, "held")
			to, from := pair(b)
			for left := b.N; left > 0; left -= burst {
				for range min(left, burst) {
					_, err := from.Write([]byte("x"))
					require.NoError(b, err)
				}
				for range min(left, burst) {
					requireOne(b, to)
				}
			}
			require.NoError(b, helper.command.Process.Kill())
			_ = helper.command.Wait()
			used := helper.command.ProcessState
			b.ReportMetric(float64((used.UserTime()+used.SystemTime()).Microseconds())/float64(b.N), "cpu-µs/packet")
		})
	}
}
