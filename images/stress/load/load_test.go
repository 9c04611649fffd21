package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/images/internal/cqltest"
	"ringside.dev/ringside/images/internal/loadorders"
	"ringside.dev/ringside/images/internal/loadorders/orderstest"
	"ringside.dev/ringside/images/internal/loadtool"
	"ringside.dev/ringside/images/internal/serverclient"
	"ringside.dev/ringside/images/internal/thrifttest"
)

func environment(changes map[string]string) func(string) string {
	return orderstest.Environment(map[string]string{"RINGSIDE_ENDPOINTS": "10.0.0.1:9160,10.0.0.2:9160", "RINGSIDE_SERVER_TYPE": "disruptor"}, changes)
}

func commandLine(t *testing.T, changes map[string]string) string {
	t.Helper()
	o, err := readOrders(environment(changes))
	require.NoError(t, err)
	_, command, found := strings.Cut(strings.Join(toolArguments(o), " "), "org.apache.cassandra.stress.Stress ")
	require.True(t, found)
	return command
}

const profileText = "keyspace: k\ntable: t\ntable_definition: CREATE TABLE t (a int PRIMARY KEY, b blob)\n"

func userProfile(server, ops string) map[string]string {
	return map[string]string{"RINGSIDE_OPERATION": "user", "RINGSIDE_SERVER_TYPE": server, "RINGSIDE_PARAM_PROFILE": profileText, "RINGSIDE_PARAM_OPS": ops,
		"RINGSIDE_KEY_OFFSET": "0", "RINGSIDE_KEY_COUNT": "1000"}
}

func changed(of map[string]string, name, value string) map[string]string {
	of[name] = value
	return of
}

func TestTellsTheToolItsOrders(t *testing.T) {
	for name, test := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"a write covers this pod's keys once, in order": {
			nil,
			"mixed ratio(write=1) n=500 no-warmup cl=QUORUM -mode thrift -port thrift=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop seq=501..1000 -col n=FIXED(5) size=FIXED(34) -errors ignore retries=9" +
				" -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"a read draws from all keys": {
			map[string]string{"RINGSIDE_OPERATION": "read"},
			"read n=500 no-warmup cl=QUORUM -mode thrift -port thrift=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop dist=gaussian(1..1000) -col n=FIXED(5) size=FIXED(34) -errors ignore retries=9" +
				" -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"some seconds of a closed loop": {
			map[string]string{"RINGSIDE_OPERATION": "read", "RINGSIDE_OPERATIONS": "", "RINGSIDE_DURATION_SECONDS": "30"},
			"read duration=30s no-warmup cl=QUORUM -mode thrift -port thrift=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop dist=gaussian(1..1000) -col n=FIXED(5) size=FIXED(34) -errors ignore retries=9" +
				" -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"the native server, in its own protocol": {
			map[string]string{"RINGSIDE_SERVER_TYPE": "native", "RINGSIDE_ENDPOINTS": "10.0.0.1:9161,10.0.0.2:9161"},
			"mixed ratio(write=1) n=500 no-warmup cl=QUORUM -mode native cql3 -port native=9161 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop seq=501..1000 -col n=FIXED(5) size=FIXED(34) -errors ignore retries=9" +
				" -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"a user profile that fills its table": {
			userProfile("v50", "ops(insert=1)"),
			"user profile=/scratch/profile.yaml ops(insert=1) n=500 no-warmup cl=QUORUM -mode native cql3 -port native=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop seq=1..1000 -errors ignore retries=9 -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"a user profile with queries, which draw their rows": {
			userProfile("v41-cms", "ops(insert=1,one=3)"),
			"user profile=/scratch/profile.yaml ops(insert=1,one=3) n=500 no-warmup cl=QUORUM -mode native cql3 -port native=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8" +
				" -pop dist=gaussian(1..1000) -errors ignore retries=9 -log hdrfile=/scratch/load.hlog interval=100ms no-settings",
		},
		"a constant rate for some seconds, with parameters": {
			map[string]string{
				"RINGSIDE_OPERATION": "read", "RINGSIDE_OPERATIONS": "", "RINGSIDE_DURATION_SECONDS": "30", "RINGSIDE_TARGET_RATE": "2000",
				"RINGSIDE_PARAM_DISTRIBUTION": "uniform", "RINGSIDE_PARAM_COLUMNS": "1", "RINGSIDE_PARAM_COLUMN_SIZE": "100",
				"RINGSIDE_PARAM_RETRIES": "0", "RINGSIDE_PARAM_LOG_INTERVAL": "500ms", "RINGSIDE_CONSISTENCY": "",
			},
			"read n=60000 no-warmup cl=LOCAL_ONE -mode thrift -port thrift=9160 -node 10.0.0.1,10.0.0.2 -rate threads=8 fixed=2000/s" +
				" -pop dist=uniform(1..1000) -col n=FIXED(1) size=FIXED(100) -errors ignore retries=0" +
				" -log hdrfile=/scratch/load.hlog interval=500ms no-settings",
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, commandLine(t, test.changes))
		})
	}
}

func TestRefusesOrdersThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct {
		changes map[string]string
		says    string
	}{
		"an operation it does not know":     {map[string]string{"RINGSIDE_OPERATION": "scan"}, `RINGSIDE_OPERATION is "scan": it is one of write, read, user`},
		"a user profile over Thrift":        {userProfile("disruptor", "ops(insert=1)"), `RINGSIDE_SERVER_TYPE is "disruptor": user profiles are CQL`},
		"a user profile without operations": {userProfile("v50", ""), "the operation user needs a profile, and its operations as in ops(insert=1)"},
		"a user profile in two pods":        {changed(userProfile("v50", "ops(insert=1)"), "RINGSIDE_KEY_COUNT", "500"), "each load pod would create the table of the profile, use 1 pod"},
		"no bound":                          {map[string]string{"RINGSIDE_OPERATIONS": ""}, "set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS"},
		"two bounds":                        {map[string]string{"RINGSIDE_DURATION_SECONDS": "5"}, "set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS"},
		"no operations":                     {map[string]string{"RINGSIDE_OPERATIONS": "0"}, `RINGSIDE_OPERATIONS is "0"`},
		"no threads":                        {map[string]string{"RINGSIDE_THREADS": ""}, `RINGSIDE_THREADS is ""`},
		"a share beyond the keys":           {map[string]string{"RINGSIDE_KEY_OFFSET": "600"}, "keys 600 to 1099 are not among RINGSIDE_KEYS=1000"},
		"no endpoint":                       {map[string]string{"RINGSIDE_ENDPOINTS": ""}, `RINGSIDE_ENDPOINTS is ""`},
		"different ports":                   {map[string]string{"RINGSIDE_ENDPOINTS": "a:1,b:2"}, "needs the same port on all hosts"},
		"a consistency nobody knows":        {map[string]string{"RINGSIDE_CONSISTENCY": "MOST"}, `RINGSIDE_CONSISTENCY is "MOST"`},
		"a search for a capacity":           {map[string]string{"RINGSIDE_CAPACITY_PERCENTILE": "99.9"}, "cassandra-stress searches for no capacity"},
		"connections that no thread serves": {map[string]string{"RINGSIDE_CONNECTIONS": "64"}, "RINGSIDE_CONNECTIONS is 64 for RINGSIDE_THREADS=8"},
		"threads for a single-connection server": {
			map[string]string{"RINGSIDE_SERVER_TYPE": "simple"},
			"the server simple serves one connection at a time and a second one would wait permanently: use 1 thread",
		},
		"nowhere to log": {map[string]string{"RINGSIDE_HLOG": ""}, "RINGSIDE_HLOG must be set"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readOrders(environment(test.changes))
			var refused loadorders.Error
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestKnowsTheSingleConnectionServersOfTheChart(t *testing.T) {
	text, err := os.ReadFile("../../../charts/cassandra/Chart.yaml")
	require.NoError(t, err)
	var chart struct{ Annotations map[string]string }
	require.NoError(t, yaml.Unmarshal(text, &chart))
	assert.Equal(t, chart.Annotations["ringside.dev/single-connection-servers"], strings.Join(singleConnection, ","))
}

func TestSpeaksCQLToTheVariantsOfTheChart(t *testing.T) {
	text, err := os.ReadFile("../../../charts/cassandra-cql/Chart.yaml")
	require.NoError(t, err)
	var chart struct{ Annotations map[string]string }
	require.NoError(t, yaml.Unmarshal(text, &chart))
	var classes map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(chart.Annotations["ringside.dev/server-classes"]), &classes))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(classes)), serverclient.Variants)
}

