package reference

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
		if !assert.Contains(t, place, name, "add the package to a layer in packages.go") {
			continue
		}
		for _, path := range words[1:] {
			if imported, internal := strings.CutPrefix(path, prefix); internal {
				assert.Greater(t, place[imported], place[name], "%s imports %s, which is not below it", name, imported)
			}
		}
	}
	for name := range place {
		assert.True(t, found[name], "%s does not exist: remove it from packages.go", name)
	}
}

func TestDrawsLayersOnTopOfEachOther(t *testing.T) {
	drawn := picture([]layer{{"Up", "is above", []string{"a", "b/c"}}, {"Down", "is below", []string{"d"}}})
	lines := strings.Split(drawn, "\n")
	assert.Len(t, lines, 9)
	assert.Contains(t, lines[1], "│ Up is above. ")
	assert.Contains(t, lines[2], "│   a  b/c ")
	assert.Contains(t, lines[5], "│   d ")
	assert.Equal(t, []string{"  aaaa", "  bb  c"}, filled([]string{"aaaa", "bb", "c"}, 8))
}
