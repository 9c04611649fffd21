package meter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/profiles"
)

type metricFamily = dto.MetricFamily

func TestReadsItsOrders(t *testing.T) {
	env := map[string]string{
		"RINGSIDE_NAMESPACE": "ringside", "RINGSIDE_MEASUREMENT": "m", "RINGSIDE_ATTEMPT": "2", "JOB_COMPLETION_INDEX": "3",
		"POD_NAME": "m-a2-3-x", "NODE_NAME": "node-1", "RINGSIDE_SCRATCH": "/scratch", "RINGSIDE_SOCKET": "/ringside/socket",
	}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	c, err := ConfigFromEnvironment(lookup)
	require.NoError(t, err)
	assert.Equal(t, Config{
		Namespace: "ringside", Measurement: "m", Attempt: 2, Index: 3, Pod: "m-a2-3-x", Node: "node-1", Scratch: "/scratch", Socket: "/ringside/socket",
		Listen: ":9400", Linger: 40 * time.Second, TerminationLog: "/dev/termination-log",
	}, c)
	for name, test := range map[string]struct{ variable, value, want string }{
		"no namespace":     {"RINGSIDE_NAMESPACE", "", "RINGSIDE_NAMESPACE is not set"},
		"no attempt":       {"RINGSIDE_ATTEMPT", "", "RINGSIDE_ATTEMPT is not set"},
		"attempt zero":     {"RINGSIDE_ATTEMPT", "0", `RINGSIDE_ATTEMPT is "0", not a number of at least 1`},
		"garbage index":    {"JOB_COMPLETION_INDEX", "first", `JOB_COMPLETION_INDEX is "first"`},
		"negative lingers": {"RINGSIDE_LINGER_SECONDS", "-1", `RINGSIDE_LINGER_SECONDS is "-1"`},
	} {
		before := env[test.variable]
		env[test.variable] = test.value
		_, err := ConfigFromEnvironment(lookup)
		assert.ErrorContains(t, err, test.want, name)
		env[test.variable] = before
		if before == "" {
			delete(env, test.variable)
		}
	}
}

