package cqlclient_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/cqlclient"
	"ringside.dev/ringside/images/internal/cqltest"
	"ringside.dev/ringside/images/internal/nodeclient"
)

func dial(t *testing.T, answers cqltest.Answers) (nodeclient.Client, *cqltest.Server) {
	t.Helper()
	server := cqltest.Start(t, answers)
	client, err := cqlclient.Dial(t.Context(), server.Address, time.Second)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, client.Close()) })
	return client, server
}

func TestAsksForTheClustersName(t *testing.T) {
	client, _ := dial(t, cqltest.Answers{"system.local": cqltest.Rows([]string{"cluster_name"}, []string{"ring"})})
	for range 2 { // a connection serves several requests
		name, err := client.ClusterName(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "ring", name)
	}
}

func TestReadsTheSchemaVersionsOfANodeAndItsPeers(t *testing.T) {
	columns := []string{"node", "schema_version"}
	client, _ := dial(t, cqltest.Answers{
		"system.local": cqltest.Rows(columns, []string{"\x0a\x00\x00\x01", "\xab"}),
		"system.peers": cqltest.Rows(columns, []string{"\x0a\x00\x00\x02", "\xab"}, []string{"\x0a\x00\x00\x03", "\xcd"}, []string{"\x0a\x00\x00\x04", ""}),
	})
	versions, err := client.SchemaVersions(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"ab": {"10.0.0.1", "10.0.0.2"}, "cd": {"10.0.0.3"}}, versions, "the fourth is still joining")
}

func TestRunsAStatementAtItsConsistency(t *testing.T) {
	client, server := dial(t, cqltest.Answers{"": cqltest.Void()})
	rows, err := client.Query(t.Context(), "INSERT", nodeclient.Quorum)
	require.NoError(t, err)
	assert.Empty(t, rows)
	assert.Equal(t, "INSERT", <-server.Queries)
	assert.EqualValues(t, 4, server.Consistency.Load(), "QUORUM")
}

func TestNamesTheError(t *testing.T) {
	client, _ := dial(t, cqltest.Answers{"": cqltest.Failure(0x2200, "no such table")})
	_, err := client.Query(t.Context(), "SELECT", nodeclient.One)
	assert.ErrorContains(t, err, "error 0x2200: no such table")
}

func TestRejectsAnswersThatItCannotRead(t *testing.T) {
	for name, test := range map[string]struct {
		answer cqltest.Answer
		says   string
	}{
		"an answer that ends early":  {cqltest.Raw(0x84, 0x08, "\x00\x00\x00\x02\x00"), "the answer is too short"},
		"a server that speaks other": {cqltest.Raw(0x83, 0x08, ""), "this server does not speak version 4"},
		"a request to authenticate":  {cqltest.Raw(0x84, 0x03, ""), "the operation 0x3, which is not expected"},
		"a closed connection":        {nil, "no answer"},
		"a type with parameters":     {cqltest.Raw(0x84, 0x08, "\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01\x00\x01k\x00\x01t\x00\x01c\x00\x20"), "column c has the type 0x20, which is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := dial(t, cqltest.Answers{"": test.answer})
			_, err := client.Query(t.Context(), "SELECT", nodeclient.One)
			assert.ErrorContains(t, err, test.says)
		})
	}
}
