package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/images/internal/loadtool"
)

const (
	program  = "/usr/bin/latte"
	workload = "/opt/latte/standard1.rn"
)

// sampling is the interval of the log. latte keeps all of it in memory and writes it at the end.
const sampling = "1s"

// runArguments returns the arguments of latte for the phase. One thread drives all requests: it is asynchronous, and a second one would take
// a core from the store. Each cycle is one request. There is no warm-up, which would do requests that are in no log. The rows that are read follow
// from the seed.
func runArguments(o orders, addresses []string) []string {
	duration := strconv.FormatInt(o.bound.Operations, 10)
	if o.bound.Seconds > 0 {
		duration = fmt.Sprintf("%ds", o.bound.Seconds)
	}
	first, end := o.keys.Offset, o.keys.Offset+o.keys.Count
	if o.operation == "read" { // draws from all keys
		end = math.MaxInt64
	}
	arguments := []string{"run", workload, "--functions", o.operation, "--duration", duration, "--warmup", "0",
		"--start-cycle", strconv.FormatInt(first, 10), "--end-cycle", strconv.FormatInt(end, 10),
		"--threads", "1", "--concurrency", strconv.FormatInt(o.threads, 10), "--connections", "1",
		"--consistency", o.consistency, "--retries", strconv.FormatInt(o.retries, 10),
		"--sampling", sampling, "--quiet", "--output", o.reportFile()}
	for _, parameter := range []string{
		fmt.Sprintf("keys=%q", o.keysFile()),
		fmt.Sprintf("columns=%d", o.columns),
		fmt.Sprintf("size=%d", o.columnSize),
		fmt.Sprintf("gaussian=%t", o.distribution == "gaussian"),
		fmt.Sprintf("seed=%d", o.seed),
	} {
		arguments = append(arguments, "-P", parameter)
	}
	return append(append(arguments, "--"), addresses...)
}

// noLog: latte's own log has a line for each request that fails, which would fill the scratch folder if the store is dead.
var noLog = []string{"--log-file", os.DevNull}

// runLatte runs latte in the foreground and passes on its output.
func runLatte(ctx context.Context, arguments []string, stdout func(string), stderr io.Writer) error {
	return loadtool.Run(ctx, "latte", program, append(slices.Clone(noLog), arguments...),
		func(out io.Reader) { loadtool.EachLine(out, stdout) },
		func(problems io.Reader) {
			loadtool.EachLine(problems, func(line string) { _, _ = fmt.Fprintln(stderr, line) })
		})
}

// printer prints lines without the empty ones.
func printer(to io.Writer) func(string) {
	return func(line string) {
		if strings.TrimSpace(line) != "" {
			_, _ = fmt.Fprintln(to, line)
		}
	}
}
