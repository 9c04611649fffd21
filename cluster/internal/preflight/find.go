package preflight

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/programs"
)

// bcrypted matches a line of an htpasswd file that the registry accepts: only bcrypt hashes.
var bcrypted = regexp.MustCompile(`(?m)^[^:#\s][^:]*:\$2[aby]\$`)

// usersFault describes what is wrong with an htpasswd file; empty if nothing is, or if path is empty.
func usersFault(path string) string {
	if path == "" {
		return ""
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if !bcrypted.Match(content) {
		return path + " has no user with a bcrypt password"
	}
	return ""
}

// Find reads the facts from the host. It does not determine whether the cluster itself runs.
func Find(l layout.Layout, tree cgroup.Tree, w Wish) (Facts, error) {
	facts := Facts{
		Root:            os.Geteuid() == 0,
		MissingPrograms: programs.Missing(l.Bin, w.RegistryPort != 0),
		PortTaken:       portTaken(w.APIPort),
		RegistryTaken:   w.RegistryPort != 0 && portTaken(w.RegistryPort),
		UsersFault:      usersFault(w.RegistryUsers),
		CgroupFaults:    tree.Faults(),
		CgroupNotes:     tree.Notes(),
		Unified:         cgroup.Unified(tree),
	}
	for _, command := range Missing(Commands()) {
		facts.MissingCommands = append(facts.MissingCommands, command.Name)
	}
	memory, err := Memory(tree)
	if err != nil {
		return Facts{}, err
	}
	facts.MemoryAvailable = memory.Available
	existing, err := nearestExisting(l.State)
	if err != nil {
		return Facts{}, err
	}
	if facts.DiskFree, err = diskFree(existing); err != nil {
		return Facts{}, err
	}
	if facts.Root {
		facts.InotifyFree = inotifyFree(node.InotifyNeeded(w.Nodes, facts.Unified))
		facts.MissingKernel = missingKernel()
		facts.Overlay = overlayWorks(existing)
	}
	return facts, nil
}

func portTaken(port int) bool {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err == nil {
		_ = listener.Close()
	}
	return errors.Is(err, unix.EADDRINUSE)
}

// MemoryFacts are in bytes.
type MemoryFacts struct {
	Host      int64 // memory of the machine, which a kubelet sees
	Total     int64 // usable memory; less than Host in a container with a limit
	Available int64
}

// Memory reads the host's memory, and the limit of a container.
func Memory(tree cgroup.Tree) (MemoryFacts, error) {
	m, err := hostMemory()
	if err != nil {
		return MemoryFacts{}, err
	}
	limit, used, err := tree.Memory()
	if err != nil {
		return MemoryFacts{}, err
	}
	return within(m, limit, used), nil
}

// within applies a limit; 0 means no limit.
func within(m MemoryFacts, limit, used int64) MemoryFacts {
	if limit > 0 {
		m.Total, m.Available = min(m.Total, limit), min(m.Available, limit-used)
	}
	return m
}

func hostMemory() (MemoryFacts, error) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return MemoryFacts{}, fmt.Errorf("read memory size: %w", err)
	}
	defer f.Close()
	var m MemoryFacts
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		kibibytes, _ := strconv.ParseInt(fields[1], 10, 64) // the relevant lines have a number
		switch fields[0] {
		case "MemTotal:":
			m.Host, m.Total = kibibytes<<10, kibibytes<<10
		case "MemAvailable:":
			m.Available = kibibytes << 10
		}
	}
	if err := lines.Err(); err != nil {
		return MemoryFacts{}, fmt.Errorf("read memory size: %w", err)
	}
	return m, nil
}

func nearestExisting(dir string) (string, error) {
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return "", fmt.Errorf("%s is not a directory: choose another --state", dir)
		}
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look at state directory: %w", err)
		}
		dir = filepath.Dir(dir)
	}
}

func diskFree(dir string) (int64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, fmt.Errorf("read free disk under %s: %w", dir, err)
	}
	return int64(stat.Bavail) * stat.Bsize, nil
}
