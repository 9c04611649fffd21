package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"ringside.dev/ringside/cluster/e2e/hoststate"
	"ringside.dev/ringside/cluster/internal/node"
	"ringside.dev/ringside/cluster/internal/preflight"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestTheDocumentedKubernetesVersionIsBuilt(t *testing.T) {
	version := regexp.MustCompile(`k8s\.io/kubernetes v([\d.]+)`).FindStringSubmatch(read(t, "go.mod"))
	require.NotNil(t, version)
	for _, page := range []string{"../docs/install/own-cluster.md", "../docs/design/cluster.md"} {
		assert.Contains(t, read(t, page), version[1], page)
	}
	minor := version[1][:strings.LastIndex(version[1], ".")]
	assert.Contains(t, read(t, "../README.md"), "[Kubernetes "+minor+"]")
}

func TestTheQuickstartNamesWhatTheHostMustHave(t *testing.T) {
	const nodes = 4
	text := read(t, "../docs/quickstart.md")
	assert.Contains(t, text, fmt.Sprintf("%.1f GiB available", float64(node.MemoryNeeded(nodes))/(1<<30)))
	assert.Contains(t, text, fmt.Sprintf("%d GiB free", preflight.DiskNeeded(nodes)>>30))
}

func TestTheHostsPageNamesEveryPackageThatIsInstalled(t *testing.T) {
	text := read(t, "../docs/install/hosts.md")
	packages := preflight.PackagesOf(preflight.Commands())
	for _, installed := range regexp.MustCompile(`packages\+=\(([^)]+)\)`).FindAllStringSubmatch(read(t, "toolchain.sh"), -1) {
		packages = append(packages, installed[1])
	}
	assert.Greater(t, len(packages), 10)
	for _, name := range packages {
		assert.Regexp(t, `(?m)^\|.*[ ,]`+regexp.QuoteMeta(name)+`[ ,]`, text)
	}
}

func TestTheHostsPageNamesTheModulesThatStay(t *testing.T) {
	text := read(t, "../docs/install/hosts.md")
	for _, module := range []string{"bridge", "veth", "overlay", "loop", "stp", "llc", "nf_*", "nft_*", "nfnetlink*", "ip_vs", "xt_*", "inet_diag", "tcp_diag"} {
		assert.Contains(t, hoststate.OnDemand, module)
		assert.Contains(t, text, "`"+module+"`")
	}
}

// The documented time of make test was wrong once. Its parts run at the same time.
func TestTheDocumentedTimeOfTheTestsIsBetweenItsLongestPartAndTheSum(t *testing.T) {
	parts := map[string][2]float64{}
	for _, row := range regexp.MustCompile("(?m)^\\| .* \\| `make ([a-z0-9-]+)` \\| (?:(\\d+) to )?(\\d+) (s|min) \\|$").FindAllStringSubmatch(read(t, "../CONTRIBUTING.md"), -1) {
		unit := map[string]float64{"s": 1. / 60, "min": 1}[row[4]]
		most := number(t, row[3]) * unit
		least := most
		if row[2] != "" {
			least = number(t, row[2]) * unit
		}
		parts[row[1]] = [2]float64{least, most}
	}
	all, ok := parts["test"]
	require.True(t, ok)
	for end, time := range all {
		longest, sum := 0., 0.
		for _, name := range []string{"lint", "test-java", "test-go"} {
			part, ok := parts[name]
			require.True(t, ok, name)
			longest, sum = max(longest, part[end]), sum+part[end]
		}
		assert.GreaterOrEqual(t, time, longest)
		assert.LessOrEqual(t, time, sum)
	}
}

func number(t *testing.T, digits string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(digits, 64)
	require.NoError(t, err)
	return value
}

