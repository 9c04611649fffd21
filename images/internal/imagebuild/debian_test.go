package imagebuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	output, err := exec.Command("dpkg", "--print-architecture").Output()
	require.NoError(t, err)
	ours := strings.TrimSpace(string(output))
	dir := t.TempDir()
	lock, deb := filepath.Join(dir, "packages.lock"), filepath.Join(dir, "a.deb")
	require.NoError(t, os.WriteFile(deb, []byte("x"), 0o600))
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of "x"
	for _, test := range []struct {
		name, locked, architecture, line string
		refused                          bool
		says                             string
	}{
		{"as locked", "a 1.2-3 " + sum, ours, "a 1.2-3 " + deb, false, ""},
		{"older", "a 1.2-3 " + sum, ours, "a 1.2-1 " + deb, true, "a 1.2-1 is older than 1.2-3"},
		{"other bytes", "a 1.2-3 00", ours, "a 1.2-3 " + deb, true, "a 1.2-3: its checksum differs from images/debian/packages.lock"},
		{"newer, as a mirror moves on", "a 1.2-3 00", ours, "a 1.10-1 " + deb, false, "a 1.10-1 is newer than 1.2-3"},
		{"older than on another architecture", "a 1.2-3 " + sum, "other", "a 1.2-1 " + deb, false, ""},
		{"older, for all architectures", "a 1.2-3 -", "all", "a 1.2-1", true, "a 1.2-1 is older than 1.2-3"},
		{"not locked", "b 1 00", ours, "a 1 " + deb, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(lock, []byte(test.locked+" "+test.architecture+"\n"), 0o600))
			output, err := exec.Command("bash", "-c", `set -euo pipefail; . ../../debian/packages.sh; lock=$1; echo "$2" | hold_to_lock`, "test", lock, test.line).CombinedOutput()
			assert.Equal(t, test.refused, err != nil, "%s", output)
			assert.Contains(t, string(output), test.says)
		})
	}
}

// debian runs a function of packages.sh with other programs in place of apt's.
func debian(t *testing.T, call string, programs map[string]string, environment ...string) (output string, err error) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash")
	}
	bin := t.TempDir()
	for name, script := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	cmd := exec.Command("bash", "-c", "set -euo pipefail; . ../../debian/packages.sh; "+call)
	cmd.Env = append(os.Environ(), append(environment, "PATH="+bin+":"+os.Getenv("PATH"), "T="+t.TempDir())...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func TestDebiansMirrorIsTheUsersOrTheMachinesOrTheDefault(t *testing.T) {
	// As newer versions, it refuses its mode chrootless to root.
	const tool = `case "$1" in *chrootless) [ "$(id -u)" != 0 ] || exit 1;; esac; echo "I: finding correct signed-by value..."; echo "deb http://default.example/debian sid main"; exit 1`
	for _, test := range []struct {
		name, apt, tool, variable string
		want                      string
		fails                     bool
	}{
		{"the user's", "echo http://machine.example/", tool, "http://user.example/", "http://user.example/\n", false},
		{"the machine's", "echo http://machine.example/; echo http://second.example/", tool, "", "http://machine.example/\n", false},
		{"the tool's, on another distribution", "exit 0", tool, "", "http://default.example/debian\n", false},
		{"none", "exit 0", "exit 127", "", "no mirror of Debian is known: set DEBIAN_MIRROR=<URL>, or run apt-get install mmdebstrap, which knows one\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			output, err := debian(t, "debian_mirror /keys", map[string]string{"apt-get": test.apt, "mmdebstrap": test.tool}, "DEBIAN_MIRROR="+test.variable)
			assert.Equal(t, test.want, output)
			assert.Equal(t, test.fails, err != nil)
		})
	}
}

func TestDebiansKeysComeFromTheMachineOrItsDistribution(t *testing.T) {
	here := filepath.Join(t.TempDir(), "here.gpg")
	require.NoError(t, os.WriteFile(here, nil, 0o600))
	const unpack = `mkdir -p usr/share/keyrings && touch usr/share/keyrings/debian-archive-keyring.gpg`
	for _, test := range []struct {
		name, keyring, apt string
		want               string
		fails              bool
	}{
		{"on the machine", here, "exit 1", here + "\n", false},
		{"in a package of the distribution", "/nonexistent", "touch debian-archive-keyring_1_all.deb", "/keys/usr/share/keyrings/debian-archive-keyring.gpg\n", false},
		{"nowhere", "/nonexistent", "echo E: none >&2; exit 1", "set DEBIAN_KEYRING=<file>\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			output, err := debian(t, `debian_keyring "$T/keys"`, map[string]string{"apt-get": test.apt, "dpkg-deb": unpack}, "DEBIAN_KEYRING="+test.keyring)
			assert.Equal(t, test.fails, err != nil, output)
			assert.True(t, strings.HasSuffix(output, test.want), output)
		})
	}
}

func TestAJavaThatDebianDroppedIsNamed(t *testing.T) {
	for _, test := range []struct{ name, log, want string }{
		{"a Java", "I: running apt-get\nE: Unable to locate package openjdk-8-jre-headless\nE: mmdebstrap failed to run\n", "Debian sid no longer has openjdk-8-jre-headless; set BASE=<image with this Java>, or DEBIAN_MIRROR=<snapshot of Debian that has it>\n"},
		{"another error", "I: running apt-get\nE: no space left\nE: mmdebstrap failed to run\n", "E: no space left\n"},
		{"no marked error", "first\nlast\n", "last\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			require.NoError(t, os.WriteFile(log, []byte(test.log), 0o600))
			output, err := debian(t, "why_not "+log, nil)
			require.NoError(t, err)
			assert.Equal(t, test.want, output)
		})
	}
}
