package packages

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// host is a root folder with its own packages and package source, for the real apt-get and dpkg.
type host struct {
	t    *testing.T
	root string
}

func newHost(t *testing.T) host {
	t.Helper()
	for _, tool := range []string{"apt-get", "apt-cache", "apt-mark", "dpkg", "dpkg-deb", "dpkg-query"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	h := host{t, t.TempDir()}
	for _, dir := range []string{
		"etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/systemd/system/multi-user.target.wants", "usr/sbin", "var/lib/apt/lists/partial",
		"var/cache/apt/archives/partial", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "var/log/apt", "source", "bin",
	} {
		require.NoError(t, os.MkdirAll(h.path(dir), 0o755))
	}
	h.write("var/lib/dpkg/status", "")
	h.write("var/lib/dpkg/available", "")
	h.write("etc/apt/sources.list", "deb [trusted=yes] file:"+h.path("source")+" ./\n")
	h.write("source/Packages", "")
	h.write("bin/dpkg", "#!/bin/sh\nexec /usr/bin/dpkg --root="+h.root+" --log=/dev/null --force-not-root --force-script-chrootless \"$@\"\n")
	h.write("apt.conf", fmt.Sprintf("Dir %q;\nDir::State::status %q;\nDir::Bin::dpkg %q;\nAPT::Sandbox::User \"\";\n",
		h.root, h.path("var/lib/dpkg/status"), h.path("bin/dpkg")))
	t.Setenv("APT_CONFIG", h.path("apt.conf"))
	t.Setenv("DPKG_ADMINDIR", h.path("var/lib/dpkg"))
	t.Setenv("RINGSIDE_HOST", h.root)
	t.Setenv("RINGSIDE_APT_PATIENCE", "1")
	t.Setenv("TMPDIR", t.TempDir())
	return h
}

func (h host) path(name string) string { return filepath.Join(h.root, name) }

func (h host) write(name, content string) {
	h.t.Helper()
	require.NoError(h.t, os.WriteFile(h.path(name), []byte(content), 0o755))
}

func (h host) read(name string) string {
	content, _ := os.ReadFile(h.path(name)) // a missing file has no content
	return string(content)
}

func (h host) run(name string, args ...string) string {
	h.t.Helper()
	output, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(h.t, err, "%s %v: %s", name, args, output)
	return string(output)
}

// offer adds a package to the source.
func (h host) offer(name, relations, script string) {
	h.t.Helper()
	dir := h.t.TempDir()
	require.NoError(h.t, os.MkdirAll(filepath.Join(dir, "DEBIAN"), 0o755))
	control := "Package: " + name + "\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b.example>\nDescription: x\n" + relations
	require.NoError(h.t, os.WriteFile(filepath.Join(dir, "DEBIAN/control"), []byte(control), 0o644))
	if script != "" {
		require.NoError(h.t, os.WriteFile(filepath.Join(dir, "DEBIAN/postinst"), []byte("#!/bin/sh\nset -e\n"+script), 0o755))
	}
	file := name + ".deb"
	h.run("dpkg-deb", "--root-owner-group", "--build", dir, h.path("source/"+file))
	content := h.read("source/" + file)
	h.write("source/Packages", h.read("source/Packages")+fmt.Sprintf("%sFilename: ./%s\nSize: %d\nSHA256: %x\n\n", control, file, len(content), sha256.Sum256([]byte(content))))
}

// administer runs apt-get as somebody other than Ringside.
func (h host) administer(args ...string) {
	h.t.Helper()
	h.run("apt-get", "update")
	h.run("apt-get", append([]string{"-y"}, args...)...)
}

func (h host) installed() []string {
	h.t.Helper()
	var names []string
	for _, line := range strings.Split(h.run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"), "\n") {
		if name, found := strings.CutSuffix(line, " installed"); found {
			names = append(names, name)
		}
	}
	return names
}

func (h host) install(names ...string) (said []string, err error) {
	err = Install(h.t.Context(), names, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	return said, err
}

func (h host) uninstall() (string, error) {
	output, err := exec.Command("bash", "apt.sh", "uninstall").CombinedOutput()
	return string(output), err
}

const record = "var/lib/ringside/packages"

func TestRecordsOnlyPackagesThatWereNotThere(t *testing.T) {
	h := newHost(t)
	h.offer("tool", "Depends: lib, other-lib\n", "")
	h.offer("lib", "", "")
	h.offer("other-lib", "", "")
	h.administer("install", "other-lib")
	said, err := h.install("tool")
	require.NoError(t, err)
	assert.Empty(t, said)
	assert.ElementsMatch(t, []string{"lib", "other-lib", "tool"}, h.installed())
	assert.ElementsMatch(t, []string{"tool requested", "lib dependency"}, strings.Split(strings.TrimSpace(h.read(record)), "\n"))
}

func TestUninstallRemovesWhatWasRecordedAndNothingElse(t *testing.T) {
	for _, test := range []struct {
		name   string
		field  string     // of tool
		before []string   // packages of the administrator
		after  [][]string // what the administrator does between installation and removal
		left   []string
		says   string
	}{
		{name: "nothing else is there", says: "removing lib tool\n"},
		{name: "a package that was there before", before: []string{"lib"}, left: []string{"lib"}, says: "removing tool\n"},
		{name: "a package that another one needs", after: [][]string{{"apt-get", "-y", "install", "stranger"}}, left: []string{"lib", "stranger"}, says: "kept, because other packages or the system need them: lib\n"},
		{name: "a dependency that somebody requested since", after: [][]string{{"apt-mark", "manual", "lib"}}, left: []string{"lib"}, says: "kept, because other packages or the system need them: lib\n"},
		{name: "a package that somebody removed since", after: [][]string{{"apt-get", "-y", "remove", "lib"}}},
		{name: "an essential package", field: "Essential: yes\n", left: []string{"lib", "tool"}, says: "kept, because other packages or the system need them: lib tool\n"},
		{name: "an important package", field: "Important: yes\n", left: []string{"lib", "tool"}, says: "kept, because other packages or the system need them: lib tool\n"},
		{name: "a protected package", field: "Protected: yes\n", left: []string{"lib", "tool"}, says: "kept, because other packages or the system need them: lib tool\n"},
		{name: "a package of others that nothing needs", before: []string{"lone"}, left: []string{"lone"}, says: "removing lib tool\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.offer("tool", test.field+"Depends: lib\n", "")
			h.offer("lib", "", "")
			h.offer("lone", "", "")
			h.offer("stranger", "Depends: lib\n", "")
			if test.before != nil {
				h.administer(append([]string{"install"}, test.before...)...)
				h.run("apt-mark", append([]string{"auto"}, test.before...)...) // so that apt-get would also remove them by itself
			}
			_, err := h.install("tool")
			require.NoError(t, err)
			for _, command := range test.after {
				h.run(command[0], command[1:]...)
			}
			output, err := h.uninstall()
			require.NoError(t, err, output)
			assert.ElementsMatch(t, test.left, h.installed())
			assert.Contains(t, output, test.says)
			assert.NoFileExists(t, h.path(record))
		})
	}
}

func TestUninstallWithoutARecordDoesNothing(t *testing.T) {
	h := newHost(t)
	output, err := h.uninstall()
	require.NoError(t, err)
	assert.Equal(t, "ringside: no package is recorded as installed by Ringside\n", output)
}

func TestAnInstallationRemovesNothing(t *testing.T) {
	h := newHost(t)
	h.offer("rival", "Conflicts: old\n", "")
	h.offer("old", "", "")
	h.administer("install", "old")
	_, err := h.install("rival")
	require.ErrorContains(t, err, "install rival: apt-get failed: Packages need to be removed but remove is disabled.")
	assert.Equal(t, []string{"old"}, h.installed())
	assert.NoFileExists(t, h.path(record))
}

func TestAPackageThatDoesNotExistIsNamed(t *testing.T) {
	h := newHost(t)
	_, err := h.install("nonesuch")
	require.ErrorContains(t, err, "install nonesuch: apt-get failed: Unable to locate package nonesuch")
	assert.ErrorContains(t, err, "check the machine's package sources and its network")
}

// hold takes one of apt's locks, as another apt-get would.
func (h host) hold(name string) *os.File {
	h.t.Helper()
	file, err := os.Create(h.path(name))
	require.NoError(h.t, err)
	require.NoError(h.t, unix.FcntlFlock(file.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK}))
	return file
}

