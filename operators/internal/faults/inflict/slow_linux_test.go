package inflict

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
