package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAValueThatNobodyKnowsIsAnsweredWithTheNearest(t *testing.T) {
	chart, err := NewCatalogue("../../../charts").Open("cassandra")
	require.NoError(t, err)
	cql, err := NewCatalogue("../../../charts").Open("cassandra-cql")
	require.NoError(t, err)
	_, err = cql.Settle(map[string]any{"cassandra": map[string]any{"concurent_reads": 64}})
	assert.ErrorContains(t, err, "cassandra.concurent_reads, did you mean concurrent_reads?", "its settings depend on the servers")
	for name, test := range map[string]struct {
		values map[string]any
		says   string
	}{
		"a misspelt setting":     {map[string]any{"cassandra": map[string]any{"concurent_reads": 64}}, "'concurent_reads' not allowed; cassandra.concurent_reads, did you mean concurrent_reads?"},
		"a setting of 4.1":       {map[string]any{"cassandra": map[string]any{"compaction_throughput": "64MiB/s"}}, "cassandra.compaction_throughput, did you mean compaction_throughput_mb_per_sec?"},
		"a timeout of 4.1":       {map[string]any{"cassandra": map[string]any{"read_request_timeout": "5s"}}, "cassandra.read_request_timeout, did you mean read_request_timeout_in_ms?"},
		"a value":                {map[string]any{"replicationfactor": 3}, "replicationfactor, did you mean replicationFactor?"},
		"a value within another": {map[string]any{"heap": map[string]any{"maximum": "1G"}}, "additional properties 'maximum' not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := chart.Settle(test.values)
			require.ErrorContains(t, err, test.says)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
	_, err = chart.Settle(map[string]any{"heap": map[string]any{"maximum": "1G"}})
	assert.NotContains(t, err.Error(), "did you mean", "nothing is similar")
	_, err = chart.Settle(map[string]any{"cassandra": map[string]any{"concurrent_reads": "64"}})
	assert.ErrorContains(t, err, "at '/cassandra/concurrent_reads': got string, want integer")
	assert.NotContains(t, err.Error(), "did you mean", "it is known")
}
