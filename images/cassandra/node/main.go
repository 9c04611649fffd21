// Command ringside-node runs one Cassandra node in its pod: it renders the configuration, waits for the seed, starts the JVM, forwards
// signals, and answers the kubelet's probes. It also writes and reads rows for the chart's Helm test.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	root := &cobra.Command{
		Use:           "ringside-node",
		Short:         "Runs and checks one Cassandra node",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(), checkCommand())
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case errors.As(err, &exit):
		os.Exit(int(exit))
	case err != nil:
		fmt.Fprintln(os.Stderr, "ringside-node:", err)
		os.Exit(1)
	}
}

// exitError is the JVM's exit status, which becomes that of this process.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("the JVM ended with status %d", int(e)) }
