package meter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/profiles"
)

// storePod returns a profile and calls then.
func storePod(t *testing.T, then func()) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Ringside-Profile-Engine", "ctimer")
		w.Header().Set("Ringside-Profile-Unit", "ns")
		_, _ = fmt.Fprintf(w, "worker-#;%s;%s 7\n", r.FormValue("event"), r.FormValue("seconds"))
		then()
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func profiled(warmup int32) *v1beta1.Measurement {
	m := startedMeasurement()
	m.Spec.Profile = &v1beta1.ProfileOrder{Event: v1beta1.ProfileCPU, WarmupSeconds: warmup, Seconds: 1}
	return m
}

func TestTakesAProfileWhileTheLoadGoesOn(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, profiled(0))
	scratch := make(chan string, 1)
	address := storePod(t, func() { assert.NoError(t, os.WriteFile(filepath.Join(<-scratch, "end"), nil, 0o600)) })
	p := startPod(t, api.URL, "until", "RINGSIDE_PROFILERS=s-0="+address+",s-1=")
	scratch <- p.scratch
	require.Equal(t, orders.ExitDone, p.wait(t))
	part := api.last(t)
	assert.Equal(t, v1beta1.PartDone, part.State)
	assert.Equal(t, int64(1000), part.Operations, "the load is one as any other")
	require.NotNil(t, part.Profile)
	require.Len(t, part.Profile.Chunks, 1)
	assert.Regexp(t, "^quorum-disruptor-r1-read-2-a1-p0-log-1-[0-9a-f]{16}$", part.Profile.Chunks[0], "named as the logs are, which is all that a load pod may store")
	taken, err := profiles.Unpack(api.logs[part.Profile.Chunks[0]].BinaryData[measure.LogKey])
	require.NoError(t, err)
	assert.Equal(t, profiles.Stacks{"worker-#;cpu;1": 7}, taken)
	part.Profile.Chunks = nil
	assert.Equal(t, &v1beta1.Profile{Event: v1beta1.ProfileCPU, Engine: "ctimer", Unit: "ns", Total: 7, Stacks: 1, Pods: 1,
		LeftOut: []string{"s-1: it has no TCP port named profile"}}, part.Profile)
	require.Len(t, part.Logs, 1)
}

func TestALoadIsDeliveredWithoutItsProfile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		measurement *v1beta1.Measurement
		environ     []string
		says        []string
	}{
		"it ended too early": {profiled(600), []string{"RINGSIDE_PROFILERS=s-0=127.0.0.1:1"}, []string{"the load ended before the recording began"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, test.measurement)
			p := startPod(t, api.URL, "", test.environ...)
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			require.NotNil(t, part.Profile)
			assert.Equal(t, v1beta1.Profile{Event: v1beta1.ProfileCPU, LeftOut: test.says}, *part.Profile)
			assert.Len(t, part.Logs, 1)
		})
	}
}

func TestOnlyTheFirstOfSeveralLoadPodsTakesTheProfile(t *testing.T) {
	t.Parallel()
	m := profiled(0)
	m.Spec.Pods = 2
	api := newFakeAPI(t, m)
	p := startPod(t, api.URL, "", "JOB_COMPLETION_INDEX=1", "RINGSIDE_PROFILERS=s-0=127.0.0.1:1")
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Nil(t, api.last(t).Profile)
}
