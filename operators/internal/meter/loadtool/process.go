package loadtool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Tool is a running load tool in its own process group.
type Tool struct {
	cmd *exec.Cmd
	// lastOut and lastErr are separate, so that much output does not displace the error message.
	lastOut, lastErr tail
	done             chan struct{}
}

// Exit describes how a tool ended.
type Exit struct {
	// Code is the exit status, or 128 and the signal's number.
	Code int
	// Signal is the signal that ended it; 0 if none did.
	Signal syscall.Signal
}

func (e Exit) String() string {
	if e.Signal != 0 {
		return fmt.Sprintf("was ended by signal %d (%s)", e.Signal, e.Signal)
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

// pipeGrace is the time for output of processes that outlive the tool.
const pipeGrace = 2 * time.Second

// StartTool starts the command with the environment. It passes output through immediately.
func StartTool(command, environ []string, stdout, stderr io.Writer) (*Tool, error) {
	t := &Tool{cmd: exec.Command(command[0], command[1:]...), done: make(chan struct{})}
	t.cmd.Env = environ
	t.cmd.Stdout = io.MultiWriter(stdout, &t.lastOut)
	t.cmd.Stderr = io.MultiWriter(stderr, &t.lastErr)
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.cmd.WaitDelay = pipeGrace
	if err := t.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the load tool: %w", err)
	}
	go func() {
		defer close(t.done)
		_ = t.cmd.Wait() // ProcessState has the result
		t.signal(syscall.SIGKILL)
	}()
	return t, nil
}

// Done returns a channel that is closed when the tool and its process group have ended.
func (t *Tool) Done() <-chan struct{} { return t.done }

// Exit waits for the tool's end and returns how it ended.
func (t *Tool) Exit() Exit {
	<-t.done
	status, ok := t.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return Exit{Code: 128 + int(status.Signal()), Signal: status.Signal()}
	}
	return Exit{Code: t.cmd.ProcessState.ExitCode()}
}

// LastLines returns the last lines of the tool's standard output, then of its standard error.
func (t *Tool) LastLines() string {
	return strings.Trim(t.lastOut.String()+"\n"+t.lastErr.String(), "\n")
}

// LastError returns the last line of the tool's standard error; empty if there is none.
func (t *Tool) LastError() string {
	lines := strings.Split(t.lastErr.String(), "\n")
	return lines[len(lines)-1]
}

// Stop asks the tool's whole process group to end, and kills it after grace. It returns when the group has ended.
func (t *Tool) Stop(grace time.Duration) {
	t.signal(syscall.SIGTERM)
	force := time.AfterFunc(grace, func() { t.signal(syscall.SIGKILL) })
	defer force.Stop()
	<-t.done
}

func (t *Tool) signal(s syscall.Signal) {
	// ESRCH: the group has already ended.
	_ = syscall.Kill(-t.cmd.Process.Pid, s)
}

// AdoptOrphans makes orphaned processes children of this one, so that EndOrphans finds those that left the tool's process group. The first
// process of a container is their parent in any case.
func AdoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	return nil
}

// EndOrphans kills every remaining child of this process, and their children as they are adopted. Call it only after the tool has ended,
// when no other child may run.
func EndOrphans() error {
	for range 100 {
		children, err := childrenOf(os.Getpid())
		if err != nil {
			return err
		}
		if len(children) == 0 {
			return nil
		}
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil && !errors.Is(err, syscall.ECHILD) {
				return fmt.Errorf("end process %d that the load tool left behind: %w", pid, err)
			}
		}
	}
	return errors.New("the load tool's processes keep starting others")
}

func childrenOf(pid int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	var children []int
	for _, list := range lists {
		children = append(children, numbersIn(list)...)
	}
	return children, nil
}
