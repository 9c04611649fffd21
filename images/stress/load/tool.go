package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// toolError reports that the tool failed. Its status becomes that of this program.
type toolError struct{ status int }

func (e toolError) Error() string {
	return fmt.Sprintf("cassandra-stress ended with status %d", e.status)
}

// failedOperation begins the line that cassandra-stress prints for each failed operation.
const failedOperation = "Operation x"

// progress begins the line that cassandra-stress prints for each interval. Only one per second is passed on.
const progress = "total,"

// shownFailures is the number of failed operations that are passed on: with a dead server the log would have millions.
const shownFailures = 20

// runTool runs java in the foreground, passes on its output, and returns the counts of its summary.
func runTool(ctx context.Context, arguments []string, stdout, stderr io.Writer) (counts, error) {
	java := exec.CommandContext(ctx, "java", arguments...)
	java.Cancel = func() error { return java.Process.Signal(syscall.SIGTERM) }
	out, err := java.StdoutPipe()
	if err != nil {
		return counts{}, err
	}
	problems, err := java.StderrPipe()
	if err != nil {
		return counts{}, err
	}
	if err := java.Start(); err != nil {
		return counts{}, fmt.Errorf("starting java: %w", err)
	}
	var summary summaryParser
	var readers sync.WaitGroup
	readers.Go(func() {
		var shown time.Time
		forEachLine(out, func(line string) {
			summary.line(line)
			if strings.HasPrefix(line, progress) {
				if time.Since(shown) < time.Second {
					return
				}
				shown = time.Now()
			}
			_, _ = fmt.Fprintln(stdout, line)
		})
	})
	readers.Go(func() { passOn(problems, stderr) })
	readers.Wait()
	err = java.Wait()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return counts{}, toolError{exit.ExitCode()}
	case errors.As(err, &exit):
		status, _ := exit.Sys().(syscall.WaitStatus)
		return counts{}, toolError{128 + int(status.Signal())}
	case err != nil:
		return counts{}, fmt.Errorf("running java: %w", err)
	}
	return summary.counts()
}

// passOn copies lines, but only the first failed operations, and finally prints the number of all failed ones.
func passOn(from io.Reader, to io.Writer) {
	failures := 0
	forEachLine(from, func(line string) {
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

// forEachLine reads to the end in any case, so that the tool never blocks on a full pipe.
func forEachLine(from io.Reader, do func(string)) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			do(strings.TrimRight(line, "\r\n"))
		}
		if err != nil {
			return
		}
	}
}
