// Package loadtool runs the program of a load generator as the load contract asks for (docs/reference/load-contract.md).
package loadtool

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"ringside.dev/ringside/images/internal/loadorders"
)

// Exit codes of the contract.
const (
	exitFailed = 1
	exitOrders = 64
)

// Main runs a load and ends the process with the exit code of the contract.
func Main(run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	err := run(ctx)
	stop()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "load:", err)
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	if _, is := errors.AsType[loadorders.Error](err); is {
		return exitOrders
	}
	if ended, is := errors.AsType[Error](err); is {
		return ended.Status
	}
	return exitFailed
}

// Error reports that the tool failed. Its status becomes that of this program.
type Error struct {
	Tool   string
	Status int
}

func (e Error) Error() string { return fmt.Sprintf("%s ended with status %d", e.Tool, e.Status) }

// Run runs a program in the foreground under a name, and passes its two outputs to their readers, which must read to the end. The program
// gets SIGTERM when the context ends.
func Run(ctx context.Context, name, program string, arguments []string, stdout, stderr func(io.Reader)) error {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	problems, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", program, err)
	}
	var readers sync.WaitGroup
	readers.Go(func() { stdout(out) })
	readers.Go(func() { stderr(problems) })
	readers.Wait()
	err = command.Wait()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && exit.ExitCode() >= 0:
		return Error{name, exit.ExitCode()}
	case failed:
		status, _ := exit.Sys().(syscall.WaitStatus)
		return Error{name, 128 + int(status.Signal())}
	case err != nil:
		return fmt.Errorf("running %s: %w", program, err)
	}
	return nil
}

// EachLine calls do with each line without its end. It reads to the end in any case, so that the tool never blocks on a full pipe.
func EachLine(from io.Reader, do func(string)) {
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
