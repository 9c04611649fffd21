package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/serverclient"
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
		Use:   "check server=host:port...",
		Short: "Write one row and read it back through each server, at QUORUM",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, arguments []string) error {
			targets, err := parseTargets(arguments)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			return check(ctx, targets, replicationFactor, nodes)
		},
	}
	command.Flags().IntVar(&replicationFactor, "replication-factor", 1, "of the keyspace that is made for the check")
	command.Flags().IntVar(&nodes, "nodes", 1, "that must hold one schema")
	return command
}

// target is a server of the store.
type target struct{ server, address string }

// parseTargets parses server=host:port, where server is a type or the name of an instance.
func parseTargets(arguments []string) ([]target, error) {
	var targets []target
	for _, argument := range arguments {
		server, address, found := strings.Cut(argument, "=")
		if !found {
			return nil, fmt.Errorf("%q is no server: write server=host:port", argument)
		}
		targets = append(targets, target{server, address})
	}
	return targets, nil
}

func (t target) query(ctx context.Context, statement string, consistency nodeclient.Consistency) ([]map[string][]byte, error) {
	return serverclient.Of(t.server).Query(ctx, t.address, statement, consistency)
}

// check creates a keyspace, writes and reads one row through every server, and drops the keyspace.
func check(ctx context.Context, targets []target, replicationFactor, nodes int) (err error) {
	if err := reach(ctx, targets, reachPatience); err != nil {
		return err
	}
	first := targets[0]
	drop := func() error {
		_, err := first.query(ctx, "DROP KEYSPACE IF EXISTS "+checkKeyspace, nodeclient.One)
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
		if _, err := first.query(ctx, statement, nodeclient.One); err != nil {
			return fmt.Errorf("making the check's table: %w", err)
		}
	}
	if err := serverclient.Of(first.server).WaitForOneSchema(ctx, first.address, nodes); err != nil {
		return err
	}
	for _, target := range targets {
		want := time.Now().Format(time.RFC3339Nano)
		write := fmt.Sprintf("INSERT INTO %s.rows (key, value) VALUES ('%s', '%s')", checkKeyspace, target.address, want)
		if _, err := target.query(ctx, write, nodeclient.Quorum); err != nil {
			return fmt.Errorf("writing through %s: %w", target.address, err)
		}
		read := fmt.Sprintf("SELECT value FROM %s.rows WHERE key = '%s'", checkKeyspace, target.address)
		rows, err := target.query(ctx, read, nodeclient.Quorum)
		if err != nil {
			return fmt.Errorf("reading through %s: %w", target.address, err)
		}
		if len(rows) != 1 || string(rows[0]["value"]) != want {
			return fmt.Errorf("%s: wrote %q, read %q", target.address, want, rows)
		}
		fmt.Fprintf(os.Stdout, "%s: wrote and read one row at QUORUM\n", target.address)
	}
	return nil
}

// reach tries to connect to every server until the patience is over. The requests that follow are not repeated.
func reach(ctx context.Context, targets []target, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var dialer net.Dialer
	for _, target := range targets {
		for {
			connection, err := dialer.DialContext(ctx, "tcp", target.address)
			if err == nil {
				_ = connection.Close() // nothing was sent
				break
			}
			select {
			case <-time.After(reachPause):
			case <-ctx.Done():
				return fmt.Errorf("reaching %s: %w", target.address, err)
			}
		}
	}
	return nil
}
