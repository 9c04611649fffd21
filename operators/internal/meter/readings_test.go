package meter

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// countingStore answers the questions that have an answer, and passes the number of the question to it.
func countingStore(t *testing.T, answers map[string]func(asked int) string) string {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		request := make([]byte, 100)
		asked := map[string]int{}
		for {
			n, from, err := socket.ReadFrom(request)
			if err != nil {
				return
			}
			question, id, _ := strings.Cut(string(request[:n]), " ")
			asked[question]++
			if answer := answers[question]; answer != nil {
				_, _ = socket.WriteTo([]byte("id "+id+"\n"+answer(asked[question])), from)
			}
		}
	}()
	return socket.LocalAddr().String()
}

func growing(asked int) string {
	return fmt.Sprintf("cpu_ns %d\nput_bytes %d\nwritten_bytes %d\n", asked, 1000*asked, 5000*asked)
}

func TestReadsWhatTheStoreWroteBeforeAndAfterTheLoad(t *testing.T) {
	t.Parallel()
	address := countingStore(t, map[string]func(int) string{"counters": growing, "sizes": func(int) string { return "live_bytes 40\ndisk_bytes 60\nopen_files 3\n" }})
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "until", "RINGSIDE_COUNTERS="+address)
	require.Eventually(t, func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartRunning }, patience, followEvery)
	assert.Nil(t, api.last(t).StoreReadings, "half of it says nothing")
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600))
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Equal(t, &v1beta1.StoreReadings{
		Before: map[string]int64{"put_bytes": 1000, "written_bytes": 5000},
		After:  map[string]int64{"put_bytes": 2000, "written_bytes": 10_000},
		Sizes:  map[string]int64{"live_bytes": 40, "disk_bytes": 60},
	}, api.last(t).StoreReadings)
}

func TestALoadIsDeliveredWhateverTheStoreTells(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers map[string]func(int) string
		want    *v1beta1.StoreReadings
	}{
		"nothing":  {nil, nil},
		"no bytes": {map[string]func(int) string{"counters": func(int) string { return "cpu_ns 7\n" }}, nil},
		"nothing after the start": {map[string]func(int) string{"counters": func(asked int) string {
			if asked > 1 {
				return "broken"
			}
			return growing(asked)
		}}, nil},
		"no sizes": {map[string]func(int) string{"counters": growing}, &v1beta1.StoreReadings{
			Before: map[string]int64{"put_bytes": 1000, "written_bytes": 5000}, After: map[string]int64{"put_bytes": 2000, "written_bytes": 10_000},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, test.answers))
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.Equal(t, int64(1000), part.Operations)
			assert.Empty(t, part.Message)
			assert.Equal(t, test.want, part.StoreReadings)
		})
	}
}

// The reading is a part of the time between the announcement of a start and the start, at which several load pods begin together.
func TestASilentStoreDelaysNoCommonStart(t *testing.T) {
	t.Parallel()
	for pods, longest := range map[int32]time.Duration{1: readingPatience + time.Second/2, 2: 400 * time.Millisecond} {
		m := startedMeasurement()
		at := metav1.NewMicroTime(time.Now().Add(200 * time.Millisecond))
		m.Spec.Pods, m.Spec.Faults, m.Status.StartAt = pods, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}, &at
		r := run{measurement: m, config: Config{Counters: []string{countingStore(t, nil), countingStore(t, nil)}}}
		began := time.Now()
		r.readBefore(t.Context())
		assert.Less(t, time.Since(began), longest, "%d load pods", pods)
	}
}
