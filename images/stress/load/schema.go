package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/serverclient"
)

// Keyspace and table of cassandra-stress.
const (
	keyspace = "keyspace1"
	table    = "standard1"
)

// schemaTimeout bounds how long the creation of the table on all nodes may take.
const schemaTimeout = time.Minute

var errNoTable = errors.New("the table " + keyspace + "." + table + " is not there")

// prepareSchema ensures that all nodes know the table of cassandra-stress. If two pods created it at once it would get
// two identities, so the pod with the first keys creates it and the others wait. prepareSchema connects to one node and
// closes each connection at once, for servers that serve one connection at a time. For a user profile it only writes the file.
func prepareSchema(ctx context.Context, o orders) error {
	if o.operation == user { // the tool creates the table of the profile
		return os.WriteFile(profilePath(o), []byte(o.profile), 0o600)
	}
	ctx, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	address, client := net.JoinHostPort(o.hosts[0], strconv.Itoa(o.port)), serverclient.Of(o.server)
	if o.operation == "read" {
		if err := tableExists(ctx, client, address); errors.Is(err, errNoTable) {
			return refuse("%s: reads need a write phase before them", err)
		} else if err != nil {
			return fmt.Errorf("looking for the table: %w", err)
		}
		return nil
	}
	if o.keyOffset == 0 {
		for _, statement := range schema(o) {
			if _, err := client.Query(ctx, address, statement, nodeclient.One); err != nil {
				return fmt.Errorf("making the table: %w", err)
			}
		}
	} else {
		err := nodeclient.Poll(ctx, 200*time.Millisecond, func() error { return tableExists(ctx, client, address) })
		if err != nil {
			return fmt.Errorf("waiting for the pod with the first keys to make the table: %w", err)
		}
	}
	return client.WaitForOneSchema(ctx, address, len(o.hosts))
}

// schema returns the statements that create the keyspace and table as cassandra-stress would, with the requested number
// of columns and no compression. Storage is compact where Thrift must see the table.
func schema(o orders) []string {
	var columns strings.Builder
	for i := range o.columns {
		fmt.Fprintf(&columns, `, "C%d" blob`, i)
	}
	compact := "COMPACT STORAGE AND "
	if slices.Contains(serverclient.Variants, o.server) {
		compact = ""
	}
	return []string{
		fmt.Sprintf("CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': %d}", keyspace, o.replicationFactor),
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s.%s (key blob PRIMARY KEY%s) WITH %scompression = {'enabled': false}", keyspace, table, columns.String(), compact),
	}
}

func tableExists(ctx context.Context, client nodeclient.Dialer, address string) error {
	rows, err := client.Query(ctx, address, fmt.Sprintf(
		"SELECT table_name FROM system_schema.tables WHERE keyspace_name = '%s' AND table_name = '%s'", keyspace, table), nodeclient.One)
	if err == nil && len(rows) == 0 {
		err = errNoTable
	}
	return err
}
