package meter

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// store answers each question with its given answer; with nothing if there is none.
func countingPod(t *testing.T, answers map[string]string) string {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		request := make([]byte, 100)
		for {
			n, from, err := socket.ReadFrom(request)
			if err != nil {
				return
			}
			question, id, _ := strings.Cut(string(request[:n]), " ")
			if text, told := answers[question]; told {
				_, _ = fmt.Fprintf(writerTo{socket, from}, "id %s\n%s", id, text)
			}
		}
	}()
	return socket.LocalAddr().String()
}

type writerTo struct {
	socket net.PacketConn
	to     net.Addr
}

func (w writerTo) Write(p []byte) (int, error) { return w.socket.WriteTo(p, w.to) }

func TestAddsUpWhatEveryPodTells(t *testing.T) {
	pods, err := dialPods([]string{
		countingPod(t, map[string]string{"counters": "cpu_ns 5\nput_bytes 7\n", "sizes": "live_bytes 1\ndisk_bytes 2\n"}),
		countingPod(t, map[string]string{"counters": "cpu_ns 6\nput_bytes 8\ngot_bytes 9\n", "sizes": "disk_bytes 3\n"}),
	})
	require.NoError(t, err)
	defer pods.Close()
	counted, err := pods.Counted(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]int64{"cpu_ns": 11, "put_bytes": 15}, counted)
	sizes, err := pods.Sizes(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]int64{"disk_bytes": 5}, sizes, "half of what is live is not what is live")
}

func TestAStoreThatKnowsNoSizesTellsNone(t *testing.T) {
	pods, err := dialPods([]string{countingPod(t, map[string]string{"sizes": ""})})
	require.NoError(t, err)
	defer pods.Close()
	sizes, err := pods.Sizes(t.Context())
	require.NoError(t, err)
	assert.Empty(t, sizes)
	_, err = pods.Counted(t.Context())
	assert.ErrorContains(t, err, "the counters at 127.0.0.1:", "it does not answer that")
}

func TestEachPodTellsWhatItDidForOthersAndOneThatIsGoneTellsNothing(t *testing.T) {
	pods, err := dialPods([]string{
		countingPod(t, map[string]string{"events": "hints_kept 5\n"}), countingPod(t, nil), countingPod(t, map[string]string{"events": "hints_kept 6\n"}),
	})
	require.NoError(t, err)
	defer pods.Close()
	assert.Equal(t, []map[string]int64{{"hints_kept": 5}, nil, {"hints_kept": 6}}, pods.Events(t.Context()))
}

func TestCountsOnlyWhatDidNotBeginAnew(t *testing.T) {
	assert.Equal(t, map[string]int64{"a": 2, "c": 0}, growth(map[string]int64{"a": 1, "b": 5, "c": 1, "gone": 1}, map[string]int64{"a": 3, "b": 4, "c": 1, "new": 1}))
}

func TestAnAnswerThatIsLateIsNotTakenForTheNext(t *testing.T) {
	id, values, err := parseCounters("id 7\ncpu_ns 12")
	require.NoError(t, err)
	assert.Equal(t, uint64(7), id)
	assert.Equal(t, map[string]int64{"cpu_ns": 12}, values)
	for _, answer := range []string{"", "cpu_ns 12", "id 7\ncpu_ns", "id 7\ncpu_ns -1", "id 7\ncpu_ns 1.5"} {
		_, _, err := parseCounters(answer)
		assert.Error(t, err, "%q", answer)
	}
}
