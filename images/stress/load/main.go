// Command load drives Cassandra with cassandra-stress over Thrift or, for servers that speak it, CQL. It implements the contract of a load image
// (docs/reference/load-contract.md): orders come from the environment, the tool runs in the foreground, and its counts
// are written to the summary.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of the contract.
const (
	exitFailed = 1
	exitOrders = 64
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	err := run(ctx)
	stop()
	var refused ordersError
	var ended toolError
	switch {
	case err == nil:
		return
	case errors.As(err, &refused):
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(exitOrders)
	case errors.As(err, &ended):
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(ended.status)
	default:
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(exitFailed)
	}
}

func run(ctx context.Context) error {
	orders, err := readOrders(os.Getenv)
	if err != nil {
		return err
	}
	if err := prepareSchema(ctx, orders); err != nil {
		return err
	}
	counts, err := runTool(ctx, toolArguments(orders), os.Stdout, os.Stderr)
	if err != nil {
		return err
	}
	return writeSummary(orders.summary, counts)
}
