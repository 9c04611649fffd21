// Command fault inflicts one fault from within the pod of a store's node: it pauses the node's processes, drops or
// delays its packets, keeps its disk busy or full, or orders a task of maintenance, from a given instant for a given
// duration. It reports the result in its termination message.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"

	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/faults/inflict"
	apiclock "ringside.dev/ringside/operators/internal/meter/clock"
)

func main() { os.Exit(run(os.Args[1:])) }

// compareClocks compares the node's clock with the API server's until the moment of the fault, and returns a function for the estimate. The helper
// has no token, and the server's certificate is not verified: every answer has the time, and nothing else is read of it.
func compareClocks(ctx context.Context, until time.Time) func() apiclock.Estimate {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	estimates := make(chan apiclock.Estimate, 1)
	go func() {
		var latest apiclock.Estimate
		defer func() { estimates <- latest }()
		if host == "" {
			return
		}
		ctx, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
		apiclock.Ask(ctx, client, "https://"+net.JoinHostPort(host, port)+"/version", func(e apiclock.Estimate) { latest = e })
	}()
	return func() apiclock.Estimate { return <-estimates }
}

func run(args []string) int {
	runtime.GOMAXPROCS(1) // leave the processors to the store
	order, err := helper.ParseArgs(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "fault: %v\n", err)
		return 64
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	offset := compareClocks(ctx, order.At)
	report := inflict.Run(ctx, clock.RealClock{}, order, inflict.Of(order))
	report.ClockOffsetMicros, report.ClockErrorMicros = offset().Micros()
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
