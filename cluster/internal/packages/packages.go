// Package packages installs Debian packages without starting their services. apt.sh does the work, because the build
// tools are installed before there is a Go program.
package packages

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

//go:embed apt.sh
var script string

// Available reports whether this host installs packages with apt-get.
func Available() bool {
	_, err := exec.LookPath("apt-get")
	return err == nil
}

// Install installs the packages and records those that were not there before. It calls say when it waits for another
// program that uses apt.
func Install(ctx context.Context, names []string, say func(format string, args ...any)) error {
	cmd := exec.CommandContext(ctx, "bash", append([]string{"-c", script, "apt.sh", "install"}, names...)...)
	// The shell ends after apt-get, which must not be killed halfway.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	output, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("install packages: %w", err)
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("install packages: %w", err)
	}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		say("%s", withoutName(lines.Text()))
	}
	if err := cmd.Wait(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			return errors.New(withoutName(text[strings.LastIndexByte(text, '\n')+1:]))
		}
		return fmt.Errorf("install packages: %w", err)
	}
	return nil
}

// withoutName removes the prefix that the script's lines have for its other callers.
func withoutName(line string) string { return strings.TrimPrefix(line, "ringside: ") }
