package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVary_isCheckedAgainstTheChartBeforeAnythingStarts(t *testing.T) {
	const seeValues = ": see charts/cassandra-cql/values.yaml"
	for name, test := range map[string]struct {
		vary              []string
		servers, baseline string
		says              string
	}{
		"a setting that is misspelt": {[]string{"cassandra.concurent_reads=16,32"}, "", "",
			"store.values do not fit chart cassandra-cql: at '/cassandra': additional properties 'concurent_reads' not allowed; cassandra.concurent_reads, did you mean concurrent_reads?" + seeValues},
		"a value of another type": {[]string{"cassandra.concurrent_reads=16,many"}, "", "",
			"store.values do not fit chart cassandra-cql: at '/cassandra/concurrent_reads': got string, want integer" + seeValues},
		"a type that is none": {[]string{"type=v50,v50-zcg"}, "", "",
			`store cassandra-cql has no server "v50-zcg": choose from v41, v41-cms, v50, v50-java11, v50-trie, v50-bti, v50-zgc, v50-shenandoah; did you mean v50-zgc?`},
		"a value that the store does not use": {[]string{"variants.v41.collector=G1,CMS"}, "", "",
			"servers collector-g1 and collector-cms have different values, but install the same store: use values that chart cassandra-cql reads for type v50, and that differ"},
		"a baseline that is none": {[]string{"cassandra.concurrent_reads=16,32"}, "", "concurrent-reads-61",
			`spec.baseline is "concurrent-reads-61", but no server has that name: choose from concurrent-reads-16, concurrent-reads-32; did you mean concurrent-reads-16?`},
		"several servers": {[]string{"cassandra.concurrent_reads=16,32"}, "v50,v41", "",
			"--vary varies one server, but --server names several: v50,v41: name the server that the others are like"},
	} {
		t.Run(name, func(t *testing.T) {
			c := shipped()
			c.vary, c.servers, c.baseline = test.vary, test.servers, test.baseline
			_, err := c.prepare(t.Context(), "cassandra-setting")
			require.Error(t, err)
			assert.Equal(t, test.says, strings.ReplaceAll(err.Error(), house, ""))
			assert.Equal(t, exitBadInput, exitCode(err))
		})
	}
}

func TestVary_summaryReportsWhatIsVaried(t *testing.T) {
	c := shipped()
	c.vary, c.servers = []string{"cassandra.concurrent_reads=16,32"}, "v50-zgc"
	p, err := c.prepare(t.Context(), "cassandra-setting")
	require.NoError(t, err)
	assert.Equal(t, "cassandra-setting on cassandra-cql: concurrent-reads-16 (baseline), concurrent-reads-16-again, concurrent-reads-32; "+
		"fill 1000000 ops, warm 1m0s, mixed 2m0s, mixed-rate 2m0s; rounds 5; 60 measurements\n"+
		"varied: cassandra.concurrent_reads=16,32 of server v50-zgc, on fresh stores in turn", p.summary())
	for _, server := range p.experiment.Spec.Servers {
		assert.Equal(t, "v50-zgc", server.ServerType(), server.Name)
	}
	assert.Empty(t, p.other, "a server to add")
}
