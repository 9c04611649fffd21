package published

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const store = "cassandra"

func TestLaysThePublishedServerBesideItsSuccessor(t *testing.T) {
	for _, server := range []string{"disruptor", "xedin"} {
		rows := For(store, server, "read")
		require.Len(t, rows, 3)
		assert.Equal(t, Figure{"disruptor", "read", 2, "23530", "2.1", "4.1", "23.1", "2:25"}, rows[1])
	}
	require.Len(t, For(store, "hsha", "write"), 1)
	assert.Equal(t, "135.6", For(store, "hsha", "write")[0].P999Millis)
	assert.Contains(t, Setup(store), "four nodes with SSDs")
}

func TestKnowsNoFiguresForServersThatWereNotPublished(t *testing.T) {
	assert.Empty(t, For(store, "threadpool", "read"))
	assert.Empty(t, For(store, "hsha", "scan"))
	assert.Empty(t, For(store, "threadedselector", "read"))
	assert.Empty(t, ServerOf(store, "threadpool"))
}

func TestLaysNothingBesideAnotherStore(t *testing.T) {
	assert.Empty(t, For("stub", "disruptor", "read"))
	assert.Empty(t, Setup("stub"))
	_, there := Ratio("stub", "disruptor", "hsha", "read", "op_rate")
	assert.False(t, there)
}

func TestAStoresFiguresJoinByAFile(t *testing.T) {
	const other = "{store: ledger, setup: one machine, serverTypes: {quick: quick}, figures: [{server: quick, operation: put, repeat: 1, opRate: \"7\"}]}"
	files := fstest.MapFS{"ledger.yaml": {Data: []byte(other)}, "another.yaml": {Data: []byte("{store: toy, setup: two}")}}
	comparisons, err := read(files)
	require.NoError(t, err)
	assert.Equal(t, "one machine", comparisons["ledger"].Setup)
	assert.Equal(t, "7", comparisons["ledger"].Figures[0].OpRate)
	assert.Equal(t, "two", comparisons["toy"].Setup)

	files["twice.yaml"] = files["ledger.yaml"]
	_, err = read(files)
	assert.ErrorContains(t, err, `store "ledger" is empty, or another file's`)
}

func TestGivesThePublishedRatios(t *testing.T) {
	for name, test := range map[string]struct {
		server, base, operation, metric string
		want                            float64
		there                           bool
	}{
		"writes":                       {"disruptor", "hsha", "write", "op_rate", 1.750, true},
		"reads over their repeats":     {"xedin", "hsha", "read", "op_rate", 2.932, true},
		"the other way round":          {"hsha", "disruptor", "write", "op_rate", 0.572, true},
		"a latency":                    {"disruptor", "hsha", "write", "latency_p999_ms", 0.614, true},
		"said in words":                {"disruptor", "threadedselector", "read", "op_rate", 1.5, true},
		"said the other way round":     {"threadedselector", "xedin", "write", "op_rate", 0.667, true},
		"no latency was said":          {"disruptor", "threadedselector", "read", "latency_p95_ms", 0, false},
		"never set beside each other":  {"threadedselector", "hsha", "read", "op_rate", 0, false},
		"one server under two names":   {"xedin", "disruptor", "read", "op_rate", 0, false},
		"a server that was not in it":  {"threadpool", "hsha", "read", "op_rate", 0, false},
		"a metric that was not in it":  {"disruptor", "hsha", "read", "latency_p99_ms", 0, false},
		"an operation that was not in": {"disruptor", "hsha", "scan", "op_rate", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			ratio, there := Ratio(store, test.server, test.base, test.operation, test.metric)
			assert.Equal(t, test.there, there)
			assert.InDelta(t, test.want, ratio, 0.001)
		})
	}
	assert.Contains(t, Said(store, "xedin", "threadedselector").Words, "half the latency")
	assert.Nil(t, Said(store, "hsha", "threadedselector"))
	assert.Nil(t, Said(store, "threadpool", "nonblocking"))
}