func TestReconcilesLogToolAndOrders(t *testing.T) {
	share := orders.Share{Operations: 1000}
	told := func(operations, errors int64) summary {
		return summary{operations: operations, errors: errors, told: true}
	}
	unknown := func(n int64) []v1beta1.ErrorCount {
		return []v1beta1.ErrorCount{{Kind: v1beta1.ErrorUnknown, Count: n}}
	}
	kinds := func(refused, timedOut int64) map[v1beta1.ErrorKind]int64 {
		return map[v1beta1.ErrorKind]int64{v1beta1.ErrorTimedOut: timedOut, v1beta1.ErrorRefused: refused, v1beta1.ErrorWrong: 0}
	}
	for name, test := range map[string]struct {
		logged int64
		told   summary
		share  orders.Share
		want   Counts
	}{
		"all agree":                   {1000, told(1000, 0), share, Counts{Operations: 1000}},
		"the log holds failures":      {1000, summary{operations: 900, errors: 100, loggedErrors: 100, told: true}, share, Counts{Operations: 900, Errors: 100, ErrorsByKind: unknown(100)}},
		"the log leaves failures out": {900, told(900, 100), share, Counts{Operations: 900, Errors: 100, ErrorsByKind: unknown(100)}},
		"the tool says nothing":       {1000, summary{}, share, Counts{Operations: 1000}},
		"the log holds some failures": {960, summary{operations: 900, errors: 100, loggedErrors: 60, told: true}, share, Counts{Operations: 900, Errors: 100, ErrorsByKind: unknown(100)}},
		"keys are passed on":          {1000, summary{operations: 1000, keys: 5000, told: true}, share, Counts{Operations: 1000, Keys: 5000}},
		"some were given up":          {990, summary{operations: 990, notBegun: 10, told: true}, orders.Share{DurationSeconds: 10}, Counts{Operations: 990, NotBegun: 10}},
		"bounded by time":             {1234, told(1234, 0), orders.Share{DurationSeconds: 10}, Counts{Operations: 1234}},
		"every operation has an outcome": {900, summary{operations: 900, unanswered: 90, errors: 10, outcomes: map[string]int64{"hit": 800, "miss": 100, "lost": 90}, told: true}, share,
			Counts{Operations: 900, Errors: 10, ErrorsByKind: unknown(10), Unanswered: 90, Outcomes: []v1beta1.Outcome{{Name: "hit", Count: 800}, {Name: "lost", Count: 90}, {Name: "miss", Count: 100}}}},
		"an operation without an outcome": {1000, summary{operations: 1000, outcomes: map[string]int64{"hit": 999}, told: true}, share, Counts{Operations: 1000,
			Outcomes: []v1beta1.Outcome{{Name: "hit", Count: 999}}, Doubt: "the load tool's outcomes sum to 999 operations, but it counted 1000 answered and 0 unanswered"}},
		"no answer and no outcome": {990, summary{operations: 990, unanswered: 10, told: true}, share, Counts{Operations: 990, Unanswered: 10,
			Doubt: "the load tool's outcomes sum to 0 operations, but it counted 990 answered and 10 unanswered"}},
		"fewer than asked for, some lost": {900, summary{operations: 900, unanswered: 90, outcomes: map[string]int64{"hit": 900, "lost": 90}, told: true}, share, Counts{Operations: 900, Unanswered: 90,
			Outcomes: []v1beta1.Outcome{{Name: "hit", Count: 900}, {Name: "lost", Count: 90}}, Doubt: "1000 operations were ordered, 900 were answered and 0 failed, and 90 neither"}},
		"every failed operation has a kind": {985, summary{operations: 985, errors: 15, errorKinds: kinds(3, 12), told: true}, share, Counts{Operations: 985, Errors: 15,
			ErrorsByKind: []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 12}}}},
		"a failed operation without a kind": {985, summary{operations: 985, errors: 15, errorKinds: kinds(3, 11), told: true}, share, Counts{Operations: 985, Errors: 15,
			ErrorsByKind: []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 11}},
			Doubt:        "the load tool reports reasons of 14 failed operations, but it counted 15"}},
		"the log lost some":             {990, told(1000, 0), share, Counts{Operations: 990, Doubt: "the log has 990 operations, but the load tool counted 1000 answered and 0 failed, of which it logged 0"}},
		"fewer than asked for":          {990, told(990, 3), share, Counts{Operations: 990, Errors: 3, ErrorsByKind: unknown(3), Doubt: "1000 operations were ordered, 990 were answered and 3 failed"}},
		"more than asked for, no word":  {1001, summary{}, share, Counts{Operations: 1001, Doubt: "1000 operations were ordered, 1001 were answered and 0 failed"}},
		"the tool counts more and less": {1000, told(950, 20), share, Counts{Operations: 1000, Errors: 20, ErrorsByKind: unknown(20), Doubt: "the log has 1000 operations, but the load tool counted 950 answered and 20 failed, of which it logged 0"}},
	} {
		assert.Equal(t, test.want, reconcile(test.logged, test.told, test.share), name)
	}
}

