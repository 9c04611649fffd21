// Command meter runs a load tool in its pod, measures it, and delivers the result.
//
//	meter install DIR          copies itself into DIR
//	meter -- COMMAND [ARG...]  runs COMMAND under the orders in the environment
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/meter"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	switch {
	case len(args) == 2 && args[0] == "install":
		if err := meter.Install(args[1]); err != nil {
			return refuse(err, orders.ExitToolFailed)
		}
		return orders.ExitDone
	case len(args) >= 2 && args[0] == "--":
		return measure(args[1:])
	}
	return refuse(fmt.Errorf("usage: meter install DIR | meter -- COMMAND [ARGUMENT...]"), orders.ExitUsage)
}

func measure(command []string) int {
	// The load needs the processors more.
	runtime.GOMAXPROCS(1)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	config, err := meter.ConfigFromEnvironment(os.LookupEnv, command)
	if err != nil {
		return refuse(err, orders.ExitUsage)
	}
	cluster, err := rest.InClusterConfig()
	if err != nil {
		return refuse(fmt.Errorf("meter runs in a pod with a service account: %w", err), orders.ExitUsage)
	}
	api, err := meter.NewAPI(cluster, config)
	if err != nil {
		return refuse(err, orders.ExitUsage)
	}
	if err := meter.AdoptOrphans(); err != nil {
		return refuse(err, orders.ExitToolFailed)
	}
	return meter.Run(ctx, config, api, meter.Streams{Out: os.Stdout, Err: os.Stderr})
}

func refuse(err error, code int) int {
	fmt.Fprintf(os.Stderr, "meter: %v\n", err)
	return code
}