func TestReadsTheToolsSummary(t *testing.T) {
	var parser summaryParser
	for line := range strings.Lines(`
Results:
Op rate                   :    6,280 op/s  [READ: 6,280 op/s]
Total partitions          :     20,000 [READ: 20,000]
Total errors              :      4,887 [READ: 4,887]
Total operation time      : 00:00:03
`) {
		parser.line(strings.TrimSuffix(line, "\n"))
	}
	found, err := parser.counts()
	require.NoError(t, err)
	assert.Equal(t, counts{partitions: 20000, errors: 4887}, found)
}

func TestAToolWithoutASummaryHasFailed(t *testing.T) {
	var parser summaryParser
	parser.line("Total partitions          :     20,000 [READ: 20,000]")
	_, err := parser.counts()
	assert.EqualError(t, err, "cassandra-stress ended without its summary")

	parser.line("Total errors              :      NaN [READ: NaN]")
	_, err = parser.counts()
	assert.ErrorContains(t, err, "NaN")
}

func TestSummaryCountsEveryOperationOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	require.NoError(t, writeSummary(path, counts{partitions: 100, errors: 3}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "operations=97\nerrors=3\nkeys=97\nlogged_errors=3\n", string(text))
}

// fakeJava replaces java by a shell script.
func fakeJava(t *testing.T, script string) {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(folder+"/java", []byte("#!/bin/sh\n"+script), 0o700))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
}

func TestTheToolsStatusBecomesOurs(t *testing.T) {
	fakeJava(t, "echo 'cannot connect' >&2; exit 7\n")
	var stderr bytes.Buffer
	_, err := runTool(t.Context(), nil, &bytes.Buffer{}, &stderr)
	var ended loadtool.Error
	require.ErrorAs(t, err, &ended)
	assert.Equal(t, 7, ended.Status)
	assert.Equal(t, "cannot connect\n", stderr.String())
}

func TestShowsTheFirstOfManyFailedOperations(t *testing.T) {
	fakeJava(t, `i=0; while [ $i -lt 50 ]; do echo "Operation x10 on key(s) [$i]: TimedOutException" >&2; echo >&2; i=$((i+1)); done
echo 'Total partitions : 50 [READ: 50]'; echo 'Total errors : 50 [READ: 50]'
`)
	var stdout, stderr bytes.Buffer
	found, err := runTool(t.Context(), nil, &stdout, &stderr)
	require.NoError(t, err)
	assert.Equal(t, counts{partitions: 50, errors: 50}, found)
	assert.Equal(t, shownFailures+1, strings.Count(stderr.String(), "\n"))
	assert.Contains(t, stderr.String(), "... and 30 more operations that failed\n")
}

func storeOfTwo(t *testing.T, tables thrifttest.Answer) (*thrifttest.Server, orders) {
	t.Helper()
	server := thrifttest.Start(t, func(method string) thrifttest.Answer {
		if method == "describe_schema_versions" {
			return thrifttest.Lists(map[string][]string{"a": {"1", "2"}})
		}
		return tables
	})
	o, err := readOrders(environment(map[string]string{"RINGSIDE_ENDPOINTS": server.Address + "," + server.Address}))
	require.NoError(t, err)
	return server, o
}