func TestReadsTheToolsSummary(t *testing.T) {
	alone := []string{""}
	s, err := parseSummary("# by load\noperations = 12\nerrors=3\n\nkeys=60\nlogged_errors=2\n", alone)
	require.NoError(t, err)
	assert.Equal(t, summary{operations: 12, errors: 3, keys: 60, loggedErrors: 2, told: true}, s[""])
	s, err = parseSummary("operations=12\nnot_begun=5\n", alone)
	require.NoError(t, err)
	assert.Equal(t, summary{operations: 12, notBegun: 5, told: true}, s[""])
	s, err = parseSummary("operations=12\noutcome.hit=10\noutcome.miss=2\nunanswered=3\noutcome.lost=3\n", alone)
	require.NoError(t, err)
	assert.Equal(t, summary{operations: 12, unanswered: 3, outcomes: map[string]int64{"hit": 10, "miss": 2, "lost": 3}, told: true}, s[""])
	s, err = parseSummary("operations=12\nerrors=3\nerror.timed-out=2\nerror.refused=1\n", alone)
	require.NoError(t, err)
	assert.Equal(t, summary{operations: 12, errors: 3, errorKinds: map[v1beta1.ErrorKind]int64{v1beta1.ErrorTimedOut: 2, v1beta1.ErrorRefused: 1}, told: true}, s[""])
	for _, bad := range []string{"error.tired=1", "error.=1", "error.refused=-1", "error.refused=some", "outcome.Hit=1", "outcome.=1", "hsha.outcome.hit=1", "outcome.hit=some", "operations", "operations=many", "errors=-1", "flavour=mint", "hsha.operations=1"} {
		_, err := parseSummary(bad, alone)
		assert.ErrorContains(t, err, "the load's summary", bad)
	}
	shared, err := openFolder(t.TempDir())
	require.NoError(t, err)
	defer shared.close()
	s, err = readSummary(shared, alone)
	require.NoError(t, err)
	assert.False(t, s[""].told)
}

func TestReadsTheStepsOfASearch(t *testing.T) {
	const first, second = "rate=400 operations=100 errors=0 unanswered=0 nanos=19500000 kept=1", "rate=800 operations=90 errors=3 unanswered=2 not_begun=7 nanos=81000000 kept=0"
	s, err := parseSummary("hsha.operations=190\nhsha.errors=3\nhsha.unanswered=2\nhsha.outcome.lost=2\nhsha.outcome.hit=190\nhsha.step.2="+second+"\nhsha.step.1="+first+
		"\nhsha.capacity=566\nhsha.settled=0\n", []string{"hsha", "xedin"})
	require.NoError(t, err)
	counts := reconcile(190, s["hsha"], orders.Share{DurationSeconds: 60})
	assert.Empty(t, counts.Doubt)
	assert.Equal(t, &v1beta1.Capacity{Rate: 566, Steps: []v1beta1.CapacityStep{
		{Rate: 400, Operations: 100, PercentileMillis: "19.500", Kept: true}, {Rate: 800, Operations: 90, Errors: 3, Unanswered: 2, NotBegun: 7, PercentileMillis: "81.000"},
	}}, counts.Capacity)
	assert.Nil(t, reconcile(0, s["xedin"], orders.Share{DurationSeconds: 60}).Capacity)

	s, err = parseSummary("operations=100\nstep.1="+first+"\nstep.3="+first+"\n", []string{""})
	require.NoError(t, err)
	assert.Equal(t, "the load tool reports 2 steps, but step 2 is missing", reconcile(100, s[""], orders.Share{DurationSeconds: 60}).Doubt)
	s, err = parseSummary("operations=120\nstep.1="+first+"\n", []string{""})
	require.NoError(t, err)
	assert.Equal(t, "the load tool's steps have 100 operations, but it counted 120", reconcile(120, s[""], orders.Share{DurationSeconds: 60}).Doubt)
	for _, bad := range []string{"step.0=" + first, "step.x=" + first, "step.1=rate=400", "step.1=" + first + " colour=3", "step.1=rate=many " + first, "step.1001=" + first} {
		_, err := parseSummary(bad, []string{""})
		assert.ErrorContains(t, err, "the load's summary", bad)
	}
}

func TestReadsWhatBecameOfTheQueueInAStep(t *testing.T) {
	const step = "rate=400 operations=100 errors=0 unanswered=0 nanos=19500000 kept=1"
	_, got, err := parseStep("1", step+" queue_samples=97 growth=-3.1 growth_least=-12.0 growth_most=5.8")
	require.NoError(t, err)
	assert.Equal(t, v1beta1.CapacityStep{Rate: 400, Operations: 100, PercentileMillis: "19.500", Kept: true,
		QueueSamples: 97, QueueGrowth: "-3.1", QueueGrowthLeast: "-12.0", QueueGrowthMost: "5.8"}, got)
	_, got, err = parseStep("1", step+" queue_samples=3")
	require.NoError(t, err)
	assert.Equal(t, int64(3), got.QueueSamples, "too few for a trend")
	assert.Empty(t, got.QueueGrowth)
	for _, bad := range []string{" queue_samples=-1", " queue_samples=some", " growth=NaN", " growth_least=+Inf", " growth_most="} {
		_, _, err := parseStep("1", step+bad)
		assert.ErrorContains(t, err, "not what became of a queue", bad)
	}
}

