package published

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	cassandra = "cassandra"
	http      = "http-store"
	udp       = "udp-echo"
)

// of returns a subject whose server and phase have no names of their own.
func of(store, server, operation string) Subject {
	return Subject{Store: store, Server: server, Type: server, Operation: operation}
}

// in returns a subject in a phase.
func in(store, server, serverType, phase string) Subject {
	return Subject{Store: store, Server: server, Type: serverType, Phase: phase, Operation: "read"}
}

func TestLaysThePublishedServerBesideItsSuccessor(t *testing.T) {
	for _, server := range []string{"disruptor", "xedin"} {
		rows := For(of(cassandra, server, "read"))
		require.Len(t, rows, 3)
		assert.Equal(t, Figure{Server: "disruptor", Operation: "read", Repeat: 2, Time: "2:25", Columns: map[string]string{
			"op_rate_mid80": "23530", "latency_median_mid80_ms": "2.1", "latency_p95_mid80_ms": "4.1", "latency_p999_mid80_ms": "23.1"}}, rows[1])
		assert.True(t, rows[1].Middle())
		assert.Equal(t, "4.1", rows[1].Value("latency_p95_ms"), "of the middle 80%")
	}
	require.Len(t, For(of(cassandra, "hsha", "write")), 1)
	assert.Equal(t, "135.6", For(of(cassandra, "hsha", "write"))[0].Value("latency_p999_ms"))
	assert.Contains(t, Setup(cassandra), "four nodes with SSDs")
}

// The published loads sent as many requests as a server could answer. They do not correspond to a phase with a given
// rate.
func TestLaysAClosedLoopBesideNoConstantRate(t *testing.T) {
	disruptor, hsha := of(cassandra, "disruptor", "read"), of(cassandra, "hsha", "read")
	disruptor.AtRate, hsha.AtRate = true, true
	assert.Empty(t, For(hsha))
	_, there := Ratio(disruptor, hsha, "op_rate")
	assert.False(t, there)
	other := of(cassandra, "threadedselector", "read")
	other.AtRate = true
	_, there = Ratio(disruptor, other, "op_rate")
	assert.False(t, there, "nor does what was said")

	get := in(http, "arrayqueue", "arrayqueue", "get")
	get.AtRate = true
	assert.Len(t, For(get), 2, "published at a rate, for that phase")
}

func TestKnowsNoFiguresForServersThatWereNotPublished(t *testing.T) {
	assert.Empty(t, For(of(cassandra, "threadpool", "read")))
	assert.Empty(t, For(of(cassandra, "hsha", "scan")))
	assert.Empty(t, For(of(cassandra, "threadedselector", "read")))
	assert.Empty(t, ServerOf(of(cassandra, "threadpool", "read")))
}

func TestLaysNothingBesideAnotherStore(t *testing.T) {
	assert.Empty(t, For(of("stub", "disruptor", "read")))
	assert.Empty(t, Setup("stub"))
	_, there := Ratio(of("stub", "disruptor", "read"), of("stub", "hsha", "read"), "op_rate")
	assert.False(t, there)
	_, there = Ratio(of(cassandra, "disruptor", "read"), of("stub", "hsha", "read"), "op_rate")
	assert.False(t, there)
}

