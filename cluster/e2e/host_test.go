//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostState is all of the host that a cluster could leave a trace in.
func hostState(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{
		"mounts":        mountPoints(t),
		"links":         run(t, "ip", "-brief", "link"),
		"routes":        run(t, "ip", "route", "show", "table", "all"),
		"packet filter": run(t, "nft", "list", "ruleset"),
	}
	for _, sysctl := range []string{
		"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
		"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "net/ipv4/ip_forward", "net/netfilter/nf_conntrack_max",
	} {
		content, err := os.ReadFile(filepath.Join("/proc/sys", sysctl))
		if err == nil {
			state[sysctl] = string(content)
		}
	}
	for _, dir := range []string{
		"/run", "/run/netns", "/run/containerd", "/run/ringside-cluster", "/var/lib/kubelet", "/var/lib/cni", "/var/lib/containerd",
		"/var/log/pods", "/var/log/containers", "/etc/cni", "/etc/kubernetes", "/opt/cni",
	} {
		state[dir] = listing(t, dir)
	}
	return state
}

// processes lists the processes that run a program of the directory or whose arguments hold any of the marks.
func processes(t *testing.T, bin string, marks ...string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		exe, _ := os.Readlink(entry + "/exe") // kernel threads and those that just ended have none
		arguments, _ := os.ReadFile(entry + "/cmdline")
		line := strings.ReplaceAll(string(arguments), "\x00", " ")
		if strings.HasPrefix(exe, bin+"/") || slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(line, mark) }) {
			found = append(found, fmt.Sprintf("%s: %s", filepath.Base(entry), line))
		}
	}
	return found
}

func mountPoints(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	var points []string
	for _, line := range strings.Split(string(content), "\n") {
		if fields := strings.Fields(line); len(fields) > 4 {
			points = append(points, fields[4])
		}
	}
	slices.Sort(points)
	return strings.Join(points, "\n")
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return "not there"
	}
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, "\n")
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	output, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, output)
	return string(output)
}