func TestThePodWithTheFirstKeysMakesTheTable(t *testing.T) {
	server, o := storeOfTwo(t, thrifttest.Row("", ""))
	o.keys.Offset = 0
	require.NoError(t, prepareTable(t.Context(), o))
	assert.Equal(t, "CREATE KEYSPACE IF NOT EXISTS keyspace1 WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}", <-server.Queries)
	assert.Equal(t, `CREATE TABLE IF NOT EXISTS keyspace1.standard1 (key blob PRIMARY KEY, "C0" blob, "C1" blob, "C2" blob, "C3" blob, "C4" blob)`+
		` WITH COMPACT STORAGE AND compression = {'enabled': false}`, <-server.Queries)
	assert.Empty(t, server.Queries)
}

func TestMakesTheTableOverCQLForTheNativeServer(t *testing.T) {
	columns := []string{"node", "schema_version"}
	server := cqltest.Start(t, cqltest.Answers{
		"":             cqltest.Void(),
		"system.local": cqltest.Rows(columns, []string{"\x0a\x00\x00\x01", "a"}),
		"system.peers": cqltest.Rows(columns, []string{"\x0a\x00\x00\x02", "a"}),
	})
	o, err := readOrders(environment(map[string]string{"RINGSIDE_SERVER_TYPE": "native", "RINGSIDE_ENDPOINTS": server.Address + "," + server.Address}))
	require.NoError(t, err)
	o.keys.Offset = 0
	require.NoError(t, prepareTable(t.Context(), o))
	for _, statement := range o.standardTable().Schema() {
		assert.Equal(t, statement, <-server.Queries, "the same table for every server")
	}
}

func TestTheToolReadsTheUserProfileFromAFile(t *testing.T) {
	o, err := readOrders(environment(changed(userProfile("v50", "ops(insert=1)"), "RINGSIDE_SCRATCH", t.TempDir())))
	require.NoError(t, err)
	require.NoError(t, prepareTable(t.Context(), o), "no node is asked")
	text, err := os.ReadFile(profilePath(o))
	require.NoError(t, err)
	assert.Equal(t, profileText, string(text))
}

func TestATableThatThriftNeverSeesIsNotCompact(t *testing.T) {
	o, err := readOrders(environment(map[string]string{"RINGSIDE_SERVER_TYPE": "v50", "RINGSIDE_PARAM_COLUMNS": "1"}))
	require.NoError(t, err)
	assert.Equal(t, `CREATE TABLE IF NOT EXISTS keyspace1.standard1 (key blob PRIMARY KEY, "C0" blob) WITH compression = {'enabled': false}`, o.standardTable().Schema()[1])
}

func TestOtherPodsWaitForTheTable(t *testing.T) {
	server, o := storeOfTwo(t, thrifttest.Row("table_name", "standard1"))
	require.NoError(t, prepareTable(t.Context(), o))
	assert.Contains(t, <-server.Queries, "SELECT table_name FROM system_schema.tables")
	assert.Empty(t, server.Queries)
}

func TestRefusesToReadWhatWasNeverWritten(t *testing.T) {
	_, o := storeOfTwo(t, thrifttest.Row("", ""))
	o.operation = "read"
	var refused loadorders.Error
	err := prepareTable(t.Context(), o)
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, err.Error(), "reads need a write phase before them")
}

func TestTakesWhatItsSchemaTakes(t *testing.T) {
	withProfile := func(changes map[string]string) func(string) string {
		if changes["RINGSIDE_OPERATION"] == user {
			changes = userProfile("v50", "ops(insert=1)")
		}
		return environment(changes)
	}
	orderstest.Agrees(t, "../orders.csv", withProfile, func(getenv func(string) string) error {
		_, err := readOrders(getenv)
		return err
	})
}
