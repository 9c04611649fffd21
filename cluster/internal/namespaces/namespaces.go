// Package namespaces creates network namespaces for tests.
package namespaces

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netns"
)

// New returns a process in its own network namespace. The process ends with the test, and with the thread that started
// it: a test must lock its thread (runtime.LockOSThread) while it uses the namespace.
func New(t testing.TB) (pid int) {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

// Within runs work in the network namespace of a process, on a thread that ends with work.
func Within(pid int, work func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		ns, err := netns.GetFromPid(pid)
		if err == nil {
			defer ns.Close()
			err = netns.Set(ns)
		}
		if err == nil {
			err = work()
		}
		done <- err
	}()
	return <-done
}
