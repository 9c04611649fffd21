package imagebuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRefusesADebianPackageThatIsOlderOrOtherThanTheLockSays(t *testing.T) {
	for _, tool := range []string{"bash", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("left out: there is no %s, and without one no package is taken", tool)
		}
	}
	architecture, err := exec.Command("dpkg", "--print-architecture").Output()
	require.NoError(t, err)
	dir := t.TempDir()
	lock, deb := filepath.Join(dir, "packages.lock"), filepath.Join(dir, "a.deb")
	require.NoError(t, os.WriteFile(deb, []byte("x"), 0o600))
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of "x"
	for _, test := range []struct {
		name, locked, line string
		refused            bool
		says               string
	}{
		{"as locked", "a 1.2-3 " + sum, "a 1.2-3 " + deb, false, ""},
		{"older", "a 1.2-3 " + sum, "a 1.2-1 " + deb, true, "a 1.2-1 is older than 1.2-3"},
		{"other bytes", "a 1.2-3 00", "a 1.2-3 " + deb, true, "a 1.2-3: its checksum differs from images/debian/packages.lock"},
		{"newer, as a mirror moves on", "a 1.2-3 00", "a 1.10-1 " + deb, false, "a 1.10-1 is newer than 1.2-3"},
		{"not locked", "b 1 00", "a 1 " + deb, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(lock, []byte(test.locked+" "+string(architecture)), 0o600))
			output, err := exec.Command("bash", "-c", `set -euo pipefail; . ../../debian/packages.sh; lock=$1; echo "$2" | hold_to_lock`, "test", lock, test.line).CombinedOutput()
			assert.Equal(t, test.refused, err != nil, "%s", output)
			assert.Contains(t, string(output), test.says)
		})
	}
}
