package packages

import (
	"os"
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

func TestFindsAptsComplaint(t *testing.T) {
	for _, test := range []struct{ name, output, want string }{
		{"an error", "Reading lists...\nE: Unable to locate package nope\nE: second\n", "Unable to locate package nope"},
		{"no marked error", "Reading lists...\nsomething broke\n", "something broke"},
		{"nothing", "", ""},
	} {
		assert.Equal(t, test.want, complaint(test.output), test.name)
	}
}