// The published percentiles of the HTTP store: p50, p99 and p99.9 of each row, for the phase of ours with the same
// requests.
func TestFindsFiguresByPhaseAndVariant(t *testing.T) {
	for name, test := range map[string]struct {
		server, serverType, phase string
		want                      [][4]string
	}{
		"writes at 60,000/s":       {"arrayqueue", "arrayqueue", "put", [][4]string{{"1 thread", "1.07", "2.18", "2.43"}, {"4 threads", "0.811", "1.46", "1.58"}}},
		"reads at 30,000/s":        {"arrayqueue", "arrayqueue", "get", [][4]string{{"1 thread", "0.96", "1.79", "2.16"}, {"4 threads", "0.825", "1.55", "1.76"}}},
		"all keys there":           {"arrayqueue", "arrayqueue", "hits", [][4]string{{"4 threads", "0.825", "1.55", "1.76"}}},
		"most keys missing":        {"arrayqueue", "arrayqueue", "misses", [][4]string{{"4 threads", "1.21", "27.34", "122.18"}}},
		"under a second name":      {"arrayqueue-again", "arrayqueue", "misses", [][4]string{{"4 threads", "1.21", "27.34", "122.18"}}},
		"256 workers":              {"arrayqueue-256", "arrayqueue", "hits", [][4]string{{"4 threads", "1.12", "2.32", "2.68"}}},
		"256 workers, keys miss":   {"arrayqueue-256", "arrayqueue", "misses", nil},
		"another number of them":   {"arrayqueue-64", "arrayqueue", "hits", nil},
		"another way to them":      {"virtual", "virtual", "hits", nil},
		"a sweep over connections": {"arrayqueue", "arrayqueue", "read", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got [][4]string
			for _, figure := range For(in(http, test.server, test.serverType, test.phase)) {
				assert.False(t, figure.Middle())
				got = append(got, [4]string{figure.Label, figure.Value("latency_median_ms"), figure.Value("latency_p99_ms"), figure.Value("latency_p999_ms")})
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAStoresFiguresJoinByAFile(t *testing.T) {
	const other = "{store: ledger, setup: one machine, servers: {quick: quick}, figures: [{server: quick, operation: put, repeat: 1, columns: {op_rate: \"7\"}}]}"
	files := fstest.MapFS{"ledger.yaml": {Data: []byte(other)}, "another.yaml": {Data: []byte("{store: toy, setup: two}")}}
	comparisons, err := read(files)
	require.NoError(t, err)
	assert.Equal(t, "one machine", comparisons["ledger"].Setup)
	assert.Equal(t, "7", comparisons["ledger"].Figures[0].Value("op_rate"))
	assert.Equal(t, "two", comparisons["toy"].Setup)

	files["twice.yaml"] = files["ledger.yaml"]
	_, err = read(files)
	assert.ErrorContains(t, err, `store "ledger" is empty, or another file's`)
}

func TestGivesThePublishedRatios(t *testing.T) {
	workers := func(server, phase string) Subject { return in(http, server, "arrayqueue", phase) }
	for name, test := range map[string]struct {
		of, to Subject
		metric string
		want   float64
		there  bool
	}{
		"writes":                       {of(cassandra, "disruptor", "write"), of(cassandra, "hsha", "write"), "op_rate", 1.750, true},
		"reads over their repeats":     {of(cassandra, "xedin", "read"), of(cassandra, "hsha", "read"), "op_rate", 2.932, true},
		"the other way round":          {of(cassandra, "hsha", "write"), of(cassandra, "disruptor", "write"), "op_rate", 0.572, true},
		"a latency":                    {of(cassandra, "disruptor", "write"), of(cassandra, "hsha", "write"), "latency_p999_ms", 0.614, true},
		"said in words":                {of(cassandra, "disruptor", "read"), of(cassandra, "threadedselector", "read"), "op_rate", 1.5, true},
		"said the other way round":     {of(cassandra, "threadedselector", "write"), of(cassandra, "xedin", "write"), "op_rate", 0.667, true},
		"no latency was said":          {of(cassandra, "disruptor", "read"), of(cassandra, "threadedselector", "read"), "latency_p95_ms", 0, false},
		"never set beside each other":  {of(cassandra, "threadedselector", "read"), of(cassandra, "hsha", "read"), "op_rate", 0, false},
		"one server under two names":   {of(cassandra, "xedin", "read"), of(cassandra, "disruptor", "read"), "op_rate", 0, false},
		"a server that was not in it":  {of(cassandra, "threadpool", "read"), of(cassandra, "hsha", "read"), "op_rate", 0, false},
		"a metric that was not in it":  {of(cassandra, "disruptor", "read"), of(cassandra, "hsha", "read"), "latency_p99_ms", 0, false},
		"an operation that was not in": {of(cassandra, "disruptor", "scan"), of(cassandra, "hsha", "scan"), "op_rate", 0, false},
		"256 workers to 16":            {workers("arrayqueue-256", "hits"), workers("arrayqueue", "hits"), "latency_p99_ms", 1.497, true},
		"256 workers, keys miss":       {workers("arrayqueue-256", "misses"), workers("arrayqueue", "misses"), "latency_p99_ms", 0, false},
		"256 workers, a rate as asked": {workers("arrayqueue-256", "hits"), workers("arrayqueue", "hits"), "op_rate", 0, false},
		"words without a ratio":        {in(udp, "disruptor-busyspin", "disruptor-busyspin", "echo"), in(udp, "disruptor-sleeping", "disruptor-sleeping", "echo"), "op_rate", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			ratio, there := Ratio(test.of, test.to, test.metric)
			assert.Equal(t, test.there, there)
			assert.InDelta(t, test.want, ratio, 0.001)
		})
	}
}

func TestGivesWhatWasPublishedInWords(t *testing.T) {
	said := func(of, beside Subject) []string {
		var words []string
		for _, saying := range Said(of, beside) {
			words = append(words, saying.About())
		}
		return words
	}
	assert.Equal(t, []string{`disruptor against threadedselector has about 1.5 times the throughput and half the latency ("2x"; which percentile was not said)`},
		said(of(cassandra, "xedin", "read"), of(cassandra, "threadedselector", "read")))
	assert.Empty(t, said(of(cassandra, "hsha", "read"), of(cassandra, "threadedselector", "read")))
	assert.Empty(t, said(of(cassandra, "threadpool", "read"), of(cassandra, "nonblocking", "read")))
	sleeping := func(phase string) Subject { return in(udp, "disruptor-sleeping", "disruptor-sleeping", phase) }
	assert.Equal(t, []string{"disruptor: 4 to 6% CPU a core at rest"}, said(sleeping("idle"), sleeping("idle")))
	assert.Equal(t, []string{"disruptor: steady percentiles 50 and 99; above 4 client threads the 99th rises, as requests queue"}, said(sleeping("echo"), sleeping("echo")))
	assert.Equal(t, []string{"arrayqueue, 256 workers against arrayqueue has lower latency in the text, and a higher one at every percentile of its own table"},
		said(in(http, "arrayqueue", "arrayqueue", "hits"), in(http, "arrayqueue-256", "arrayqueue", "hits")))
}
