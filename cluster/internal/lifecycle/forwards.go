package lifecycle

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/machine"
)

// ForwardCommand is the hidden command that runs a forward.
const ForwardCommand = "serve-forward"

const forwardGroup = "forwards"

// forwardPrefix distinguishes the records of forwards from those of machines.
const forwardPrefix = "forward-"

func forwardRecord(name string) string { return forwardPrefix + name }

func (c Cluster) forwardsDir() string { return filepath.Join(c.Layout.State, "forwards") }

// forwards returns the user's forwards.
func (c Cluster) forwards() ([]forward.Forward, error) {
	files, err := filepath.Glob(filepath.Join(c.forwardsDir(), "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list forwards: %w", err)
	}
	var forwards []forward.Forward
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read forward: %w", err)
		}
		var f forward.Forward
		if err := json.Unmarshal(content, &f); err != nil {
			return nil, fmt.Errorf("read forward %s: %w", file, err)
		}
		forwards = append(forwards, f)
	}
	return forwards, nil
}

func (c Cluster) addForward(f forward.Forward) error {
	content, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("save forward: %w", err)
	}
	if err := os.MkdirAll(c.forwardsDir(), 0o755); err != nil {
		return fmt.Errorf("save forward: %w", err)
	}
	if err := os.WriteFile(filepath.Join(c.forwardsDir(), f.Name+".json"), content, 0o644); err != nil {
		return fmt.Errorf("save forward: %w", err)
	}
	if err := c.stopForward(f.Name); err != nil {
		return err
	}
	return c.startForward(f)
}

func (c Cluster) removeForward(name string) error {
	if err := os.Remove(filepath.Join(c.forwardsDir(), name+".json")); err != nil {
		return fmt.Errorf("remove forward: %w", err)
	}
	return c.stopForward(name)
}

func (c Cluster) stopForward(name string) error {
	process, err := c.process(forwardRecord(name))
	if err != nil || !process.Alive() {
		return err
	}
	if err := syscall.Kill(process.PID, syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop forward %s: %w", name, err)
	}
	for deadline := time.Now().Add(5 * time.Second); process.Alive(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("stop forward %s: process %d does not end", name, process.PID)
		}
	}
	return nil
}

// startForward starts the process of a forward unless it runs, and returns when its port accepts connections.
func (c Cluster) startForward(f forward.Forward) error {
	process, err := c.process(forwardRecord(f.Name))
	if err != nil || process.Alive() {
		return err
	}
	logDir := c.Layout.Logs("forwards")
	if err := os.MkdirAll(logDir, 0o750); err != nil {
		return fmt.Errorf("make log directory: %w", err)
	}
	log, err := os.OpenFile(machine.ServiceLog(logDir, f.Name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o640)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	cmd := exec.Command("/proc/self/exe", ForwardCommand,
		"--records="+c.Layout.Run(), "--listen="+f.Listen, "--target="+f.Target, "--machine="+f.Machine)
	cmd.Args[0] = "ringside-cluster"
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start forward %s: %w", f.Name, err)
	}
	if err := c.settleForward(f, cmd); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fmt.Errorf("start forward %s on %s: %w", f.Name, f.Listen, err)
	}
	return nil
}

func (c Cluster) settleForward(f forward.Forward, cmd *exec.Cmd) error {
	group := c.cgroup(forwardGroup)
	if err := c.Tree.Make(group); err != nil {
		return err
	}
	if err := c.Tree.Join(group, cmd.Process.Pid); err != nil {
		return err
	}
	process, err := machine.Identify(cmd.Process.Pid)
	if err != nil {
		return err
	}
	if err := process.Record(c.Layout.Run(), forwardRecord(f.Name)); err != nil {
		return err
	}
	for deadline := time.Now().Add(c.within(10 * time.Second)); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.DialTimeout("tcp", f.Listen, time.Second)
		if err == nil && process.Alive() {
			return connection.Close()
		}
		if err == nil {
			_ = connection.Close()
		}
		if !process.Alive() {
			return fmt.Errorf("it ended at once, see %s", machine.ServiceLog(c.Layout.Logs("forwards"), f.Name))
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}
