package reference

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// internalPackages is the folder of the packages that have layers, from the repository's root.
const internalPackages = "operators/internal"

// layer is a group of packages. A package imports only packages further down: of lower layers, or named after it in its own.
type layer struct {
	name, about string
	packages    []string
}

// layers are all packages of operators/internal, from the top down.
var layers = []layer{
	{"Texts and tests", "generate and verify texts, and replace what tests cannot have", []string{"reference", "storechart/conform",
		"history/planted", "runs/simulated", "compare/simulate", "archive/depot/s3fake", "storechart/pushed"}},
	{"Programs", "are what the operator, the command, meter and the fault helper do", []string{"operator", "controller", "cli", "meter", "meter/loadtool", "meter/clock",
		"faults/inflict"}},
	{"Output", "shows runs to people", []string{"report", "history", "answer", "runs/progress"}},
	{"Rules", "decide what can be run, and when a run has measured enough", []string{"validation", "compare/precision"}},
	{"Cluster and storage", "read and change what is outside of the program", []string{"faults", "store", "installation", "storechart", "runs", "archive/depot"}},
	{"Analysis", "turns measurements into verdicts", []string{"compare", "archive", "results", "gates"}},
	{"Input", "is what a run consists of", []string{"loadgen", "plan", "document"}},
	{"Base", "has data, formats and arithmetic that the others share", []string{"compare/ratio", "measure", "compare/published", "profiles", "settings", "meter/orders", "faults/helper", "problem",
		"source", "textfmt"}},
}

func TestPackagesImportOnlyFromLayersBelow(t *testing.T) {
	const prefix = "ringside.dev/ringside/" + internalPackages + "/"
	place := map[string]int{}
	for _, l := range layers {
		for _, name := range l.packages {
			assert.NotContains(t, place, name, "named twice")
			place[name] = len(place) + 1
		}
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./"+internalPackages+"/...")
	list.Dir = root
	text, err := list.Output()
	require.NoError(t, err)
	found := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], prefix)
		found[name] = true
		if !assert.Contains(t, place, name, "add the package to a layer in packages_test.go") {
			continue
		}
		for _, path := range words[1:] {
			if imported, internal := strings.CutPrefix(path, prefix); internal {
				assert.Greater(t, place[imported], place[name], "%s imports %s, which is not below it", name, imported)
			}
		}
	}
	for name := range place {
		assert.True(t, found[name], "%s does not exist: remove it from packages_test.go", name)
	}
}