// The contributors' guide lists the make targets of tests that need their own cluster.
func TestTheContributorsGuideNamesEveryTargetThatTests(t *testing.T) {
	text := read(t, "../CONTRIBUTING.md")
	declared := regexp.MustCompile(`(?m)^\.PHONY: (test .*)$`).FindStringSubmatch(read(t, "../Makefile"))
	require.NotNil(t, declared)
	for _, target := range strings.Fields(declared[1]) {
		if !slices.Contains([]string{"test-tools", "fuzz"}, target) { // the first is part of others, the second of test-long
			assert.Contains(t, text, "`make "+target+"`")
		}
	}
}

// Every experiment builds these modules. Where they agree on a version, Go compiles a package once for all of them. The
// modules that are built on request may differ.
var modules = []string{"../go.mod", "go.mod"}

func TestTheModulesAgreeOnVersions(t *testing.T) {
	type use struct{ file, version string }
	first := map[string]use{}
	for _, file := range modules {
		for path, version := range versionsOf(t, file) {
			if before, used := first[path]; used {
				assert.Equal(t, before.version, version, "%s in %s and %s: use the newer version in both, then run go mod tidy", path, before.file, file)
			} else {
				first[path] = use{file, version}
			}
		}
	}
	assert.Greater(t, len(first), 200)
}

// versionsOf returns the version of each module that a go.mod requires, after its replacements.
func versionsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	module, err := modfile.Parse(file, []byte(read(t, file)), nil)
	require.NoError(t, err)
	versions := map[string]string{}
	for _, required := range module.Require {
		versions[required.Mod.Path] = required.Mod.Version
	}
	for _, replaced := range module.Replace {
		if _, used := versions[replaced.Old.Path]; used {
			versions[replaced.Old.Path] = replaced.New.Version
		}
	}
	return versions
}

// clone copies scripts into a folder of their own, with a stand-in for apt.sh that records its arguments.
func clone(t *testing.T, aptScript string, scripts ...string) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "cluster/internal/packages"), 0o755))
	for _, script := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(root, "cluster", script), []byte(read(t, script)), 0o755))
	}
	apt := "#!/bin/sh\necho \"$@\" >>apt-calls\n" + aptScript
	require.NoError(t, os.WriteFile(filepath.Join(root, "cluster/internal/packages/apt.sh"), []byte(apt), 0o755))
	return root
}

func TestUninstallRemovesPackagesAndTheBuildAndKeepsResults(t *testing.T) {
	for _, test := range []struct {
		name, cluster, apt string
		says               string
		removed            bool
	}{
		{name: "no cluster is up", says: "this stays:\n  results  exported runs", removed: true},
		{name: "a cluster is up", cluster: "e2e", says: "the embedded cluster e2e is not down; run make cluster-down"},
		{name: "packages cannot be removed", apt: "exit 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root, host := clone(t, test.apt, "uninstall.sh"), t.TempDir()
			for _, dir := range []string{"build/bin", "results"} {
				require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
			}
			require.NoError(t, os.MkdirAll(filepath.Join(host, "run/ringside-cluster", test.cluster), 0o755))
			oldGo := "#!/bin/sh\n[ \"$GOTOOLCHAIN\" = local ] || { echo go: download go1.26.8: no route to host >&2; exit 1; }\n"
			require.NoError(t, os.WriteFile(filepath.Join(host, "go"), []byte(oldGo), 0o755))
			cmd := exec.Command(filepath.Join(root, "cluster/uninstall.sh"))
			cmd.Env = append(os.Environ(), "RINGSIDE_HOST="+host, "GOTOOLCHAIN=go1.26.8", "PATH="+host+":"+os.Getenv("PATH"))
			output, err := cmd.CombinedOutput()
			assert.Equal(t, test.removed, err == nil, "%s", output)
			assert.Contains(t, string(output), test.says)
			assert.DirExists(t, filepath.Join(root, "results"))
			if test.removed {
				assert.NoDirExists(t, filepath.Join(root, "build"))
				assert.Equal(t, "uninstall\n", read(t, filepath.Join(root, "apt-calls")))
			} else {
				assert.DirExists(t, filepath.Join(root, "build"))
			}
		})
	}
}
