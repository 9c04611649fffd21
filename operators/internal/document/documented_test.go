package document

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every experiment file has a row in the index, and every row a file.
func TestTheIndexListsTheExperimentsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(house, "docs/experiments.md"))
	require.NoError(t, err)
	index, _, found := strings.Cut(string(text), "\n## Not for measurement\n")
	require.True(t, found)
	listed := []string{"smoke"} // it measures nothing
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(index, -1) {
		listed = append(listed, row[1])
	}
	files, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	var there []string
	for _, file := range files {
		there = append(there, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	assert.ElementsMatch(t, there, listed)
}
