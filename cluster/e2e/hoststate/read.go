package hoststate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ringside.dev/ringside/cluster/internal/cgroup"
)

// names lists directories whose direct entries are facts. Other programs write into them too, so deeper levels are
// ignored.
var names = []string{"/run", "/var/lib", "/var/log", "/opt", "/dev/shm"}

// trees lists directories that Kubernetes, its container runtime and our own programs might write into. Every file in
// them is a fact.
var trees = []string{
	"/run/netns", "/run/containerd", "/run/ringside-cluster", "/run/cni", "/run/xtables.lock",
	"/var/lib/kubelet", "/var/lib/cni", "/var/lib/etcd", "/var/lib/containerd", "/var/log/pods", "/var/log/containers",
	"/etc/cni", "/etc/kubernetes", "/etc/systemd/system", "/etc/modules-load.d", "/etc/sysctl.d", "/opt/cni", "/usr/libexec/kubernetes",
}

// homeTrees are such directories in the user's home directory, below those of notShared.
var (
	homeTrees = []string{".kube", ".config/helm", ".local/share/containers"}
	notShared = []string{".kube", ".config", ".local"}
)

// contents lists files whose content is a fact.
var contents = []string{"/etc/nftables.conf", "/usr/sbin/policy-rc.d", "/etc/hosts", "/etc/resolv.conf"}

var sysctls = []string{
	"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
	"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "net/ipv4/ip_forward", "net/netfilter/nf_conntrack_max",
}

// commands print facts that no file has. A command that is missing or not permitted yields no facts, before and after.
var commands = map[string][]string{
	"link":          {"ip", "-brief", "link"},
	"route":         {"ip", "route", "show", "table", "all"},
	"packet filter": {"nft", "--stateless", "list", "ruleset"},
}

// countdown matches what changes by itself in a route that a router announces.
var countdown = regexp.MustCompile(` expires \d+sec`)

// Read reads the host's state.
func Read(ctx context.Context) (State, error) {
	var state State
	for _, dir := range names {
		entries, _ := os.ReadDir(dir) // a missing directory has no entries
		for _, entry := range entries {
			state = append(state, filepath.Join(dir, entry.Name()))
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("find home directory: %w", err)
	}
	for _, dir := range homeTrees {
		state = append(state, tree(filepath.Join(home, dir))...)
	}
	for _, dir := range trees {
		state = append(state, tree(dir)...)
	}
	if content, err := os.ReadFile("/var/lib/dpkg/status"); err == nil {
		state = append(state, fmt.Sprintf("%swith sha256 %x", packages, sha256.Sum256(content)))
	}
	for _, file := range contents {
		if content, err := os.ReadFile(file); err == nil {
			state = append(state, fmt.Sprintf("%s with sha256 %x", file, sha256.Sum256(content)))
		}
	}
	for _, name := range sysctls {
		if content, err := os.ReadFile(filepath.Join("/proc/sys", name)); err == nil {
			state = append(state, fmt.Sprintf("sysctl %s = %s", name, strings.TrimSpace(string(content))))
		}
	}
	for kind, command := range commands {
		output, _ := exec.CommandContext(ctx, command[0], command[1:]...).Output()
		state = append(state, prefixed(kind, countdown.ReplaceAllString(string(output), ""))...)
	}
	for _, part := range []func() (State, error){mounts, loops, modules, groups} {
		facts, err := part()
		if err != nil {
			return nil, err
		}
		state = append(state, facts...)
	}
	return state, nil
}

// tree lists a directory and everything in it. A file that disappears meanwhile is no leftover.
func tree(root string) State {
	var facts State
	_ = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			facts = append(facts, path)
		}
		return nil
	})
	return facts
}

func mounts() (State, error) {
	content, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("read mounts: %w", err)
	}
	return mountFacts(string(content)), nil
}

// mountFacts omits the kernel's own file systems (tracefs, debugfs): any tool that uses one mounts it, and our programs
// do not.
func mountFacts(mountinfo string) State {
	var facts State
	for _, line := range strings.Split(mountinfo, "\n") {
		if fields := strings.Fields(line); len(fields) > 4 && !strings.HasPrefix(fields[4], "/sys/kernel/") {
			facts = append(facts, "mount "+fields[4])
		}
	}
	return facts
}

// loops returns the backing files of loop devices.
func loops() (State, error) {
	found, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		return nil, fmt.Errorf("list loop devices: %w", err)
	}
	var facts State
	for _, path := range found {
		if content, err := os.ReadFile(path); err == nil { // it may have been detached meanwhile
			facts = append(facts, "loop device of "+strings.TrimSpace(string(content)))
		}
	}
	return facts, nil
}

// modules returns the loaded kernel modules without their use counts.
func modules() (State, error) {
	content, err := os.ReadFile("/proc/modules")
	if os.IsNotExist(err) {
		return nil, nil // a kernel without modules
	}
	if err != nil {
		return nil, fmt.Errorf("read kernel modules: %w", err)
	}
	var facts State
	for _, line := range strings.Split(string(content), "\n") {
		if name, _, found := strings.Cut(line, " "); found {
			facts = append(facts, "module "+name)
		}
	}
	return facts, nil
}

// ofSystemd lists the controllers of version 2 that systemd enables and disables in the root as its units need them.
var ofSystemd = []string{"cpu", "cpuset", "io", "memory", "pids"}

// controllers returns those that a root of version 2 enables, but none of systemd's where it runs.
func controllers(mount string) State {
	content, _ := os.ReadFile(filepath.Join(mount, "cgroup.subtree_control")) // a hierarchy of version 1 has none
	_, err := os.Stat("/run/systemd/system")
	var facts State
	for _, name := range strings.Fields(string(content)) {
		if err != nil || !slices.Contains(ofSystemd, name) {
			facts = append(facts, fmt.Sprintf("controller %s of %s", name, mount))
		}
	}
	return facts
}

// groups returns the top-level control groups of each hierarchy, all of our own, and the controllers.
func groups() (State, error) {
	mounts, err := cgroup.Mounts()
	if err != nil {
		return nil, err
	}
	var facts State
	for _, mount := range mounts {
		entries, err := os.ReadDir(mount)
		if err != nil {
			return nil, fmt.Errorf("list control groups: %w", err)
		}
		for _, entry := range entries {
			if !entry.IsDir() {
				continue
			}
			dir := filepath.Join(mount, entry.Name())
			facts = append(facts, "control group "+dir)
			if strings.HasPrefix(entry.Name(), "ringside") {
				inner, _ := filepath.Glob(dir + "/*/")
				for _, group := range inner {
					facts = append(facts, "control group "+filepath.Clean(group))
				}
			}
		}
		facts = append(facts, controllers(mount)...)
	}
	return facts, nil
}
