// Package packages installs Debian packages without starting their services.
package packages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// policyFile is the program that Debian's maintainer scripts run before they start a service.
const policyFile = "/usr/sbin/policy-rc.d"

// policyMark distinguishes our policy from an administrator's.
const policyMark = "# ringside-cluster: no service starts while it installs packages"

// policyFormat is a script that forbids service starts while the installing process lives. If it is left behind, it
// allows everything afterwards, as if it did not exist, and deletes itself.
const policyFormat = "#!/bin/sh\n" + policyMark + "\n" +
	"if [ -d /proc/%d ]; then exit 101; fi\n" +
	"rm -f -- \"$0\"\nexit 0\n"

// Available reports whether this host installs packages with apt-get.
func Available() bool {
	_, err := exec.LookPath("apt-get")
	return err == nil
}

// Install installs the packages. It refreshes the package lists only if the first attempt fails.
//
// It removes no packages, and disables only services of packages that it has installed.
func Install(ctx context.Context, names []string) error {
	absent, err := notInstalled(ctx, names)
	if err != nil {
		return err
	}
	allow, err := forbidServices(policyFile)
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
	return disableUnits("/", absent)
}

func install(ctx context.Context, names []string) error {
	_, err := aptGet(ctx, installArguments(names)...)
	return err
}

func installArguments(names []string) []string {
	return append([]string{"install", "-y", "-q", "--no-install-recommends", "--no-remove"}, names...)
}

// notInstalled returns the packages that are not installed. The units of installed ones belong to the administrator.
func notInstalled(ctx context.Context, names []string) ([]string, error) {
	output, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").Output()
	if err != nil {
		return nil, fmt.Errorf("list installed packages: %w", err)
	}
	return withoutInstalled(names, string(output)), nil
}

// withoutInstalled parses dpkg's list. The list includes removed packages that still have configuration files; these
// are not installed.
func withoutInstalled(names []string, listing string) []string {
	installed := strings.Split(listing, "\n")
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(installed, name+" installed")
	})
}

// forbidServices prevents the installation from starting daemons on the host. It keeps an administrator's policy, but
// replaces one that a killed installation of ours has left.
//
// The policy has no effect after this process has ended, so it does not affect other installations even if this process
// is killed.
func forbidServices(path string) (allow func(), err error) {
	policy := []byte(fmt.Sprintf(policyFormat, os.Getpid()))
	there, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(there), policyMark) {
		return func() {}, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("forbid service starts: %w", err)
	}
	if err := os.WriteFile(path, policy, 0o755); err != nil {
		_ = os.Remove(path)
		return nil, fmt.Errorf("forbid service starts: %w", err)
	}
	return func() { _ = os.Remove(path) }, nil
}

// disableUnits prevents newly installed services from starting at the next boot: it removes the links from systemd's
// targets, as "systemctl disable" does, but without requiring systemctl.
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

// complaint returns the line with the error: apt's first line that begins with "E:", or the last line.
func complaint(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "E:") {
			return strings.TrimSpace(strings.TrimPrefix(line, "E:"))
		}
	}
	return lines[len(lines)-1]
}
