package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"ringside.dev/ringside/images/internal/loadtool"
)

// failedOperation begins the line that cassandra-stress prints for each failed operation.
const failedOperation = "Operation x"

// progress begins the line that cassandra-stress prints for each interval. Only one per second is passed on.
const progress = "total,"

// shownFailures is the number of failed operations that are passed on: with a dead server the log would have millions.
const shownFailures = 20

// runTool runs java in the foreground, passes on its output, and returns the counts of its summary.
func runTool(ctx context.Context, arguments []string, stdout, stderr io.Writer) (counts, error) {
	var summary summaryParser
	readOutput := func(out io.Reader) {
		var shown time.Time
		loadtool.EachLine(out, func(line string) {
			summary.line(line)
			if strings.HasPrefix(line, progress) {
				if time.Since(shown) < time.Second {
					return
				}
				shown = time.Now()
			}
			_, _ = fmt.Fprintln(stdout, line)
		})
	}
	err := loadtool.Run(ctx, "cassandra-stress", "java", arguments, readOutput, func(problems io.Reader) { passOn(problems, stderr) })
	if err != nil {
		return counts{}, err
	}
	return summary.counts()
}

// passOn copies lines, but only the first failed operations, and finally prints the number of all failed ones.
func passOn(from io.Reader, to io.Writer) {
	failures := 0
	loadtool.EachLine(from, func(line string) {
		if strings.HasPrefix(line, failedOperation) {
			failures++
		}
		// An empty line follows each of these lines.
		if line == "" || strings.HasPrefix(line, failedOperation) && failures > shownFailures {
			return
		}
		_, _ = fmt.Fprintln(to, line)
	})
	if failures > shownFailures {
		_, _ = fmt.Fprintf(to, "... and %d more operations that failed\n", failures-shownFailures)
	}
}
