package inflict

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// Others returns the processes of this PID namespace except the caller, as /proc lists them.
func Others() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var out []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && pid != os.Getpid() {
			out = append(out, pid)
		}
	}
	return out, nil
}

// Pause stops all threads of processes until the context ends. It uses ptrace, as a debugger does: a signal cannot stop the first process
// of a container, which is the store, and the kernel resumes everything if the tracer dies. Stopped processes keep their memory, locks and
// connections but do not answer, while the kernel still accepts data for them. Pause calls held when all threads are stopped.
//
// It needs CAP_SYS_PTRACE, or the processes' own user on a kernel that does not restrict tracing to children (kernel.yama.ptrace_scope).
func Pause(ctx context.Context, processes func() ([]int, error), held func()) error {
	runtime.LockOSThread() // the kernel accepts ptrace calls only from the tracing thread
	defer runtime.UnlockOSThread()
	holding := map[int]unix.Signal{}
	defer release(holding)
	// Threads may start others until they are stopped, so this repeats until there are no new ones.
	for {
		threads, err := threadsOf(processes)
		if err != nil {
			return err
		}
		found, err := holdAll(threads, holding)
		if err != nil {
			return err
		}
		if !found {
			break
		}
	}
	if len(holding) == 0 {
		return errors.New("there is no process to pause")
	}
	held()
	<-ctx.Done()
	return nil
}

// holdAll stops the threads that are not stopped yet, and reports whether there were any.
func holdAll(threads []int, holding map[int]unix.Signal) (found bool, err error) {
	var begun []int
	for _, thread := range threads {
		if _, is := holding[thread]; is {
			continue
		}
		if err := unix.PtraceSeize(thread); errors.Is(err, unix.ESRCH) {
			continue // the thread has ended
		} else if err != nil {
			return false, fmt.Errorf("hold thread %d of the store: %w (it takes CAP_SYS_PTRACE)", thread, err)
		}
		holding[thread] = 0
		begun = append(begun, thread)
		if err := unix.PtraceInterrupt(thread); err != nil && !errors.Is(err, unix.ESRCH) {
			return false, fmt.Errorf("stop thread %d of the store: %w", thread, err)
		}
	}
	for _, thread := range begun {
		signal, alive, err := stopped(thread)
		switch {
		case err != nil:
			return false, err
		case alive:
			holding[thread] = signal
		default:
			delete(holding, thread)
		}
	}
	return len(begun) > 0, nil
}

// stopped waits until a thread has stopped, and returns the signal at which it stopped, if any. The thread must get the signal when it is
// resumed.
func stopped(thread int) (signal unix.Signal, alive bool, err error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(thread, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECHILD):
			return 0, false, nil
		case err != nil:
			return 0, false, fmt.Errorf("wait for thread %d of the store to stop: %w", thread, err)
		case !status.Stopped():
			return 0, false, nil
		case int(status)>>16 == unix.PTRACE_EVENT_STOP:
			return 0, true, nil
		}
		return status.StopSignal(), true, nil
	}
}

// release resumes threads, each with the signal at which it stopped.
func release(holding map[int]unix.Signal) {
	for thread, signal := range holding {
		// A thread that has died cannot be resumed, and need not be.
		_, _, _ = unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(thread), 0, uintptr(signal), 0, 0)
	}
}

// threadsOf returns the threads of processes, without processes that are ending.
func threadsOf(processes func() ([]int, error)) ([]int, error) {
	pids, err := processes()
	if err != nil {
		return nil, err
	}
	var out []int
	for _, pid := range pids {
		entries, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task"))
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, unix.ESRCH) {
			return nil, fmt.Errorf("list the threads of process %d: %w", pid, err)
		}
		for _, entry := range entries {
			if thread, err := strconv.Atoi(entry.Name()); err == nil {
				out = append(out, thread)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}
