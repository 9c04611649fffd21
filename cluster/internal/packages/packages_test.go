package packages

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDisablesWhatWasInstalledAndNothingElse(t *testing.T) {
	root := t.TempDir()
	wants := filepath.Join(root, "etc/systemd/system/multi-user.target.wants")
	require.NoError(t, os.MkdirAll(wants, 0o755))
	for _, unit := range []string{"containerd.service", "ssh.service"} {
		require.NoError(t, os.Symlink("/lib/systemd/system/"+unit, filepath.Join(wants, unit)))
	}
	require.NoError(t, disableUnits(root, []string{"containerd", "runc"}))
	left, err := os.ReadDir(wants)
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, "ssh.service", left[0].Name())
}

func TestTheAdministratorsUnitsAreNotTouched(t *testing.T) {
	// nftables is installed although its program was not found, for example with a PATH without /usr/sbin.
	listing := "containerd not-installed\nnftables installed\nrunc config-files\nnftables-extra installed\n"
	assert.Equal(t, []string{"containerd", "runc", "buildah"}, withoutInstalled([]string{"containerd", "nftables", "runc", "buildah"}, listing))
}

func TestAnInstallationRemovesNothing(t *testing.T) {
	assert.Contains(t, installArguments([]string{"runc"}), "--no-remove")
}

func ask(t *testing.T, policy string) (code int) {
	t.Helper()
	err := exec.Command("sh", policy, "containerd", "start").Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	require.NoError(t, err)
	return 0
}

func TestForbidsServicesOnlyWhileItInstalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy-rc.d")
	allow, err := forbidServices(path)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	assert.Equal(t, 101, ask(t, path))
	allow()
	assert.NoFileExists(t, path)
}

func TestAKilledInstallationForbidsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy-rc.d")
	gone := exec.Command("true")
	require.NoError(t, gone.Run())
	left := fmt.Sprintf(policyFormat, gone.Process.Pid)
	require.NoError(t, os.WriteFile(path, []byte(left), 0o755))
	assert.Zero(t, ask(t, path), "allowed")
	assert.NoFileExists(t, path, "and it is gone with the first question")

	require.NoError(t, os.WriteFile(path, []byte(left), 0o755))
	allow, err := forbidServices(path)
	require.NoError(t, err)
	assert.Equal(t, 101, ask(t, path), "the next installation takes it over")
	allow()
	assert.NoFileExists(t, path)
}

func TestKeepsTheAdministratorsPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy-rc.d")
	const theirs = "#!/bin/sh\nexit 101\n"
	require.NoError(t, os.WriteFile(path, []byte(theirs), 0o755))
	allow, err := forbidServices(path)
	require.NoError(t, err)
	allow()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, theirs, string(content))
}

func TestFindsAptsComplaint(t *testing.T) {
	for _, test := range []struct{ name, output, want string }{
		{"an error", "Reading lists...\nE: Unable to locate package nope\nE: second\n", "Unable to locate package nope"},
		{"no marked error", "Reading lists...\nsomething broke\n", "something broke"},
		{"nothing", "", ""},
	} {
		assert.Equal(t, test.want, complaint(test.output), test.name)
	}
}
