package meter

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/measure"
)

// store answers each question, numbered from 1, with the given counters; with nothing if they are empty.
func restingPod(t *testing.T, answer func(question int) string) string {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		request := make([]byte, 100)
		for question := 1; ; question++ {
			n, from, err := socket.ReadFrom(request)
			if err != nil {
				return
			}
			id := strings.TrimPrefix(string(request[:n]), "counters ")
			if text := answer(question); text != "" {
				_, _ = socket.WriteTo([]byte("id "+id+"\n"+text), from)
			}
		}
	}()
	return socket.LocalAddr().String()
}

func restingPods(t *testing.T, addresses ...string) storePods {
	t.Helper()
	all, err := dialPods(addresses)
	require.NoError(t, err)
	t.Cleanup(all.Close)
	return all
}

func TestAddsUpWhatAllPodsUsedInEachWindow(t *testing.T) {
	one := restingPod(t, func(question int) string { return fmt.Sprintf("cpu_ns %d\ngc_count 3", 1000*question) })
	two := restingPod(t, func(question int) string { return fmt.Sprintf("cpu_ns %d", 10_000+10*question) })
	log, err := watchIdle(t.Context(), restingPods(t, one, two), idleTask{duration: time.Second, operation: "rest"}, 50*time.Millisecond)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(log.Counters), 3)
	for i, c := range log.Counters {
		assert.Equal(t, map[string]int64{"cpu_ns": 1010}, c.Values, "what not all pods tell is left out")
		assert.Equal(t, 1, c.Windows)
		assert.Zero(t, c.Operations)
		assert.Equal(t, c.Start, log.Intervals[i].Start)
		assert.Equal(t, "rest-st", log.Intervals[i].Tag.String())
	}
	assert.GreaterOrEqual(t, log.End.Sub(log.Start), time.Second)
	assert.Zero(t, log.OperationCount())
}

func TestWindowsBesideALostReadingAreUnknown(t *testing.T) {
	silent := 0
	address := restingPod(t, func(question int) string {
		if question >= 3 && silent < counterTries {
			silent++
			return ""
		}
		return fmt.Sprintf("cpu_ns %d", question)
	})
	log, err := watchIdle(t.Context(), restingPods(t, address), idleTask{duration: 3 * time.Second}, 50*time.Millisecond)
	require.NoError(t, err)
	var unknown []int
	for i, c := range log.Counters {
		if c.Unknown == 1 {
			unknown = append(unknown, i)
			assert.Empty(t, c.Values)
		}
	}
	assert.Equal(t, []int{1, 2}, unknown, "the one that the lost reading ends, and the one that it begins")
}

func TestWritesALogThatMeterReads(t *testing.T) {
	address := restingPod(t, func(question int) string { return fmt.Sprintf("cpu_ns %d", 2_000_000*question) })
	folder := t.TempDir()
	orders := map[string]string{
		"RINGSIDE_COUNTERS": address, "RINGSIDE_DURATION_SECONDS": "1", "RINGSIDE_OPERATION": "idle",
		"RINGSIDE_HLOG": filepath.Join(folder, "log"), "RINGSIDE_SUMMARY": filepath.Join(folder, "summary"),
	}
	require.NoError(t, RunIdle(t.Context(), func(name string) string { return orders[name] }))
	file, err := os.Open(orders["RINGSIDE_HLOG"])
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	log, err := measure.ReadLog(file)
	require.NoError(t, err)
	require.Len(t, log.Counters, 1)
	assert.Equal(t, int64(2_000_000), log.Counters[0].Values["cpu_ns"])
	summary, err := os.ReadFile(orders["RINGSIDE_SUMMARY"])
	require.NoError(t, err)
	assert.Equal(t, "operations=0\nerrors=0\n", string(summary))
}

func TestRefusesOrdersThatMakeNoSense(t *testing.T) {
	for missing, says := range map[string]string{
		"RINGSIDE_COUNTERS":         "the store's pods do not tell what they use: an idle phase needs their counters port (docs/reference/store-contract.md)",
		"RINGSIDE_DURATION_SECONDS": `RINGSIDE_DURATION_SECONDS is "": an idle phase needs a duration of at least 1s`,
		"RINGSIDE_HLOG":             "RINGSIDE_HLOG and RINGSIDE_SUMMARY must name the files to write, but one is empty",
	} {
		orders := map[string]string{"RINGSIDE_COUNTERS": "127.0.0.1:9", "RINGSIDE_DURATION_SECONDS": "1", "RINGSIDE_HLOG": "a", "RINGSIDE_SUMMARY": "b"}
		delete(orders, missing)
		var refused *OrdersError
		err := RunIdle(t.Context(), func(name string) string { return orders[name] })
		require.ErrorAs(t, err, &refused)
		assert.EqualError(t, err, says)
	}
}

func TestAnIdlePhaseEndsWhenItIsToldTo(t *testing.T) {
	address := restingPod(t, func(int) string { return "cpu_ns 1" })
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := watchIdle(ctx, restingPods(t, address), idleTask{duration: time.Hour}, time.Minute)
	assert.ErrorIs(t, err, context.Canceled)
}
