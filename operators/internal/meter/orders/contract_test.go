package orders

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The loads define their variables in Java, and the load contract documents them. A name that is never set would be read as empty.
func TestWhatLoadsReadIsToldAndExplained(t *testing.T) {
	const images = "../../../../images"
	told, err := os.ReadFile("environment.go")
	require.NoError(t, err)
	explained := ""
	for _, page := range []string{"load-contract.md", "load-contract-phases.md"} {
		text, err := os.ReadFile(filepath.Join(images, "../docs/reference", page))
		require.NoError(t, err)
		explained += string(text)
	}

	read := map[string]string{}
	for _, load := range []string{"load-kit", "*-load", "ycsb"} {
		sources, err := filepath.Glob(filepath.Join(images, load, "src/main/java/dev/ringside/*/*.java"))
		require.NoError(t, err)
		deeper, err := filepath.Glob(filepath.Join(images, load, "src/main/java/dev/ringside/*/*/*.java"))
		require.NoError(t, err)
		for _, source := range append(sources, deeper...) {
			text, err := os.ReadFile(source)
			require.NoError(t, err)
			for _, match := range regexp.MustCompile(`"(RINGSIDE_[A-Z_]+)"`).FindAllStringSubmatch(string(text), -1) {
				read[match[1]] = source
			}
		}
	}
	require.Greater(t, len(read), 30)
	for name, source := range read {
		assert.True(t, strings.Contains(string(told), `"`+name+`"`), "%s, in %s, is not among the variables of environment.go", name, source)
		assert.True(t, strings.Contains(explained, name), "%s, in %s, is not explained in docs/reference/load-contract.md", name, source)
	}
}
