package hoststate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long processes may outlive the command that started them.
const patience = 5 * time.Second

// Guard runs a command with its own temporary directory and reports what the command left on the host, in that
// directory, and running. It returns the command's exit code. It reports leftovers of failed commands too.
func Guard(ctx context.Context, command, ignore []string) (left []string, code int, err error) {
	// Orphans of the command become children of this process, which identifies them.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, 0, fmt.Errorf("adopt orphans: %w", err)
	}
	temporary, err := os.MkdirTemp("", "rs-") // short because socket paths are limited
	if err != nil {
		return nil, 0, fmt.Errorf("make temporary directory: %w", err)
	}
	home, err := privateHome()
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(home)
	before, err := Read(ctx)
	if err != nil {
		return nil, 0, err
	}
	code, err = reapUntilDone(command, append(os.Environ(), "TMPDIR="+temporary))
	if err != nil {
		return nil, 0, err
	}
	left = awaitEnd(ctx, os.Getpid())
	after, err := Read(ctx)
	if err != nil {
		return nil, 0, err
	}
	left = append(left, Differences(before, after, append(ignore, temporary))...)
	for _, path := range tree(temporary)[1:] {
		left = append(left, "new:  "+path)
	}
	if code == 0 { // keep the logs of a failure
		if err := os.RemoveAll(temporary); err != nil {
			return nil, 0, fmt.Errorf("remove temporary directory: %w", err)
		}
	} else {
		_ = os.Remove(temporary) // succeeds only if it is empty
	}
	return left, code, nil
}

// privateHome makes a home directory with links to what is in the user's own, but without notShared, and sets HOME to it:
// programs of the user that run at the same time write to the user's own.
func privateHome() (string, error) {
	own, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find home directory: %w", err)
	}
	home, err := os.MkdirTemp("", "rs-home-")
	if err != nil {
		return "", fmt.Errorf("make home directory: %w", err)
	}
	entries, err := os.ReadDir(own)
	if err != nil {
		return "", fmt.Errorf("read home directory: %w", err)
	}
	for _, entry := range entries {
		if !slices.Contains(notShared, entry.Name()) {
			if err := os.Symlink(filepath.Join(own, entry.Name()), filepath.Join(home, entry.Name())); err != nil {
				return "", fmt.Errorf("make home directory: %w", err)
			}
		}
	}
	for name, value := range map[string]string{"HOME": home, "GOENV": filepath.Join(own, ".config/go/env"), "GOPATH": filepath.Join(own, "go"), "GOCACHE": filepath.Join(own, ".cache/go-build")} {
		if name == "HOME" || os.Getenv(name) == "" {
			if err := os.Setenv(name, value); err != nil {
				return "", fmt.Errorf("set %s: %w", name, err)
			}
		}
	}
	return home, nil
}

// reapUntilDone waits for the command and reaps orphans meanwhile: a zombie would count as running.
func reapUntilDone(command, environment []string) (code int, err error) {
	program, err := exec.LookPath(command[0])
	if err != nil {
		return 0, fmt.Errorf("find command: %w", err)
	}
	process, err := os.StartProcess(program, command, &os.ProcAttr{
		Env: environment, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
	if err != nil {
		return 0, fmt.Errorf("start command: %w", err)
	}
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, fmt.Errorf("wait for %s: %w", program, err)
		case pid == process.Pid && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == process.Pid:
			return status.ExitStatus(), nil
		}
	}
}

// awaitEnd waits until the process has no children, and returns those that do not end.
func awaitEnd(ctx context.Context, parent int) []string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		for { // reap zombies
			if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != nil || pid <= 0 {
				break
			}
		}
		alive := children(parent)
		if len(alive) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return alive
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func children(parent int) []string {
	var found []string
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		stat, err := os.ReadFile(entry + "/stat")
		if err != nil {
			continue // it has just ended
		}
		// The process name, in parentheses, may contain any character. The state and the parent follow the last
		// parenthesis.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(parent) {
			continue
		}
		arguments, _ := os.ReadFile(entry + "/cmdline")
		found = append(found, fmt.Sprintf("runs: process %s: %s", filepath.Base(entry), strings.ReplaceAll(string(arguments), "\x00", " ")))
	}
	return found
}
