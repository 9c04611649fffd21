package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Process identifies one process uniquely. A process id is not enough: it is reused after a while, and after a reboot.
type Process struct {
	PID        int    `json:"pid"`
	StartTicks uint64 `json:"startTicks"` // since boot
	BootID     string `json:"bootID"`
}

// Identify returns the running process with this id.
func Identify(pid int) (Process, error) {
	ticks, err := startTicks(pid)
	if err != nil {
		return Process{}, fmt.Errorf("identify process %d: %w", pid, err)
	}
	boot, err := bootID()
	if err != nil {
		return Process{}, err
	}
	return Process{PID: pid, StartTicks: ticks, BootID: boot}, nil
}

// Alive reports whether this process still runs. A zombie does not.
func (p Process) Alive() bool {
	if p.PID == 0 {
		return false
	}
	now, err := Identify(p.PID)
	return err == nil && now == p
}

// Root returns the path on the host of the machine's root directory.
func (p Process) Root() string { return fmt.Sprintf("/proc/%d/root", p.PID) }

// NetNS returns the path of the machine's network namespace.
func (p Process) NetNS() string { return fmt.Sprintf("/proc/%d/ns/net", p.PID) }

// Services returns the status of the services as reported by the machine's init.
func (p Process) Services() ([]ServiceStatus, error) {
	content, err := os.ReadFile(p.Root() + statusFile)
	if err != nil {
		return nil, fmt.Errorf("read service status: %w", err)
	}
	var services []ServiceStatus
	if err := json.Unmarshal(content, &services); err != nil {
		return nil, fmt.Errorf("read service status: %w", err)
	}
	return services, nil
}

// Record writes a record of the process under a name.
func (p Process) Record(dir, name string) error {
	content, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("record process: %w", err)
	}
	if err := writeFileAtomically(recordFile(dir, name), content); err != nil {
		return fmt.Errorf("record process: %w", err)
	}
	return nil
}

// Recorded returns the process recorded under a name. If there is none, it returns the zero Process, which is never
// alive.
func Recorded(dir, name string) (Process, error) {
	content, err := os.ReadFile(recordFile(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return Process{}, nil
	}
	if err != nil {
		return Process{}, fmt.Errorf("read process record: %w", err)
	}
	var p Process
	if err := json.Unmarshal(content, &p); err != nil {
		return Process{}, nil // ignore an incomplete record
	}
	return p, nil
}

func recordFile(dir, name string) string { return filepath.Join(dir, name+".json") }

func startTicks(pid int) (uint64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return parseStartTicks(string(stat))
}

// parseStartTicks returns field 22. The command's name, field 2, is in parentheses and may contain any character.
func parseStartTicks(stat string) (uint64, error) {
	end := strings.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, errors.New("unexpected form of /proc/<pid>/stat")
	}
	fields := strings.Fields(stat[end+1:])
	if len(fields) < 20 {
		return 0, errors.New("unexpected form of /proc/<pid>/stat")
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, errors.New("process has ended")
	}
	return strconv.ParseUint(fields[19], 10, 64)
}

func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	return strings.TrimSpace(string(id)), nil
}

func writeFileAtomically(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
