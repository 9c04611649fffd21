// Package thriftclient implements the part of Cassandra's Thrift interface that Ringside's tools need: it checks a
// node, compares the schema versions of all nodes, and runs CQL statements. It uses framed binary Thrift, which every
// tested server type supports.
package thriftclient

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
)

// Unreachable is the key of the nodes that did not answer, in the result of SchemaVersions.
const Unreachable = "UNREACHABLE"

// Client is a connection to one node. It is not safe for concurrent use. Close it soon: some server types serve only
// one connection at a time.
type Client struct {
	transport thrift.TTransport
	calls     *thrift.TStandardClient
}

// Dial connects to host:port. timeout bounds the connect and every read and write.
func Dial(ctx context.Context, address string, timeout time.Duration) (*Client, error) {
	config := &thrift.TConfiguration{ConnectTimeout: timeout, SocketTimeout: timeout}
	socket := thrift.NewTSocketConf(address, config)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := socket.Open(); err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	transport := thrift.NewTFramedTransportConf(socket, config)
	protocol := thrift.NewTBinaryProtocolConf(transport, config)
	return &Client{transport: transport, calls: thrift.NewTStandardClient(protocol, protocol)}, nil
}

// Close closes the connection.
func (c *Client) Close() error { return c.transport.Close() }

// ClusterName returns the name of the node's cluster. It is the cheapest request that every server type answers.
func (c *Client) ClusterName(ctx context.Context) (string, error) {
	var name string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		name, err = in.ReadString(ctx)
		return err
	}}
	err := c.call(ctx, "describe_cluster_name", nil, result)
	return name, err
}

// SchemaVersions returns the nodes of each schema version. Nodes that did not answer are listed under Unreachable.
func (c *Client) SchemaVersions(ctx context.Context) (map[string][]string, error) {
	var versions map[string][]string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		versions, err = readStringLists(ctx, in)
		return err
	}}
	err := c.call(ctx, "describe_schema_versions", nil, result)
	return versions, err
}

// Query runs a CQL 3 statement and returns its rows, by column name. An empty result is no error.
func (c *Client) Query(ctx context.Context, statement string, consistency Consistency) ([]map[string][]byte, error) {
	var rows []map[string][]byte
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		rows, err = readRows(ctx, in)
		return err
	}}
	arguments := func(ctx context.Context, out thrift.TProtocol) error {
		return writeQuery(ctx, out, statement, consistency)
	}
	err := c.call(ctx, "execute_cql3_query", arguments, result)
	return rows, err
}

func (c *Client) call(ctx context.Context, method string, write writer, result *reply) error {
	if _, err := c.calls.Call(ctx, method, arguments(write), result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result.failure != nil {
		return fmt.Errorf("%s: %w", method, result.failure)
	}
	return nil
}
