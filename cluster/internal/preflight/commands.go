package preflight

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ringside.dev/ringside/cluster/internal/node"
)

// systemDirs hold what only root runs. A root's shell that was made by a plain su has none of them on its PATH.
var systemDirs = []string{"/usr/local/sbin", "/usr/sbin", "/sbin"}

// SystemPath is the PATH with those directories at its end.
func SystemPath(path string) string {
	dirs := filepath.SplitList(path)
	for _, dir := range systemDirs {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// Command is a program of the distribution and the Debian package that brings it.
type Command struct {
	Name    string
	Package string
	Paths   []string // where to look; empty: on PATH
}

// CNIDirs are where distributions put network plugins.
var CNIDirs = []string{"/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"}

// Commands lists what the cluster and the building of images for it need.
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
		{Name: "buildah", Package: "buildah"},
		{Name: "mmdebstrap", Package: "mmdebstrap"},
		{Name: "newuidmap", Package: "uidmap"},
	}
}

// Missing returns the commands that are not there.
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

// PackagesOf returns the packages of the commands, each once.
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
