package thriftclient_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/thriftclient"
	"ringside.dev/ringside/images/internal/thrifttest"
)

func answerAll(answer thrifttest.Answer) func(string) thrifttest.Answer {
	return func(string) thrifttest.Answer { return answer }
}

func dial(t *testing.T, answer thrifttest.Answer) (nodeclient.Client, *thrifttest.Server) {
	t.Helper()
	server := thrifttest.Start(t, answerAll(answer))
	client, err := thriftclient.Dial(t.Context(), server.Address, time.Second)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, client.Close()) })
	return client, server
}

func TestAsksForTheClustersName(t *testing.T) {
	client, _ := dial(t, thrifttest.Text("ring"))
	for range 2 { // a connection serves several calls
		name, err := client.ClusterName(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "ring", name)
	}
}

func TestReadsSchemaVersions(t *testing.T) {
	want := map[string][]string{"a": {"10.0.0.1", "10.0.0.2"}, nodeclient.Unreachable: {"10.0.0.3"}}
	client, _ := dial(t, thrifttest.Lists(want))
	versions, err := client.SchemaVersions(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, versions)
}

func TestReadsRows(t *testing.T) {
	client, server := dial(t, thrifttest.Row("value", "42"))
	rows, err := client.Query(t.Context(), "SELECT value FROM rows", nodeclient.Quorum)
	require.NoError(t, err)
	assert.Equal(t, []map[string][]byte{{"value": []byte("42")}}, rows)
	assert.Equal(t, "SELECT value FROM rows", <-server.Queries)
}

func TestNamesTheDeclaredException(t *testing.T) {
	client, _ := dial(t, thrifttest.Exception(1, "no such table"))
	_, err := client.Query(t.Context(), "SELECT", nodeclient.One)
	var failure *thriftclient.Error
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, "InvalidRequest", failure.Kind)
	assert.EqualError(t, err, "execute_cql3_query: InvalidRequest: no such table")
}

func TestFailsWhenTheServerClosesTheConnection(t *testing.T) {
	client, _ := dial(t, nil)
	_, err := client.ClusterName(t.Context())
	assert.ErrorContains(t, err, "describe_cluster_name")
}
