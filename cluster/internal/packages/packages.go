// Package packages installs Debian packages without letting them start services.
package packages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// policyFile is what Debian's maintainer scripts ask before they start a service.
const policyFile = "/usr/sbin/policy-rc.d"

// policy answers "not allowed".
const policy = "#!/bin/sh\nexit 101\n"

// Available tells whether this host installs packages with apt-get.
func Available() bool {
	_, err := exec.LookPath("apt-get")
	return err == nil
}

// Install installs the packages. It refreshes the package lists only if it fails without.
func Install(ctx context.Context, names []string) error {
	allow, err := forbidServices()
	if err != nil {
		return err
	}
	defer allow()
	if err := install(ctx, names); err != nil {
		if _, err := aptGet(ctx, "update", "-q"); err != nil {
			return fmt.Errorf("apt-get update: %w; check the package sources and the network", err)
		}
		if err := install(ctx, names); err != nil {
			return fmt.Errorf("apt-get install %s: %w; install them by hand", strings.Join(names, " "), err)
		}
	}
	return disableUnits("/", names)
}

func install(ctx context.Context, names []string) error {
	_, err := aptGet(ctx, append([]string{"install", "-y", "-q", "--no-install-recommends"}, names...)...)
	return err
}

// forbidServices keeps the installation from starting daemons on the host. A policy that is there already is the
// administrator's and stays.
func forbidServices() (allow func(), err error) {
	f, err := os.OpenFile(policyFile, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("forbid service starts: %w", err)
	}
	_, err = f.WriteString(policy)
	if err := errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(policyFile)
		return nil, fmt.Errorf("forbid service starts: %w", err)
	}
	return func() { _ = os.Remove(policyFile) }, nil
}

// disableUnits keeps what was just installed from starting with the next boot: it removes the links by which systemd
// is told to, as "systemctl disable" does, but also where there is no systemctl yet.
func disableUnits(root string, names []string) error {
	for _, name := range names {
		links, err := filepath.Glob(filepath.Join(root, "etc/systemd/system/*.wants", name+".service"))
		if err != nil {
			return fmt.Errorf("disable %s.service: %w", name, err)
		}
		for _, link := range links {
			if err := os.Remove(link); err != nil {
				return fmt.Errorf("disable %s.service: %w", name, err)
			}
		}
	}
	return nil
}

func aptGet(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "apt-get", args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	output, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, complaint(string(output)))
	}
	return string(output), nil
}

// complaint is the line that says what is wrong: apt's first that begins with "E:", or the last of all.
func complaint(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "E:") {
			return strings.TrimSpace(strings.TrimPrefix(line, "E:"))
		}
	}
	return lines[len(lines)-1]
}
