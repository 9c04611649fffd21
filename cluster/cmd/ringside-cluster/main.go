// Command ringside-cluster runs a four-node Kubernetes on one Linux host that has none.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ringside.dev/ringside/cluster/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := cli.New().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ringside-cluster:", err)
		os.Exit(1)
	}
}
