package reference

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/results"
)

const root = "../../.."

func generated(t *testing.T) []Page {
	t.Helper()
	pages, err := Pages(root)
	require.NoError(t, err)
	return pages
}

func TestEveryPageIsCurrent(t *testing.T) {
	for _, page := range generated(t) {
		if *write {
			require.NoError(t, os.WriteFile(filepath.Join(root, Folder, page.File), page.Text, 0o644))
		}
		got, err := os.ReadFile(filepath.Join(root, Folder, page.File))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(page.Text, got), "%s/%s is out of date: run `make generate`", Folder, page.File)
	}
}

func TestEveryRowHasAMeaning(t *testing.T) {
	empty := regexp.MustCompile(`(?m)^\|.*\|  \|$`)
	for _, page := range generated(t) {
		if page.File == "crd.md" || page.File == "gates.md" { // fields that their names explain; limits of gates
			continue
		}
		assert.Empty(t, empty.FindAllString(string(page.Text), -1), page.File)
	}
}

func TestEveryLinkWithinAPageLeadsToAHeading(t *testing.T) {
	links := regexp.MustCompile(`\]\((#[^)]*)\)`)
	headings := regexp.MustCompile(`(?m)^#+ (.*)$`)
	for _, page := range generated(t) {
		anchors := map[string]bool{}
		for _, heading := range headings.FindAllStringSubmatch(string(page.Text), -1) {
			assert.False(t, anchors[anchor(heading[1])], "%s has two headings %q", page.File, heading[1])
			anchors[anchor(heading[1])] = true
		}
		for _, link := range links.FindAllStringSubmatch(string(page.Text), -1) {
			assert.True(t, anchors[link[1]], "%s has no heading for %s", page.File, link[1])
		}
	}
}

// These pages are written by hand.
func TestThePageOfExitCodesHasAllCodesAndReasons(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, Folder, "exit-codes.md"))
	require.NoError(t, err)
	codes := regexp.MustCompile(`(?m)^  (\d+) `).FindAllStringSubmatch(cli.ExitCodes, -1)
	require.NotEmpty(t, codes)
	for _, found := range codes {
		assert.Contains(t, string(text), "\n| "+found[1]+" | ")
	}
	reasons, err := constantsOf(root, "operators/internal/problem/reasons.go")
	require.NoError(t, err)
	for _, reason := range reasons {
		assert.Contains(t, string(text), "\n| `"+reason.Value+"` | ")
	}
}

func TestThePageOfMetricsHasAllThatOurCodeNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, Folder, "metrics.md"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "operators/metrics/*.go"))
	require.NoError(t, err)
	count := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`"(ringside_[a-z0-9_]+)"`).FindAllStringSubmatch(string(code), -1) {
			assert.Contains(t, string(text), "`"+name[1]+"`", filepath.Base(file))
			count++
		}
	}
	assert.Positive(t, count)
}

func TestEveryColumnIsDocumented(t *testing.T) {
	for _, column := range results.Columns() {
		assert.NotEmpty(t, column.About, column.Name)
	}
	for _, column := range cli.ListColumns() {
		assert.NotEmpty(t, column.About, column.Name)
	}
}

// The names of columns are a contract with those who read the files.
func TestKeepsTheColumnsOfTheList(t *testing.T) {
	var names []string
	for _, column := range cli.ListColumns() {
		names = append(names, column.Name)
	}
	assert.Equal(t, "experiment,run,state,finished,planned,invalid,results,next,export", strings.Join(names, ","))
}

func TestEscapesMarkdown(t *testing.T) {
	assert.Equal(t, "a &lt;b> \\*c\\* `d*|<e>` \\[f\\]", prose("a <b> *c*\n  `d*|<e>` [f]"))
	p := newPage("T", "x")
	p.table([]string{"A", "B"}, [][]string{{"`a|b`", "c\nd"}})
	assert.True(t, strings.HasSuffix(p.String(), "\n| A | B |\n|---|---|\n| `a\\|b` | c d |\n"), p.String())
}

func TestSentencesEndOnce(t *testing.T) {
	for text, want := range map[string]string{"": "", " a b ": "A b.", "A.": "A.", "a (b.)": "A (b.)", "a:": "A:"} {
		assert.Equal(t, want, sentence(text))
	}
}

func TestReadsConstantsWithTheirComments(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "c.go"), []byte(`package c

const (
	// A is the first, before B.
	A = "a"
	// B: the <second>.
	B = "b"
	n = 1
	C = "c"
	G = "g" // on a line
)

// D counts.
const D = "d"
`), 0o644))
	all, err := constantsOf(folder, "c.go")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"`a`", "The first, before `b`."}, {"`b`", "The &lt;second>."}, {"`c`", ""}, {"`g`", "On a line."}, {"`d`", "Counts."}}, constantRows(all, all))
}
