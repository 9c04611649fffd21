package localcluster

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Run runs a program and returns what it printed.
type Run func(ctx context.Context, program string, arguments ...string) (output string, err error)

// Program runs a program of the PATH.
func Program(ctx context.Context, program string, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput()
	return string(output), err
}

// Load loads image archives into all nodes of the cluster, with the tool's own program.
func (c Cluster) Load(ctx context.Context, run Run, archives []string) error {
	if len(archives) == 0 {
		return nil
	}
	for _, call := range c.Tool.load(c.Name, archives) {
		output, err := run(ctx, c.Tool.Name, call...)
		switch {
		case errors.Is(err, exec.ErrNotFound):
			return fmt.Errorf("load images into %s cluster %s: there is no program %s; install it, or add its folder to the PATH", c.Tool.Name, c.Name, c.Tool.Name)
		case err != nil:
			return fmt.Errorf("load images into %s cluster %s: %s %s: %w: %s", c.Tool.Name, c.Name, c.Tool.Name, strings.Join(call, " "), err, tail(output))
		}
	}
	return nil
}

// tail returns the last lines of a program's output.
func tail(output string) string {
	const most = 5
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}
