// Package programs knows the programs that cluster/build.sh builds, and keeps a copy of them for a cluster at its
// start.
package programs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Kube is the directory of the links by which the Kubernetes programs are called.
const Kube = "kube"

// Registry is the program of the cluster's registry. It is optional.
const Registry = "registry"

// Names returns the paths of the programs of every cluster, relative to their directory.
func Names() []string {
	names := []string{"ringside-kube", "coredns", "pause", "ringside-cluster"}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "kubectl"} {
		names = append(names, filepath.Join(Kube, name))
	}
	return names
}

// Missing returns the programs that the directory lacks, with or without the registry.
func Missing(dir string, registry bool) []string {
	var missing []string
	names := Names()
	if registry {
		names = append(names, Registry)
	}
	for _, name := range names {
		if path := filepath.Join(dir, name); !exists(path) {
			missing = append(missing, path)
		}
	}
	return missing
}

// Keep makes the directory to contain the same files as from. Builds replace files and never modify them, so hard links
// are sufficient. Across file systems it copies.
func Keep(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("keep programs: %w", err)
	}
	names := Names()
	if exists(filepath.Join(from, Registry)) {
		names = append(names, Registry)
	}
	for _, name := range names {
		if err := keep(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return fmt.Errorf("keep program %s: %w", name, err)
		}
	}
	return nil
}

func keep(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.Mode().Type() == fs.ModeSymlink { // relative: it points to a kept file in the same directory
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	err = os.Link(from, to)
	if errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EMLINK) {
		return clone(from, to)
	}
	return err
}

func clone(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
