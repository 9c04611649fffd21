// Package thriftclient implements nodeclient.Client by Cassandra's Thrift interface. It uses framed binary Thrift, which
// every tested Thrift server supports.
package thriftclient

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/thrift/lib/go/thrift"

	"ringside.dev/ringside/images/internal/nodeclient"
)

// client implements nodeclient.Client.
type client struct {
	transport thrift.TTransport
	calls     *thrift.TStandardClient
}

// Dial is a nodeclient.Dialer.
func Dial(ctx context.Context, address string, timeout time.Duration) (nodeclient.Client, error) {
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
	return &client{transport: transport, calls: thrift.NewTStandardClient(protocol, protocol)}, nil
}

func (c *client) Close() error { return c.transport.Close() }

func (c *client) ClusterName(ctx context.Context) (string, error) {
	var name string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		name, err = in.ReadString(ctx)
		return err
	}}
	err := c.call(ctx, "describe_cluster_name", nil, result)
	return name, err
}

func (c *client) SchemaVersions(ctx context.Context) (map[string][]string, error) {
	var versions map[string][]string
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		versions, err = readStringLists(ctx, in)
		return err
	}}
	err := c.call(ctx, "describe_schema_versions", nil, result)
	return versions, err
}

func (c *client) Query(ctx context.Context, statement string, consistency nodeclient.Consistency) ([]map[string][]byte, error) {
	var rows []map[string][]byte
	result := &reply{success: func(ctx context.Context, in thrift.TProtocol) (err error) {
		rows, err = readRows(ctx, in)
		return err
	}}
	arguments := func(ctx context.Context, out thrift.TProtocol) error {
		return writeQuery(ctx, out, statement, levels[consistency])
	}
	err := c.call(ctx, "execute_cql3_query", arguments, result)
	return rows, err
}

func (c *client) call(ctx context.Context, method string, write writer, result *reply) error {
	if _, err := c.calls.Call(ctx, method, arguments(write), result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result.failure != nil {
		return fmt.Errorf("%s: %w", method, result.failure)
	}
	return nil
}
