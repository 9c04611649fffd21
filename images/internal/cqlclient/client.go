// Package cqlclient implements nodeclient.Client by CQL's native protocol, version 4, which every Cassandra since 2.2 speaks.
package cqlclient

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"time"

	"ringside.dev/ringside/images/internal/nodeclient"
)

// client implements nodeclient.Client.
type client struct {
	connection net.Conn
	timeout    time.Duration
}

// Dial is a nodeclient.Dialer.
func Dial(ctx context.Context, address string, timeout time.Duration) (nodeclient.Client, error) {
	dialer := net.Dialer{Timeout: timeout}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	c := &client{connection: connection, timeout: timeout}
	if _, err := c.ask(startup, new(encoder).short(1).text("CQL_VERSION").text("3.0.0").bytes); err != nil {
		_ = connection.Close()
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	return c, nil
}

func (c *client) Close() error { return c.connection.Close() }

func (c *client) ClusterName(ctx context.Context) (string, error) {
	rows, err := c.Query(ctx, "SELECT cluster_name FROM system.local", nodeclient.One)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return string(rows[0]["cluster_name"]), nil
}

// SchemaVersions returns what the node knows of itself and of the others. A node whose version it does not know is left out: Whole then
// finds too few.
func (c *client) SchemaVersions(ctx context.Context) (map[string][]string, error) {
	versions := make(map[string][]string)
	for _, statement := range []string{
		"SELECT broadcast_address AS node, schema_version FROM system.local",
		"SELECT peer AS node, schema_version FROM system.peers",
	} {
		rows, err := c.Query(ctx, statement, nodeclient.One)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if version := hex.EncodeToString(row["schema_version"]); version != "" {
				versions[version] = append(versions[version], net.IP(row["node"]).String())
			}
		}
	}
	return versions, nil
}

func (c *client) Query(_ context.Context, statement string, consistency nodeclient.Consistency) ([]map[string][]byte, error) {
	const noFlags = 0
	body, err := c.ask(query, new(encoder).longText(statement).short(levels[consistency]).byte(noFlags).bytes)
	if err != nil {
		return nil, err
	}
	return readRows(body)
}

// ask sends a frame and returns the body of its answer.
func (c *client) ask(operation byte, body []byte) (*decoder, error) {
	if err := c.connection.SetDeadline(time.Now().Add(c.timeout)); err != nil {
		return nil, fmt.Errorf("asking %s: %w", c.connection.RemoteAddr(), err)
	}
	if _, err := c.connection.Write(frame(operation, body)); err != nil {
		return nil, fmt.Errorf("asking %s: %w", c.connection.RemoteAddr(), err)
	}
	answer, err := readAnswer(c.connection)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.connection.RemoteAddr(), err)
	}
	return answer, nil
}
