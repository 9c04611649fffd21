// Command fault inflicts one fault from within the pod of a store's node: it pauses the node's processes, drops or
// delays its packets, keeps its disk busy or full, or orders a task of maintenance, from a given instant for a given
// duration. It reports the result in its termination message.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"

	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/faults/inflict"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	runtime.GOMAXPROCS(1) // leave the processors to the store
	order, err := helper.ParseArgs(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "fault: %v\n", err)
		return 64
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	report := inflict.Run(ctx, clock.RealClock{}, order, inflict.Of(order))
	fmt.Println(report)
	if err := os.WriteFile(corev1.TerminationMessagePathDefault, []byte(report.String()), 0o600); err != nil {
		fmt.Fprintf(os.Stderr, "fault: leave the report: %v\n", err)
		return 1
	}
	if report.Error != "" {
		return 1
	}
	return 0
}
