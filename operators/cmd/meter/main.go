// Command meter measures a load tool in its pod and delivers the result. It is in both containers of the pod.
//
//	meter install DIR                      copies itself into DIR, for the load tool's container
//	meter tool SOCKET -- COMMAND [ARG...]  runs COMMAND when the meter at SOCKET requests it; has no access to Kubernetes
//	meter idle                             replaces the COMMAND of an idle phase, which sends the store no requests
//	meter measure                          measures the tool; its orders are in the environment
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/meter"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	// Leave the processors to the load.
	runtime.GOMAXPROCS(1)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	switch {
	case len(args) == 2 && args[0] == "install":
		if err := meter.Install(args[1]); err != nil {
			return refuse(err, orders.ExitToolFailed)
		}
		return orders.ExitDone
	case len(args) >= 4 && args[0] == "tool" && args[2] == "--":
		if err := loadtool.AdoptOrphans(); err != nil {
			return refuse(err, orders.ExitToolFailed)
		}
		return loadtool.Run(ctx, args[1], args[3:], loadtool.Streams{Out: os.Stdout, Err: os.Stderr})
	case len(args) == 1 && args[0] == "idle":
		return watchIdle(ctx)
	case len(args) == 1 && args[0] == "measure":
		return measure(ctx)
	}
	return refuse(fmt.Errorf("usage: meter install DIR | meter tool SOCKET -- COMMAND [ARGUMENT...] | meter idle | meter measure"), orders.ExitUsage)
}

func watchIdle(ctx context.Context) int {
	err := meter.RunIdle(ctx, os.Getenv)
	var orderly *meter.OrdersError
	switch {
	case err == nil:
		return orders.ExitDone
	case errors.As(err, &orderly):
		return refuse(err, orders.ExitUsage)
	}
	return refuse(err, orders.ExitToolFailed)
}

func measure(ctx context.Context) int {
	config, err := meter.ConfigFromEnvironment(os.LookupEnv)
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
	return meter.Run(ctx, config, api)
}

func refuse(err error, code int) int {
	fmt.Fprintf(os.Stderr, "meter: %v\n", err)
	return code
}
