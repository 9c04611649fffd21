// Package nodeclient defines what Ringside's tools ask of a Cassandra node, whichever protocol its server speaks: they check a node, compare
// the schema versions of all nodes, and run CQL statements. Packages thriftclient and cqlclient implement it.
package nodeclient

import (
	"context"
	"errors"
	"time"
)

// Consistency is a consistency level.
type Consistency int

// Consistency levels that Ringside's tools use.
const (
	One Consistency = iota
	Quorum
)

// Unreachable is the key of the nodes that did not answer, in the result of SchemaVersions.
const Unreachable = "UNREACHABLE"

// Client is a connection to one node. It is not safe for concurrent use. Close it soon: some server types serve only one connection at a
// time.
type Client interface {
	// ClusterName returns the name of the node's cluster. It is the cheapest request.
	ClusterName(ctx context.Context) (string, error)
	// SchemaVersions returns the nodes of each schema version. Nodes that did not answer are listed under Unreachable.
	SchemaVersions(ctx context.Context) (map[string][]string, error)
	// Query runs a CQL 3 statement and returns its rows, by column name. An empty result is no error.
	Query(ctx context.Context, statement string, consistency Consistency) ([]map[string][]byte, error)
	Close() error
}

// Dialer connects to host:port. timeout bounds the connect and every read and write.
type Dialer func(ctx context.Context, address string, timeout time.Duration) (Client, error)

// With calls do with a new connection and closes it afterwards.
func (d Dialer) With(ctx context.Context, address string, timeout time.Duration, do func(Client) error) error {
	client, err := d(ctx, address, timeout)
	if err != nil {
		return err
	}
	return errors.Join(do(client), client.Close())
}

// Query runs one statement on a connection of its own.
func (d Dialer) Query(ctx context.Context, address, statement string, consistency Consistency) (rows []map[string][]byte, err error) {
	err = d.With(ctx, address, 20*time.Second, func(client Client) (err error) {
		rows, err = client.Query(ctx, statement, consistency)
		return err
	})
	return rows, err
}
