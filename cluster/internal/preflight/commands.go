package preflight

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ringside.dev/ringside/cluster/internal/node"
)

// systemDirs have the programs for root. A root shell started by plain su does not have them on its PATH.
var systemDirs = []string{"/usr/local/sbin", "/usr/sbin", "/sbin"}

// SystemPath returns path with the missing systemDirs appended.
func SystemPath(path string) string {
	dirs := filepath.SplitList(path)
	for _, dir := range systemDirs {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// Command is a program of the distribution and its Debian package.
type Command struct {
	Name    string
	Package string
	Paths   []string // candidates; empty: search PATH
}

// CNIDirs are the directories of network plugins in different distributions.
var CNIDirs = []string{"/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"}

// Commands returns the commands that the cluster needs.
func Commands() []Command {
	var plugins []string
	for _, dir := range CNIDirs {
		plugins = append(plugins, dir+"/"+node.CNIPlugin)
	}
	return []Command{
		{Name: "containerd", Package: "containerd"},
		{Name: "ctr", Package: "containerd"},
		{Name: "runc", Package: "runc"},
		{Name: node.CNIPlugin, Package: "containernetworking-plugins", Paths: plugins},
		{Name: "nft", Package: "nftables"},
		{Name: "mount", Package: "mount"},
		{Name: "mkfs.ext4", Package: "e2fsprogs"},
	}
}

// Missing returns the commands that were not found.
func Missing(commands []Command) []Command {
	var missing []Command
	for _, command := range commands {
		if !present(command) {
			missing = append(missing, command)
		}
	}
	return missing
}

func present(command Command) bool {
	if len(command.Paths) == 0 {
		_, err := exec.LookPath(command.Name)
		return err == nil
	}
	return slices.ContainsFunc(command.Paths, func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// PackagesOf returns the packages of the commands without duplicates.
func PackagesOf(commands []Command) []string {
	var packages []string
	for _, command := range commands {
		if !slices.Contains(packages, command.Package) {
			packages = append(packages, command.Package)
		}
	}
	return packages
}

func packagesOf(names []string) []string {
	return PackagesOf(slices.DeleteFunc(Commands(), func(command Command) bool {
		return !slices.Contains(names, command.Name)
	}))
}
