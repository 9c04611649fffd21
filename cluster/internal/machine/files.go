package machine

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// arrangeFiles sets up the machine's file system: the host's programs, but its own /run and bind mounts, so that no
// daemon reads or writes the host's /run, /var or /tmp.
func arrangeFiles(spec Spec) error {
	// Not private: unmounts on the host must propagate, or a machine would keep the host's disks in use.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("keep mounts from the host: %w", err)
	}
	// Open the sources first, because later mounts may hide their paths.
	sources, err := openSources(spec.Binds)
	if err != nil {
		return err
	}
	defer closeAll(sources)
	if err := unix.Mount("tmpfs", "/run", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755"); err != nil {
		return fmt.Errorf("mount private /run: %w", err)
	}
	if err := os.MkdirAll("/run/lock", 0o755); err != nil {
		return fmt.Errorf("make /run/lock: %w", err)
	}
	for i, bind := range spec.Binds {
		if err := bindMount(sources[i], bind.Target); err != nil {
			return err
		}
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := maskSysctls(spec.Masks); err != nil {
		return err
	}
	// Pods may request mounts that propagate between them and the node. These need shared mounts.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil {
		return fmt.Errorf("share mounts within the machine: %w", err)
	}
	return nil
}

func openSources(binds []Bind) ([]*os.File, error) {
	var sources []*os.File
	for _, bind := range binds {
		if err := os.MkdirAll(bind.Source, 0o755); err != nil {
			closeAll(sources)
			return nil, fmt.Errorf("make directory: %w", err)
		}
		source, err := os.OpenFile(bind.Source, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			closeAll(sources)
			return nil, fmt.Errorf("open directory: %w", err)
		}
		sources = append(sources, source)
	}
	return sources, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

func bindMount(source *os.File, target string) error {
	if err := os.MkdirAll(target, 0o755); err != nil {
		return fmt.Errorf("make mount point: %w", err)
	}
	if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", source.Fd()), target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind %s to %s: %w", source.Name(), target, err)
	}
	return nil
}

// maskSysctls mounts files over kernel settings that a daemon would change but that belong to the whole host.
func maskSysctls(masks map[string]string) error {
	for path, value := range masks {
		cover := filepath.Join("/run/masks", path)
		if err := os.MkdirAll(filepath.Dir(cover), 0o755); err != nil {
			return fmt.Errorf("mask sysctl: %w", err)
		}
		if err := os.WriteFile(cover, []byte(value+"\n"), 0o444); err != nil {
			return fmt.Errorf("mask sysctl: %w", err)
		}
		target := filepath.Join("/proc/sys", path)
		if err := unix.Mount(cover, target, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mask %s: %w", target, err)
		}
	}
	return nil
}
