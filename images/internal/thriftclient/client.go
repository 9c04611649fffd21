// Package thriftclient is the little of Cassandra's Thrift interface that Ringside's own tools need: is the node there, do all
// nodes agree on the schema, run a CQL statement. It speaks framed binary Thrift, as every server type under test does.
package thriftclient

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
)

// Unreachable is the key under which DescribeSchemaVersions lists nodes that did not answer.
const Unreachable = "UNREACHABLE"

// Client is one connection to one node. It is not safe for concurrent use. Close it soon: some server types serve a single
// connection at a time.
type Client struct {
	transport thrift.TTransport
	calls     *thrift.TStandardClient
}

// Dial connects to host:port; timeout bounds the connect and every later read or write.
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

// Close ends the connection.
func (c *Client) Close() error { return c.transport.Close() }

// ClusterName asks the node for the name of its cluster: the cheapest request that every server type answers.
func (c *Client) ClusterName(ctx context.Context) (string, error) {
	var name string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		name, err = in.ReadString(ctx)
		return err
	}}
	err := c.call(ctx, "describe_cluster_name", nil, result)
	return name, err
}

// SchemaVersions maps each schema version to the nodes that hold it. Nodes that did not answer stand under Unreachable.
func (c *Client) SchemaVersions(ctx context.Context) (map[string][]string, error) {
	var versions map[string][]string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		versions, err = readStringLists(ctx, in)
		return err
	}}
	err := c.call(ctx, "describe_schema_versions", nil, result)
	return versions, err
}

// Query runs one CQL 3 statement and returns the values of its rows, by column name. No rows is no error.
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
