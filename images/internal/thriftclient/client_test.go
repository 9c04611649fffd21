package thriftclient_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/thriftclient"
	"ringside.dev/ringside/images/internal/thrifttest"
)

func answerAll(answer thrifttest.Answer) func(string) thrifttest.Answer {
	return func(string) thrifttest.Answer { return answer }
}

func dial(t *testing.T, answer thrifttest.Answer) (*thriftclient.Client, *thrifttest.Server) {
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
	want := map[string][]string{"a": {"10.0.0.1", "10.0.0.2"}, thriftclient.Unreachable: {"10.0.0.3"}}
	client, _ := dial(t, thrifttest.Lists(want))
	versions, err := client.SchemaVersions(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, versions)
}

func TestReadsRows(t *testing.T) {
	client, server := dial(t, thrifttest.Row("value", "42"))
	rows, err := client.Query(t.Context(), "SELECT value FROM rows", thriftclient.Quorum)
	require.NoError(t, err)
	assert.Equal(t, []map[string][]byte{{"value": []byte("42")}}, rows)
	assert.Equal(t, "SELECT value FROM rows", <-server.Queries)
}

func TestNamesTheDeclaredException(t *testing.T) {
	client, _ := dial(t, thrifttest.Exception(1, "no such table"))
	_, err := client.Query(t.Context(), "SELECT", thriftclient.One)
	var failure *thriftclient.Failure
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, "InvalidRequest", failure.Kind)
	assert.EqualError(t, err, "execute_cql3_query: InvalidRequest: no such table")
}

func TestFailsWhenTheServerClosesTheConnection(t *testing.T) {
	client, _ := dial(t, nil)
	_, err := client.ClusterName(t.Context())
	assert.ErrorContains(t, err, "describe_cluster_name")
}

func TestSaysWhatIsMissingFromTheRing(t *testing.T) {
	for name, test := range map[string]struct {
		versions map[string][]string
		missing  string
	}{
		"whole":          {map[string][]string{"a": {"1", "2", "3"}}, ""},
		"a node is away": {map[string][]string{"a": {"1", "2"}, thriftclient.Unreachable: {"3"}}, "1 of 3 nodes do not answer: 3"},
		"two schemas":    {map[string][]string{"a": {"1", "2"}, "b": {"3"}}, "the nodes hold 2 schema versions"},
		"still joining":  {map[string][]string{"a": {"1", "2"}}, "2 of 3 nodes are in the ring"},
		"nothing":        {nil, "no node tells its schema version"},
	} {
		t.Run(name, func(t *testing.T) {
			err := thriftclient.Whole(test.versions, 3)
			if test.missing == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.missing)
			}
		})
	}
}

func TestPollsUntilItSucceeds(t *testing.T) {
	tries := 0
	err := thriftclient.Poll(t.Context(), time.Millisecond, func() error {
		if tries++; tries < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, 3, tries)
}

func TestPollingEndsWithTheLastReason(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := thriftclient.Poll(ctx, time.Millisecond, func() error {
		cancel()
		return errors.New("the seed is away")
	})
	assert.ErrorContains(t, err, "the seed is away")
	assert.ErrorIs(t, err, context.Canceled)
}
