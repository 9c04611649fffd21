// Command ringside-cluster runs a Kubernetes cluster, by default with four nodes, on one Linux host.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ringside.dev/ringside/cluster/internal/cli"
	"ringside.dev/ringside/cluster/internal/preflight"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// For this program and its children: dpkg also requires the system's directories on PATH.
	if err := os.Setenv("PATH", preflight.SystemPath(os.Getenv("PATH"))); err != nil {
		fmt.Fprintln(os.Stderr, "ringside-cluster: set PATH:", err)
		os.Exit(1)
	}
	err := cli.New().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ringside-cluster:", err)
		os.Exit(1)
	}
}
