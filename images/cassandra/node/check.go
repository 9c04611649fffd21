package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/images/internal/thriftclient"
)

// reachPatience is the time in which each server must become reachable. The check runs in a new pod, and where network policies are
// enforced, its connections are blocked until its address is known everywhere.
const (
	reachPatience = 10 * time.Second
	reachPause    = 500 * time.Millisecond
)

// checkKeyspace is the keyspace that the check creates and drops.
const checkKeyspace = "ringside_check"

func checkCommand() *cobra.Command {
	var replicationFactor, nodes int
	command := &cobra.Command{
		Use:   "check host:port...",
		Short: "Write one row and read it back through each server, at QUORUM",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, addresses []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			return check(ctx, addresses, replicationFactor, nodes)
		},
	}
	command.Flags().IntVar(&replicationFactor, "replication-factor", 1, "of the keyspace that is made for the check")
	command.Flags().IntVar(&nodes, "nodes", 1, "that must hold one schema")
	return command
}

// check creates a keyspace, writes and reads one row through every address, and drops the keyspace.
func check(ctx context.Context, addresses []string, replicationFactor, nodes int) (err error) {
	if err := reach(ctx, addresses, reachPatience); err != nil {
		return err
	}
	query := func(address, statement string, consistency thriftclient.Consistency) (rows []map[string][]byte, err error) {
		err = thriftclient.With(ctx, address, 20*time.Second, func(client *thriftclient.Client) (err error) {
			rows, err = client.Query(ctx, statement, consistency)
			return err
		})
		return rows, err
	}
	drop := func() error {
		_, err := query(addresses[0], "DROP KEYSPACE IF EXISTS "+checkKeyspace, thriftclient.One)
		return err
	}
	if err := drop(); err != nil {
		return fmt.Errorf("dropping what an earlier check left: %w", err)
	}
	defer func() {
		if dropped := drop(); err == nil && dropped != nil {
			err = fmt.Errorf("dropping the check's keyspace: %w", dropped)
		}
	}()
	for _, statement := range []string{
		fmt.Sprintf("CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': %d}", checkKeyspace, replicationFactor),
		fmt.Sprintf("CREATE TABLE %s.rows (key text PRIMARY KEY, value text)", checkKeyspace),
	} {
		if _, err := query(addresses[0], statement, thriftclient.One); err != nil {
			return fmt.Errorf("making the check's table: %w", err)
		}
	}
	if err := thriftclient.WaitForOneSchema(ctx, addresses[0], nodes); err != nil {
		return err
	}
	for _, address := range addresses {
		want := time.Now().Format(time.RFC3339Nano)
		write := fmt.Sprintf("INSERT INTO %s.rows (key, value) VALUES ('%s', '%s')", checkKeyspace, address, want)
		if _, err := query(address, write, thriftclient.Quorum); err != nil {
			return fmt.Errorf("writing through %s: %w", address, err)
		}
		read := fmt.Sprintf("SELECT value FROM %s.rows WHERE key = '%s'", checkKeyspace, address)
		rows, err := query(address, read, thriftclient.Quorum)
		if err != nil {
			return fmt.Errorf("reading through %s: %w", address, err)
		}
		if len(rows) != 1 || string(rows[0]["value"]) != want {
			return fmt.Errorf("%s: wrote %q, read %q", address, want, rows)
		}
		fmt.Fprintf(os.Stdout, "%s: wrote and read one row at QUORUM\n", address)
	}
	return nil
}

// reach tries to connect to every server until the patience is over. The requests that follow are not repeated.
func reach(ctx context.Context, addresses []string, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var dialer net.Dialer
	for _, address := range addresses {
		for {
			connection, err := dialer.DialContext(ctx, "tcp", address)
			if err == nil {
				_ = connection.Close() // nothing was sent
				break
			}
			select {
			case <-time.After(reachPause):
			case <-ctx.Done():
				return fmt.Errorf("reaching %s: %w", address, err)
			}
		}
	}
	return nil
}
