package cluster

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
