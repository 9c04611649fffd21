package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// Command is the ringside command of the soak: one process at a time, which another goroutine may kill.
type Command struct {
	program, folder, log string
	environment          []string
	mu                   sync.Mutex
	process              *os.Process
	words                string
}

// Run it to its end. It returns the exit code, and killed where a signal ended it.
func (c *Command) Run(ctx context.Context, arguments ...string) (code int, killed bool, err error) {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, false, fmt.Errorf("open the log of ringside: %w", err)
	}
	defer func() { _ = log.Close() }()
	fmt.Fprintf(log, "\n$ ringside %q\n", arguments)
	cmd := exec.CommandContext(ctx, c.program, arguments...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = c.folder, log, log, c.environment
	if err := cmd.Start(); err != nil {
		return 0, false, fmt.Errorf("start ringside: %w", err)
	}
	c.set(cmd.Process, arguments[0])
	err = cmd.Wait()
	c.set(nil, "")
	fmt.Fprintf(log, "(%v)\n", cmd.ProcessState)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, true, ctx.Err()
	case errors.As(err, &exit):
		status, is := exit.Sys().(syscall.WaitStatus)
		return exit.ExitCode(), is && status.Signaled(), nil
	case err != nil:
		return 0, false, fmt.Errorf("run ringside: %w", err)
	}
	return 0, false, nil
}

func (c *Command) set(process *os.Process, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.process, c.words = process, words
}

// Kill what runs, and say what it was.
func (c *Command) Kill() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return "", errNothing
	}
	return "ringside " + c.words, c.process.Kill()
}
