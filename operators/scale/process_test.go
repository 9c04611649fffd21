package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that the simulation has started.
type process struct {
	name    string
	command *exec.Cmd
	log     string
	ended   chan error
}

// start starts a program, with its output in a file of the folder.
func start(ctx context.Context, folder, name, program string, environment []string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(folder, name+".log"), ended: make(chan error, 1)}
	out, err := os.Create(p.log)
	if err != nil {
		return nil, fmt.Errorf("keep the log of %s: %w", name, err)
	}
	defer func() { _ = out.Close() }() // the program has its own descriptor
	p.command = exec.CommandContext(ctx, program, args...)
	p.command.Env = append(os.Environ(), environment...)
	p.command.Stdout, p.command.Stderr = out, out
	p.command.Dir = folder
	// The programs end with the simulation in any case.
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 10 * time.Second
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() { p.ended <- p.command.Wait() }()
	return p, nil
}

// stop ends the process and waits for its end.
func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.command.Process.Kill()
		<-p.ended
	}
}

// alive returns an error with the end of the output if the process has ended.
func (p *process) alive() error {
	select {
	case err := <-p.ended:
		p.ended <- err
		return fmt.Errorf("%s has ended (%w): %s", p.name, err, p.lastWords())
	default:
		return nil
	}
}

func (p *process) lastWords() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	const enough = 2000
	return string(text[max(0, len(text)-enough):])
}

// usage has a process's CPU time since its start, and its present and peak memory.
type usage struct {
	cpu            time.Duration
	resident, peak int64
}

// usage returns the kernel's figures.
func (p *process) usage() (usage, error) {
	var u usage
	folder := fmt.Sprintf("/proc/%d", p.command.Process.Pid)
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return u, fmt.Errorf("see what %s uses: %w", p.name, err)
	}
	_, behindName, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(behindName))
	const userTime, systemTime, ticksPerSecond = 11, 12, 100
	for _, field := range []int{userTime, systemTime} {
		ticks, err := strconv.ParseInt(fields[field], 10, 64)
		if err != nil {
			return u, fmt.Errorf("see what %s uses: %w", p.name, err)
		}
		u.cpu += time.Duration(ticks) * time.Second / ticksPerSecond
	}
	status, err := os.ReadFile(filepath.Join(folder, "status"))
	if err != nil {
		return u, fmt.Errorf("see what %s uses: %w", p.name, err)
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		into := map[string]*int64{"VmRSS": &u.resident, "VmHWM": &u.peak}[name]
		if into == nil {
			continue
		}
		if *into, err = strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64); err != nil {
			return u, fmt.Errorf("see what %s uses: %w", p.name, err)
		}
		*into *= 1024
	}
	return u, nil
}

// finished has the costs of a completed command.
type finished struct {
	took time.Duration
	cpu  time.Duration
	peak int64
}

// finish runs a command and returns its costs.
func finish(ctx context.Context, program string, args ...string) (finished, error) {
	command := exec.CommandContext(ctx, program, args...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = io.Discard, &said
	before := time.Now()
	err := command.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, said.String())
	}
	if err != nil {
		return finished{}, fmt.Errorf("%s %s: %w", filepath.Base(program), strings.Join(args, " "), err)
	}
	state := command.ProcessState
	out := finished{took: time.Since(before), cpu: state.UserTime() + state.SystemTime()}
	if used, is := state.SysUsage().(*syscall.Rusage); is {
		out.peak = used.Maxrss * 1024
	}
	return out, nil
}
