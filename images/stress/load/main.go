// Command load drives Cassandra with cassandra-stress over Thrift or, for servers that speak it, CQL. It implements the contract of a load image
// (docs/reference/load-contract.md): orders come from the environment, the tool runs in the foreground, and its counts
// are written to the summary.
package main

import (
	"context"
	"os"

	"ringside.dev/ringside/images/internal/loadtool"
)

func main() { loadtool.Main(run) }

func run(ctx context.Context) error {
	orders, err := readOrders(os.Getenv)
	if err != nil {
		return err
	}
	if err := prepareTable(ctx, orders); err != nil {
		return err
	}
	counts, err := runTool(ctx, toolArguments(orders), os.Stdout, os.Stderr)
	if err != nil {
		return err
	}
	return writeSummary(orders.summary, counts)
}

// prepareTable ensures that the table is there. For a user profile it only writes the file: the tool creates the table of the profile.
func prepareTable(ctx context.Context, o orders) error {
	switch o.operation {
	case user:
		return os.WriteFile(profilePath(o), []byte(o.profile), 0o600)
	case "read":
		return o.standardTable().MustExist(ctx)
	default:
		return o.standardTable().Create(ctx, o.keys.Offset == 0)
	}
}