func TestAHeldLockIsNamedAndNotTheNetwork(t *testing.T) {
	for _, lock := range []string{"var/lib/dpkg/lock-frontend", "var/lib/apt/lists/lock", "var/cache/apt/archives/lock"} {
		t.Run(lock, func(t *testing.T) {
			h := newHost(t)
			h.offer("tool", "", "")
			if !strings.HasSuffix(lock, "lists/lock") {
				h.run("apt-get", "update") // else the installation begins with it
			}
			defer h.hold(lock).Close()
			_, err := h.install("tool")
			require.ErrorContains(t, err, fmt.Sprintf("install tool: process %d (packages.test) has used apt for", os.Getpid()))
			assert.NotContains(t, err.Error(), "network")
		})
	}
}

func TestWaitsForALockAndReportsIt(t *testing.T) {
	h := newHost(t)
	t.Setenv("RINGSIDE_APT_PATIENCE", "60")
	h.offer("tool", "", "")
	lock := h.hold("var/lib/apt/lists/lock")
	var said []string
	err := Install(t.Context(), []string{"tool"}, func(format string, args ...any) {
		said = append(said, fmt.Sprintf(format, args...))
		_ = lock.Close() // only now can it continue
	})
	require.NoError(t, err)
	assert.Equal(t, []string{fmt.Sprintf("install tool: waiting for process %d (packages.test), which uses apt", os.Getpid())}, said)
	assert.Equal(t, []string{"tool"}, h.installed())
}

