package machine

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"ringside.dev/ringside/cluster/internal/cgroup"
)

// InitCommand is the hidden command that runs a machine's init.
const InitCommand = "init"

// StartOptions defines where a machine is recorded, and its control group.
type StartOptions struct {
	RecordDir string
	LogDir    string
	Tree      cgroup.Tree
	Cgroup    string // of the daemons; containers have groups of their own
	// Connect connects the machine's network from outside, before its daemons start.
	Connect func(pid int) error
}

// Start starts the machine and returns the process of its init.
//
// The init receives its spec after it is in its control group and connected.
func Start(spec Spec, opts StartOptions) (Process, error) {
	if err := os.MkdirAll(opts.LogDir, 0o750); err != nil {
		return Process{}, fmt.Errorf("make log directory: %w", err)
	}
	if err := opts.Tree.Make(opts.Cgroup); err != nil {
		return Process{}, err
	}
	if err := opts.Tree.WeighDaemons(opts.Cgroup); err != nil {
		return Process{}, err
	}
	log, err := os.OpenFile(InitLog(opts.LogDir), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o640)
	if err != nil {
		return Process{}, fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	specReader, specWriter, err := os.Pipe()
	if err != nil {
		return Process{}, fmt.Errorf("make pipe: %w", err)
	}
	defer specReader.Close()
	defer specWriter.Close()

	cmd := exec.Command("/proc/self/exe", InitCommand, spec.Name)
	cmd.Args[0] = "ringside-cluster"
	cmd.Dir = "/"
	cmd.Env = []string{}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{specReader}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true,
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
	}
	if err := cmd.Start(); err != nil {
		return Process{}, fmt.Errorf("start machine %s: %w", spec.Name, err)
	}
	process, err := handOver(spec, opts, cmd.Process.Pid, specWriter)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return Process{}, fmt.Errorf("start machine %s: %w", spec.Name, err)
	}
	_ = cmd.Process.Release()
	return process, nil
}

func handOver(spec Spec, opts StartOptions, pid int, specWriter *os.File) (Process, error) {
	if err := opts.Tree.Join(opts.Cgroup, pid); err != nil {
		return Process{}, err
	}
	process, err := Identify(pid)
	if err != nil {
		return Process{}, err
	}
	if err := process.Record(opts.RecordDir, spec.Name); err != nil {
		return Process{}, err
	}
	if err := opts.Connect(pid); err != nil {
		return Process{}, err
	}
	if err := json.NewEncoder(specWriter).Encode(spec); err != nil {
		return Process{}, fmt.Errorf("hand over spec: %w", err)
	}
	return process, nil
}

// InitLog returns the path of the log of a machine's init.
func InitLog(logDir string) string { return filepath.Join(logDir, "init.log") }

// ServiceLog returns the path of a service's log.
func ServiceLog(logDir, service string) string { return filepath.Join(logDir, service+".log") }
