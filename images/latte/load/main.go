// Command load drives Cassandra with latte over CQL. It implements the contract of a load image (docs/reference/load-contract.md).
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/images/internal/loadtool"
	"ringside.dev/ringside/images/internal/standard1"
)

func main() { loadtool.Main(run) }

func run(ctx context.Context) error {
	o, err := readOrders(os.Getenv)
	if err != nil {
		return err
	}
	if err := prepareTable(ctx, o); err != nil {
		return err
	}
	if err := writeKeys(o); err != nil {
		return fmt.Errorf("writing the keys for latte: %w", err)
	}
	addresses, err := o.addresses(ctx)
	if err != nil {
		return err
	}
	if err := runLatte(ctx, runArguments(o, addresses), printer(os.Stdout), os.Stderr); err != nil {
		return err
	}
	report, err := readReport(o.reportFile())
	if err != nil {
		return err
	}
	if err := runLatte(ctx, []string{"hdr", o.reportFile(), "-o", o.rawLog()}, printer(os.Stdout), os.Stderr); err != nil {
		return err
	}
	if err := convertLog(o.rawLog(), o.hlog, o.operation); err != nil {
		return fmt.Errorf("converting latte's log: %w", err)
	}
	return report.writeSummary(o.summary)
}

func prepareTable(ctx context.Context, o orders) error {
	table := standard1.Table{Server: o.server, Hosts: o.hosts, Port: o.port, Columns: o.columns, ReplicationFactor: o.replicationFactor}
	if o.operation == "read" {
		return table.MustExist(ctx)
	}
	return table.Create(ctx, o.keys.Offset == 0)
}

func writeKeys(o orders) error {
	file, err := os.Create(filepath.Clean(o.keysFile()))
	if err != nil {
		return err
	}
	if err := standard1.WriteKeys(file, o.keys.All); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
