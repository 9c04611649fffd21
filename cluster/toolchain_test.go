package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeGo is a Go that can switch to another version, as Go 1.21 and newer do.
const fakeGo = `case "$1 $2" in
"env GOVERSION") echo go$HAVE_GO ;;
"version "*)
  [ -z "$NO_NETWORK" ] || { echo "go: download go1.26.8: no route to host" >&2; exit 1; }
  case $GOTOOLCHAIN in local) version=$HAVE_GO ;; "" | auto) version=1.26.8 ;; *) version=${GOTOOLCHAIN#go} ;; esac
  echo "go version go$version linux/amd64" ;;
esac`

// toolchain runs toolchain.sh on a machine with these programs only. Installing the JDK brings Java 21.
func toolchain(t *testing.T, programs []string, arguments []string, environment ...string) (output, apt string, err error) {
	t.Helper()
	root := clone(t, `case "$*" in *default-jdk-headless*) echo 21 >java ;; esac`, "toolchain.sh")
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module x\n\ngo 1.26.0\n\ntoolchain go1.26.8\n"), 0o644))
	bin := filepath.Join(root, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	for _, tool := range []string{"bash", "cat", "cut", "dirname", "sed", "sort", "tail", "sh"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bin, tool)))
	}
	scripts := map[string]string{"go": fakeGo, "javac": "echo javac $(cat " + root + "/java).0.1"}
	for _, program := range append(programs, "apt-get", "javac") {
		name, version, _ := strings.Cut(program, " ")
		if program == "javac" { // what default-jdk-headless would bring
			if _, err := os.Stat(filepath.Join(bin, name)); err == nil {
				continue
			}
		}
		if name == "javac" {
			require.NoError(t, os.WriteFile(filepath.Join(root, "java"), []byte(version+"\n"), 0o644))
		}
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!"+filepath.Join(bin, "sh")+"\n"+scripts[name]+"\n"), 0o755))
	}
	cmd := exec.Command(filepath.Join(bin, "bash"), append([]string{filepath.Join(root, "cluster/toolchain.sh")}, arguments...)...)
	cmd.Env = append([]string{"PATH=" + bin, "HAVE_GO=1.26.8"}, environment...)
	text, err := cmd.CombinedOutput()
	calls, _ := os.ReadFile(filepath.Join(root, "apt-calls")) // no file: nothing was installed
	return string(text), string(calls), err
}

func TestInstallsTheToolsThatAreMissing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: others are told which packages to install")
	}
	for _, test := range []struct {
		name      string
		programs  []string
		arguments []string
		packages  string
	}{
		{"nothing is missing", []string{"go", "javac 17", "mvn", "git"}, nil, ""},
		{"a new machine", []string{"go"}, nil, "install default-jdk-headless maven git\n"},
		{"another Java", []string{"go", "javac 25", "mvn", "git"}, nil, ""},
		{"an old Java", []string{"go", "javac 11", "mvn", "git"}, nil, "install default-jdk-headless\n"},
		{"Java 8, which has another form of version", []string{"go", "javac 1.8", "mvn", "git"}, nil, "install default-jdk-headless\n"},
		{"bench", []string{"go", "javac 17", "mvn", "git"}, []string{"bench"}, "install gcc libc6-dev\n"},
		{"bench with a C compiler", []string{"go", "javac 17", "mvn", "git", "cc"}, []string{"bench"}, ""},
		{"lint", []string{"go", "javac 17", "mvn", "git"}, []string{"lint"}, "install shellcheck\n"},
		{"tests", []string{"go", "javac 17", "mvn", "git"}, []string{"tests"}, "install chromium\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			output, apt, err := toolchain(t, test.programs, test.arguments)
			require.NoError(t, err, output)
			assert.Equal(t, test.packages, apt)
		})
	}
}

func TestAWrongToolchainIsReportedAtOnce(t *testing.T) {
	all := []string{"go", "javac 17", "mvn", "git"}
	for _, test := range []struct {
		name        string
		environment []string
		says        string // empty: no error
	}{
		{"the pinned Go", []string{"GOTOOLCHAIN=go1.26.8"}, ""},
		{"an older Go fetches the pinned one", []string{"HAVE_GO=1.22.2", "GOTOOLCHAIN=go1.26.8"}, ""},
		{"a newer Go that fetches nothing", []string{"HAVE_GO=1.27.1", "GOTOOLCHAIN=local"}, ""},
		{"an old Go that may fetch nothing", []string{"HAVE_GO=1.24.4", "GOTOOLCHAIN=local"},
			"ringside: find Go 1.26.8: this is Go 1.24.4, and GOTOOLCHAIN=local forbids fetching another; unset GOTOOLCHAIN, or install Go 1.26.8\n"},
		{"another Go is chosen", []string{"GOTOOLCHAIN=go1.25.0"}, "ringside: find Go 1.26.8: GOTOOLCHAIN=go1.25.0 chooses Go 1.25.0; unset GOTOOLCHAIN\n"},
		{"no network", []string{"HAVE_GO=1.24.4", "GOTOOLCHAIN=go1.26.8", "NO_NETWORK=yes"},
			"ringside: fetch Go 1.26.8 with Go 1.24.4: go: download go1.26.8: no route to host; check GOPROXY and the network, or install Go 1.26.8\n"},
		{"a JAVA_HOME without a JDK", []string{"JAVA_HOME=/nonexistent"}, "ringside: find a JDK: /nonexistent is Java unknown, and the build needs 17 or newer; unset JAVA_HOME, or choose another with update-alternatives --config javac\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.HasPrefix(test.environment[0], "JAVA_HOME") && os.Geteuid() != 0 {
				t.Skip("needs root: others are told to install a JDK first")
			}
			output, _, err := toolchain(t, all, nil, test.environment...)
			if test.says == "" {
				require.NoError(t, err, output)
				return
			}
			require.Error(t, err)
			assert.True(t, strings.HasSuffix(output, test.says), output)
		})
	}
}

// Different toolchains would build parts of one cluster.
func TestAllModulesAreBuiltWithOneGo(t *testing.T) {
	pinned := regexp.MustCompile(`(?m)^toolchain go(\S+)$`).FindStringSubmatch(read(t, "../go.mod"))
	require.NotNil(t, pinned)
	var modules []string
	for _, pattern := range []string{"../*/go.mod", "../*/*/go.mod"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		modules = append(modules, found...)
	}
	require.NotEmpty(t, modules)
	for _, module := range modules {
		if strings.HasPrefix(module, "../build/") {
			continue
		}
		text := read(t, module)
		chosen := regexp.MustCompile(`(?m)^toolchain go(\S+)$`).FindStringSubmatch(text)
		if chosen == nil { // a toolchain line that repeats the go line is removed by go mod tidy
			chosen = regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(text)
		}
		require.NotNil(t, chosen, module)
		assert.Equal(t, pinned[1], chosen[1], module)
	}
	assert.Contains(t, read(t, "../Makefile"), "GOTOOLCHAIN := $(shell sed -n 's/^toolchain //p' go.mod)")
}
