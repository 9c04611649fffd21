package prose

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const sample = "# A `make` page\n" + // 1
	"\n" +
	"One line with `code`\n" + // 3
	"and a [link](other.md#part), see <https://example.org>.\n" +
	"\n" +
	"![figure](figure.svg)\n" + // 6
	"\n" +
	"    make test\n" + // 8
	"\n" +
	"```sh\n" +
	"make lint # quickly\n" + // 11
	"make help\n" +
	"```\n" +
	"\n" +
	"## Rules\n" + // 15
	"\n" +
	"| Do not write | Write |\n" +
	"|---|---|\n" +
	"| `a`, `b \\| c` | see [x](y.md) |\n" + // 19
	"\n" +
	"<a id=\"here\"></a><img src=\"hero.png\">\n" + // 21
	"\n" +
	"- an item\n" + // 23
	"  goes on\n" +
	"\n" +
	"## Rules\n" // 26

func TestPagePartsHaveTheirLines(t *testing.T) {
	page := Parse([]byte(sample))

	assert.Equal(t, 26, page.Lines)
	assert.Equal(t, []Heading{
		{1, "A make page", "a-make-page"},
		{15, "Rules", "rules"},
		{Line: 21, Anchor: "here"},
		{26, "Rules", "rules-1"},
	}, page.Headings)
	assert.Equal(t, []Link{{4, "other.md#part"}, {6, "figure.svg"}, {19, "y.md"}, {21, "hero.png"}}, page.Links)
	assert.Equal(t, []Code{
		{1, "make", false},
		{3, "code", false},
		{8, "make test\n", true},
		{11, "make lint # quickly\nmake help\n", true},
		{19, "a", false},
		{19, "b | c", false},
	}, page.Code)
	assert.Equal(t, []Row{{19, "Rules", []Cell{{"§, §", []string{"a", "b | c"}}, {"see x", nil}}}}, page.Rows)
	assert.Equal(t, []Text{
		{1, "A § page"},
		{3, "One line with §\nand a link, see §."},
		{6, "figure"},
		{15, "Rules"},
		{17, "Do not write"},
		{17, "Write"},
		{19, "§, §"},
		{19, "see x"},
		{23, "an item\ngoes on"},
		{26, "Rules"},
	}, page.Prose)
}

func TestAnchorIsWhatGitHubMakesOfAHeading(t *testing.T) {
	for heading, want := range map[string]string{
		"Two commands":                  "two-commands",
		"What *unresolved* means":       "what-unresolved-means",
		"CPU / memory, and the rest":    "cpu--memory-and-the-rest",
		"measurements.csv":              "measurementscsv",
		"`spec.load` and load_parallel": "specload-and-load_parallel",
		"Größe — 10 µs":                 "größe--10-µs",
	} {
		page := Parse([]byte("# " + heading + "\n"))
		assert.Equal(t, want, page.Headings[0].Anchor, heading)
	}
}
