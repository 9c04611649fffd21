package storechart

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const house = "../../.."

// A server that the documentation lists and the chart rejects, or the reverse, misleads a new user.
func TestTheDocumentedServersAreThoseOfTheChart(t *testing.T) {
	chart, err := NewCatalogue(house + "/charts").Open("cassandra")
	require.NoError(t, err)
	classes := map[string]string{}
	for _, server := range chart.ServerTypes() {
		classes[server] = chart.ExpectedClass(server)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| `([\\w.]+)` \\|").FindAllStringSubmatch(section(t, "docs/experiments.md", "## Servers"), -1) {
		documented[row[1]] = row[2]
	}
	assert.Equal(t, classes, documented)
}

func TestTheReadmeNamesTheCassandraOfTheChart(t *testing.T) {
	chart, err := NewCatalogue(house + "/charts").Open("cassandra")
	require.NoError(t, err)
	assert.Contains(t, section(t, "README.md", "## Limits"), "Cassandra is "+chart.AppVersion())
}

// section returns the text of a page from a heading to the next one of its level or above.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	text, err := os.ReadFile(house + "/" + page)
	require.NoError(t, err)
	_, after, found := strings.Cut("\n"+string(text), "\n"+heading+"\n")
	require.True(t, found, "%s has no heading %q", page, heading)
	before, _, _ := strings.Cut(after, "\n## ")
	return before
}
