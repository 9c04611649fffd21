// Package standard1 knows the table of cassandra-stress, and the keys of its rows.
package standard1

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/images/internal/loadorders"
	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/serverclient"
)

// Keyspace and name of the table.
const (
	Keyspace = "keyspace1"
	name     = "standard1"
)

// Columns of a row, and bytes of a column, as cassandra-stress has them by default.
const (
	DefaultColumns    = 5
	DefaultColumnSize = 34
)

// Consistencies are the levels of CQL and Thrift.
var Consistencies = []string{"ANY", "ONE", "TWO", "THREE", "LOCAL_ONE", "QUORUM", "LOCAL_QUORUM", "EACH_QUORUM", "ALL"}

// schemaTimeout bounds how long the creation of the table on all nodes may take.
const schemaTimeout = time.Minute

var errNoTable = errors.New("the table " + Keyspace + "." + name + " is not there")

// Table is the table of a store.
type Table struct {
	Server            string
	Hosts             []string
	Port              int
	Columns           int64
	ReplicationFactor int64
}

func (t Table) client() (nodeclient.Dialer, string) {
	return serverclient.Of(t.Server), net.JoinHostPort(t.Hosts[0], strconv.Itoa(t.Port))
}

// MustExist fails if the table is not there. As all functions here, it connects to one node and closes each connection at once, for
// servers that serve one connection at a time.
func (t Table) MustExist(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	client, address := t.client()
	if err := exists(ctx, client, address); errors.Is(err, errNoTable) {
		return loadorders.Refuse("%s: reads need a write phase before them", err)
	} else if err != nil {
		return fmt.Errorf("looking for the table: %w", err)
	}
	return nil
}

// Create ensures that all nodes know the table. If two pods created it at once it would get two identities, so the first pod, which has
// the first keys, creates it and the others wait.
func (t Table) Create(ctx context.Context, first bool) error {
	ctx, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	client, address := t.client()
	if first {
		for _, statement := range t.Schema() {
			if _, err := client.Query(ctx, address, statement, nodeclient.One); err != nil {
				return fmt.Errorf("making the table: %w", err)
			}
		}
	} else if err := nodeclient.Poll(ctx, 200*time.Millisecond, func() error { return exists(ctx, client, address) }); err != nil {
		return fmt.Errorf("waiting for the pod with the first keys to make the table: %w", err)
	}
	return client.WaitForOneSchema(ctx, address, len(t.Hosts))
}

// Schema returns the statements that create the keyspace and table as cassandra-stress would, with the requested number
// of columns and no compression. Storage is compact where Thrift must see the table.
func (t Table) Schema() []string {
	var columns strings.Builder
	for i := range t.Columns {
		fmt.Fprintf(&columns, `, "C%d" blob`, i)
	}
	compact := "COMPACT STORAGE AND "
	if slices.Contains(serverclient.Variants, t.Server) {
		compact = ""
	}
	return []string{
		fmt.Sprintf("CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': %d}", Keyspace, t.ReplicationFactor),
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s.%s (key blob PRIMARY KEY%s) WITH %scompression = {'enabled': false}", Keyspace, name, columns.String(), compact),
	}
}

func exists(ctx context.Context, client nodeclient.Dialer, address string) error {
	rows, err := client.Query(ctx, address, fmt.Sprintf(
		"SELECT table_name FROM system_schema.tables WHERE keyspace_name = '%s' AND table_name = '%s'", Keyspace, name), nodeclient.One)
	if err == nil && len(rows) == 0 {
		err = errNoTable
	}
	return err
}