func TestEveryCallOfAptGetKeepsTheHostsServicesAndFiles(t *testing.T) {
	for _, verb := range []string{"install", "uninstall"} {
		t.Run(verb, func(t *testing.T) {
			h := newHost(t)
			h.offer("tool", "", "")
			_, err := h.install("tool")
			require.NoError(t, err)
			h.write("bin/apt-get", `#!/bin/sh
echo "$*" >>`+h.path("arguments")+`
echo "$DEBIAN_FRONTEND $NEEDRESTART_SUSPEND $NEEDRESTART_MODE" >>`+h.path("environment")+"\n")
			t.Setenv("PATH", h.path("bin")+":"+os.Getenv("PATH"))
			h.run("bash", "apt.sh", verb, "more")
			calls := strings.Split(strings.TrimSpace(h.read("arguments")), "\n")
			for _, call := range calls {
				for _, option := range []string{"-y", "--no-install-recommends", "DPkg::Lock::Timeout=1", "DPkg::Options::=--force-confold", "APT::Get::AutomaticRemove=false"} {
					assert.Contains(t, call, option)
				}
				assert.Equal(t, strings.Contains(call, " install "), strings.Contains(call, "--no-remove"))
				assert.NotContains(t, call, "auto-remove")
			}
			assert.Equal(t, strings.Repeat("noninteractive 1 l\n", len(calls)), h.read("environment"))
		})
	}
}

// A maintainer script asks policy-rc.d before it starts a service, and enables the service at boot.
const service = `echo asked >>"$DPKG_ROOT/asked"
sh "$DPKG_ROOT/usr/sbin/policy-rc.d" tool start || echo "$?" >>"$DPKG_ROOT/asked"
ln -s /lib/systemd/system/tool.service "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/tool.service"
`

func TestForbidsServicesOnlyWhileItInstalls(t *testing.T) {
	for _, test := range []struct{ name, policy, left string }{
		{name: "no policy"},
		{name: "the policy of an installation that was killed", policy: fmt.Sprintf("#!/bin/sh\n# ringside-cluster: no service starts while it installs packages\nif [ -d /proc/%d ]; then exit 101; fi\nrm -f -- \"$0\"\nexit 0\n", 1<<30)},
		{name: "the administrator's policy", policy: "#!/bin/sh\nexit 101\n", left: "#!/bin/sh\nexit 101\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.offer("tool", "", service)
			policy := "usr/sbin/policy-rc.d"
			if test.policy != "" {
				h.write(policy, test.policy)
			}
			const ssh = "etc/systemd/system/multi-user.target.wants/ssh.service"
			require.NoError(t, os.Symlink("/lib/systemd/system/ssh.service", h.path(ssh)))
			_, err := h.install("tool")
			require.NoError(t, err)
			assert.Equal(t, "asked\n101\n", h.read("asked"))
			assert.Equal(t, test.left, h.read(policy))
			entries, err := os.ReadDir(filepath.Dir(h.path(ssh)))
			require.NoError(t, err)
			require.Len(t, entries, 1, "the new service does not start at boot, others do")
			assert.Equal(t, "ssh.service", entries[0].Name())
		})
	}
}

func TestRecordsWhatItHasInstalledAlthoughASignalComesMeanwhile(t *testing.T) {
	h := newHost(t)
	h.offer("tool", "Depends: lib\n", "")
	h.offer("lib", "", "")
	h.write("bin/dpkg-query", "#!/bin/sh\ntrap '' TERM\nkill -TERM 0\nexec /usr/bin/dpkg-query \"$@\"\n")
	t.Setenv("PATH", h.path("bin")+":"+os.Getenv("PATH"))
	cmd := exec.Command("bash", "apt.sh", "install", "tool")
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
	assert.ElementsMatch(t, []string{"tool requested", "lib dependency"}, strings.Split(strings.TrimSpace(h.read(record)), "\n"))
}

func TestAPolicyThatAKilledInstallationLeftAllowsEverythingAndRemovesItself(t *testing.T) {
	h := newHost(t)
	format := strings.SplitN(strings.SplitN(script, "printf '", 2)[1], "'", 2)[0]
	text := h.run("sh", "-c", `printf "$1" "$2" "$3"`, "sh", format, "# mark", fmt.Sprint(1<<30))
	h.write("policy", text)
	h.run("sh", h.path("policy"), "containerd", "start")
	assert.NoFileExists(t, h.path("policy"))
}