func TestReadsTheSummaryOfALoadThatGoesRound(t *testing.T) {
	arms := []string{"hsha", "hsha-again", "hsha@hsha-again"}
	s, err := parseSummary("hsha.operations=12\nhsha.errors=3\nhsha-again.operations=60\nhsha.logged_errors=2\nhsha@hsha-again.operations=1\n"+
		"hsha.outcome.hit=12\nhsha.error.broken=3\n", arms)
	require.NoError(t, err)
	assert.Equal(t, map[string]summary{
		"hsha": {operations: 12, errors: 3, loggedErrors: 2, outcomes: map[string]int64{"hit": 12},
			errorKinds: map[v1beta1.ErrorKind]int64{v1beta1.ErrorBroken: 3}, told: true}, "hsha-again": {operations: 60, told: true}, "hsha@hsha-again": {operations: 1, told: true},
	}, s)
	for _, bad := range []string{"operations=1", "disruptor.operations=1", "hsha.flavour=1", "disruptor.outcome.hit=1", "outcome.hit=1"} {
		_, err := parseSummary(bad, arms)
		assert.ErrorContains(t, err, "has the unknown name", bad)
	}
}

const bookkept = "recovery.first_micros=2100000\nrecovery.all_micros=2200000\nrecovery.sent=1000\nrecovery.acknowledged=990\nrecovery.kept=600\n" +
	"recovery.lost=300\nrecovery.refused=90\nrecovery.wrong=0\n"

func TestReadsWhatALoadTellsOfAStoreThatWasKilled(t *testing.T) {
	told, err := parseSummary("operations=990\nerrors=0\n"+bookkept, []string{""})
	require.NoError(t, err)
	s := told[""]
	assert.Equal(t, &v1beta1.Recovery{FirstMicros: 2_100_000, AllMicros: 2_200_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}, s.recovery.found())
	assert.Empty(t, s.recovery.doubt())
	told, err = parseSummary("operations=990\n", []string{""})
	require.NoError(t, err)
	s = told[""]
	assert.Nil(t, s.recovery.found())
	assert.Empty(t, s.recovery.doubt())
}

func TestDoubtsBooksThatDoNotComeOutEven(t *testing.T) {
	for name, test := range map[string]struct{ change, to, says string }{
		"a missing word":                {"recovery.lost=300\n", "", "the load tool tells of a recovery, and not its lost"},
		"points that nobody has":        {"lost=300", "lost=299", "the books of a recovery do not come out even: 1000 sent, 990 acknowledged, of them 600 kept, 299 lost, 90 refused, 0 wrong; back after 2100000 to 2200000 µs"},
		"more than was sent":            {"sent=1000", "sent=900", "the books of a recovery do not come out even: 900 sent"},
		"all are back before the first": {"all_micros=2200000", "all_micros=1", "back after 2100000 to 1 µs"},
	} {
		t.Run(name, func(t *testing.T) {
			told, err := parseSummary(strings.Replace(bookkept, test.change, test.to, 1), []string{""})
			require.NoError(t, err)
			s := told[""]
			assert.Contains(t, s.recovery.doubt(), test.says)
		})
	}
	for line, says := range map[string]string{
		"recovery.lost=-1":  `the load's summary says "recovery.lost=-1", not a count`,
		"recovery.found=12": `the load's summary has "recovery.found", but for a recovery it may have acknowledged, all_micros, first_micros, kept, lost, refused, sent, wrong`,
	} {
		_, err := parseSummary(line, []string{""})
		assert.EqualError(t, err, says)
	}
}

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
