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

// Tool is a running load tool in a process group of its own.
type Tool struct {
	cmd *exec.Cmd
	// lastOut and lastErr are kept apart: a tool that says much would push out why it failed.
	lastOut, lastErr tail
	done             chan struct{}
}

// Exit says how a tool ended.
type Exit struct {
	// Code is the exit status, or 128 and the signal's number.
	Code int
	// Signal that ended it, if one did.
	Signal syscall.Signal
}

func (e Exit) String() string {
	if e.Signal != 0 {
		return fmt.Sprintf("was ended by signal %d (%s)", e.Signal, e.Signal)
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

// pipeGrace is how long the output of processes that a tool left behind is still awaited.
const pipeGrace = 2 * time.Second

// StartTool starts command with the environment. Its output is passed through as it comes.
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
		_ = t.cmd.Wait() // how it ended is in ProcessState
		t.signal(syscall.SIGKILL)
	}()
	return t, nil
}

// Done is closed once the tool has ended and its process group with it.
func (t *Tool) Done() <-chan struct{} { return t.done }

// Exit of a tool that is done.
func (t *Tool) Exit() Exit {
	<-t.done
	status, ok := t.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return Exit{Code: 128 + int(status.Signal()), Signal: status.Signal()}
	}
	return Exit{Code: t.cmd.ProcessState.ExitCode()}
}

// LastLines of the tool's standard output, then of its standard error.
func (t *Tool) LastLines() string {
	return strings.Trim(t.lastOut.String()+"\n"+t.lastErr.String(), "\n")
}

// Stop asks the tool's whole process group to end, and ends it by force after grace. It returns once that is done.
func (t *Tool) Stop(grace time.Duration) {
	t.signal(syscall.SIGTERM)
	force := time.AfterFunc(grace, func() { t.signal(syscall.SIGKILL) })
	defer force.Stop()
	<-t.done
}

func (t *Tool) signal(s syscall.Signal) {
	// ESRCH: the group is gone already.
	_ = syscall.Kill(-t.cmd.Process.Pid, s)
}

// AdoptOrphans makes processes whose parent ended children of this one, so that EndOrphans finds what a tool moved out of
// its process group. As a container's first process meter is their parent in any case.
func AdoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	return nil
}

// EndOrphans ends every child this process still has, and theirs as they become its own. To be called only when the tool is
// done and no other child is meant to run.
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
