package meter

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
)

var order = v1beta1.ProfileOrder{Event: v1beta1.ProfileCPU, Seconds: 1}

// store returns a pod that answers each question, numbered from 1.
func profilingPod(t *testing.T, name string, answer func(question int, w http.ResponseWriter, r *http.Request)) profiledPod {
	t.Helper()
	var questions atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(int(questions.Add(1)), w, r) }))
	t.Cleanup(server.Close)
	return profiledPod{name, strings.TrimPrefix(server.URL, "http://")}
}

func giving(engine, unit, text string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Ringside-Profile-Engine", engine)
		w.Header().Set("Ringside-Profile-Unit", unit)
		_, _ = fmt.Fprint(w, text)
	}
}

func refusing(code int, line string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { http.Error(w, line, code) }
}

func taker() *profileTaker {
	t := newTaker()
	t.pause = time.Millisecond
	return t
}

func TestAddsUpWhatAllPodsGive(t *testing.T) {
	asked := ""
	one := profilingPod(t, "s-0", func(q int, w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.String()
		giving("perf_events", "ns", "worker-#;a;b 3\nmain;c 1\n")(q, w, r)
	})
	two := profilingPod(t, "s-1", func(q int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Ringside-Profile-Samples", "17")
		w.Header().Set("Ringside-Profile-Folded", "3")
		giving("ctimer", "ns", "worker-#;a;b 2\n")(q, w, r)
	})
	taken := taker().Take(t.Context(), []profiledPod{one, two}, order)
	assert.Equal(t, "GET /profile?event=cpu&seconds=1", asked)
	assert.Equal(t, profiles.Stacks{"worker-#;a;b": 5, "main;c": 1}, taken.Stacks)
	assert.Equal(t, v1beta1.Profile{Event: v1beta1.ProfileCPU, Engine: "ctimer, perf_events", Unit: "ns", Total: 6, Samples: 17, Stacks: 2, Pods: 2,
		LeftOut: []string{"s-1: its 3 smallest stacks are folded into [folded]"}}, taken.Profile)
}

func TestWhatIsNotThereIsToldAndFailsNothing(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	good := profilingPod(t, "s-0", giving("alloc", "bytes", "a;b 3\n"))
	for name, test := range map[string]struct {
		pod  profiledPod
		says string
	}{
		"a pod that cannot":          {profilingPod(t, "s-1", refusing(http.StatusNotImplemented, "no perf events here: set kernel.perf_event_paranoid=1\nmore")), "s-1: 501: no perf events here: set kernel.perf_event_paranoid=1"},
		"a pod that does not know":   {profilingPod(t, "s-1", refusing(http.StatusBadRequest, "event flood is none")), "s-1: 400: event flood is none"},
		"a pod without a word":       {profilingPod(t, "s-1", func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }), "s-1: 502 Bad Gateway"},
		"a pod that stays busy":      {profilingPod(t, "s-1", refusing(http.StatusConflict, "a profile is under way")), "s-1: busy: 409: a profile is under way"},
		"a pod that is gone":         {profiledPod{"s-1", gone.Addr().String()}, "connect: connection refused"},
		"a pod with no port":         {profiledPod{"s-1", ""}, "s-1: it has no TCP port named profile"},
		"one that counts apples":     {profilingPod(t, "s-1", giving("alloc", "apples", "a;b 1\n")), `s-1: it sampled with the unknown engine "alloc" or unit "apples"`},
		"one that counts otherwise":  {profilingPod(t, "s-1", giving("alloc", "samples", "a;b 1\n")), "s-1: it counts samples, and others count bytes"},
		"one that answers something": {profilingPod(t, "s-1", giving("alloc", "bytes", "<html>")), `s-1: line 1 is "<html>", not a stack and its count`},
		"one that sends elsewhere": {profilingPod(t, "s-1", func(_ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+good.Address, http.StatusFound)
		}), "s-1: 302: "},
		"one that breaks off": {profilingPod(t, "s-1", func(_ int, w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			giving("alloc", "bytes", "a;b 1\n")(1, w, r)
		}), "s-1: read stacks: unexpected EOF"},
		"one that says too much": {profilingPod(t, "s-1", func(_ int, w http.ResponseWriter, r *http.Request) {
			giving("alloc", "bytes", "")(1, w, r)
			for range maxAnswer>>20 + 1 {
				_, _ = fmt.Fprint(w, strings.Repeat("a;b 1\n", 1<<20/6+1))
			}
		}), "s-1: it answered more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			taken := taker().Take(t.Context(), []profiledPod{good, test.pod}, order)
			require.Len(t, taken.Profile.LeftOut, 1)
			assert.Contains(t, taken.Profile.LeftOut[0], test.says)
			assert.Equal(t, int32(1), taken.Profile.Pods)
			assert.Equal(t, profiles.Stacks{"a;b": 3}, taken.Stacks)
		})
	}
	none := taker().Take(t.Context(), nil, order)
	assert.Equal(t, v1beta1.Profile{Event: v1beta1.ProfileCPU, LeftOut: []string{"the store has no pods that could be asked"}}, none.Profile)
}

func TestAPodThatIsBusyIsAskedAgain(t *testing.T) {
	pod := profilingPod(t, "s-0", func(question int, w http.ResponseWriter, r *http.Request) {
		if question < 3 {
			refusing(http.StatusConflict, "a profile is under way")(question, w, r)
			return
		}
		giving("lock", "ns", "a;b 3\n")(question, w, r)
	})
	taken := taker().Take(t.Context(), []profiledPod{pod}, order)
	assert.Empty(t, taken.Profile.LeftOut)
	assert.Equal(t, int64(3), taken.Profile.Total)
}

func TestProfilesEndWhenTheyAreToldTo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	defer close(over)
	pod := profilingPod(t, "s-0", func(int, http.ResponseWriter, *http.Request) { cancel(); <-over })
	taken := taker().Take(ctx, []profiledPod{pod}, order)
	assert.Equal(t, []string{"s-0: context canceled"}, taken.Profile.LeftOut)
}

func TestReadsWhereThePodsAre(t *testing.T) {
	pods, err := parseProfiledPods("s-0=[fd00::1]:9406,s-1=,s-2=10.0.0.2:9406")
	require.NoError(t, err)
	assert.Equal(t, []profiledPod{{"s-0", "[fd00::1]:9406"}, {"s-1", ""}, {"s-2", "10.0.0.2:9406"}}, pods)
	pods, err = parseProfiledPods("")
	require.NoError(t, err)
	assert.Empty(t, pods)
	_, err = parseProfiledPods("10.0.0.1:9406")
	assert.EqualError(t, err, `"10.0.0.1:9406" is not pod=host:port`)
}
