package reference

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// index is the page from which every page of docs/ is reached.
const index = "docs/README.md"

// tracked returns the names of the repository's files that match Git's patterns: those that are tracked, and new ones that are not ignored.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	list := exec.Command("git", append([]string{"-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"}, patterns...)...)
	out, err := list.Output()
	require.NoError(t, err, "list the files of the repository; this test runs in a clone")
	var names []string
	for _, name := range strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }) {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// known returns the names of all files and folders.
func known(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, name := range tracked(t) {
		for ; name != "."; name = path.Dir(name) {
			names[name] = true
		}
	}
	return names
}

// markdown has what the tests read of a page.
type markdown struct {
	lines   int
	links   []string
	anchors map[string]bool
	// code has a line of a code block, or a code span, in each element.
	code []string
}

var (
	span     = regexp.MustCompile("`[^`\n]+`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"]+)"`)
	heading  = regexp.MustCompile(`^#+ (.*)$`)
	identity = regexp.MustCompile(`\b(?:id|name)="([^"]+)"`)
	linked   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// read reads a page. A code block is fenced, or indented after an empty line.
func read(text string) markdown {
	page := markdown{lines: strings.Count(text, "\n"), anchors: map[string]bool{}}
	fenced, block, blank := false, false, true
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", "  "), "\n") {
		indented := strings.HasPrefix(line, "    ") && (block || blank)
		blank = strings.TrimSpace(line) == ""
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
			continue
		case fenced, indented:
			page.code = append(page.code, line)
			block = indented
			continue
		case !blank:
			block = false
		}
		for _, code := range span.FindAllString(line, -1) {
			page.code = append(page.code, strings.Trim(code, "`"))
		}
		if title := heading.FindStringSubmatch(line); title != nil {
			page.anchor(linked.ReplaceAllString(title[1], "$1"))
		}
		for _, id := range identity.FindAllStringSubmatch(line, -1) {
			page.anchors[id[1]] = true
		}
		for _, found := range link.FindAllStringSubmatch(span.ReplaceAllString(line, "code"), -1) {
			page.links = append(page.links, found[1]+found[2])
		}
	}
	return page
}

// anchor adds the fragment by which GitHub links to a heading.
func (m *markdown) anchor(title string) {
	m.anchors[strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))] = true
}

func pages(t *testing.T) map[string]markdown {
	t.Helper()
	all := map[string]markdown{}
	for _, name := range tracked(t, "*.md") {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		all[name] = read(string(text))
	}
	return all
}

// target returns the file that a link of a page names, with its anchor; local is false where the link leads out of the repository.
func target(page, link string) (file, anchor string, local bool) {
	parsed, err := url.Parse(link)
	if err != nil || parsed.Scheme != "" || parsed.Host != "" {
		return "", "", false
	}
	if parsed.Path == "" {
		return page, parsed.Fragment, true
	}
	return path.Join(path.Dir(page), parsed.Path), parsed.Fragment, true
}

func TestPages_linkToFilesAndHeadingsThatExist(t *testing.T) {
	files, all := known(t), pages(t)
	for name, page := range all {
		for _, link := range page.links {
			file, anchor, local := target(name, link)
			assert.True(t, !local || files[file], "%s: link to %s: there is no file %s", name, link, file)
			assert.True(t, anchor == "" || !files[file] || all[file].anchors[anchor], "%s: link to %s: there is no such heading", name, link)
		}
	}
}

func TestPages_areReachedFromTheIndexAndShort(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if page, ok := all[name]; ok && !reached[name] {
			reached[name] = true
			for _, link := range page.links {
				if file, _, local := target(name, link); local {
					visit(file)
				}
			}
		}
	}
	visit(index)
	made := map[string]bool{"CHANGELOG.md": true}
	for _, page := range generated(t) {
		made[path.Join(Folder, page.File)] = true
	}
	for name, page := range all {
		assert.True(t, reached[name] || !strings.HasPrefix(name, "docs/"), "no link leads from %s to %s", index, name)
		assert.True(t, page.lines <= 200 || made[name], "%s has %d lines; split it", name, page.lines)
	}
	assert.LessOrEqual(t, all["README.md"].lines, 120)
}

var (
	file = regexp.MustCompile(`^(?:(?:charts|cluster|dashboards|docs|images|operators)/[\w./-]+|experiments/[\w.-]+\.yaml)$`)
	test = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*$`)
)

// A promise names the test that keeps it.
func TestPages_nameFilesAndTestsThatExist(t *testing.T) {
	files := known(t)
	var tests strings.Builder
	for _, name := range tracked(t, "*_test.go") {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		tests.Write(text)
	}
	for name, page := range pages(t) {
		for _, code := range page.code {
			assert.True(t, !test.MatchString(code) || strings.Contains(tests.String(), "\nfunc "+code+"("), "%s: there is no test %s", name, code)
			for word := range strings.FieldsSeq(code) {
				word = strings.TrimRight(word, "/.,;:")
				// A page of a component may name a file from its own folder.
				assert.True(t, !file.MatchString(word) || left(word) || files[word] || files[path.Join(path.Dir(name), word)], "%s: there is no file %s", name, word)
			}
		}
	}
}

// page collects the Markdown of one page.
type page struct{ text strings.Builder }

// newPage begins a page with the note that a program writes it, from the named sources.
func newPage(title, sources string) *page {
	p := &page{}
	fmt.Fprintf(&p.text, "<!-- Generated from %s: change that, then run `make generate`. -->\n# %s\n", sources, title)
	return p
}

// heading adds a heading of a level from 2.
func (p *page) heading(level int, title string) {
	fmt.Fprintf(&p.text, "\n%s %s\n", strings.Repeat("#", level), title)
}

// paragraph adds text that is Markdown already.
func (p *page) paragraph(text string) { fmt.Fprintf(&p.text, "\n%s\n", text) }

// table adds rows of cells that are Markdown already; nothing where there are no rows.
func (p *page) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(&p.text, "\n| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.ReplaceAll(textfmt.OneLine(cell), "|", `\|`)
		}
		fmt.Fprintf(&p.text, "| %s |\n", strings.Join(cells, " | "))
	}
}

func (p *page) String() string { return p.text.String() }

var marks = strings.NewReplacer("<", "&lt;", "*", `\*`, "[", `\[`, "]", `\]`)

// prose escapes a sentence of code, so that Markdown shows it as it is written. What is between backquotes stays.
func prose(text string) string {
	pieces := strings.Split(textfmt.OneLine(text), "`")
	if len(pieces)%2 == 0 { // a backquote without a second one marks no code
		return marks.Replace(strings.Join(pieces, "\\`"))
	}
	for i := 0; i < len(pieces); i += 2 {
		pieces[i] = marks.Replace(pieces[i])
	}
	return strings.Join(pieces, "`")
}

// code marks a word of code; empty for an empty one.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// codes marks several words of code.
func codes(words []string) string {
	marked := make([]string, len(words))
	for i, word := range words {
		marked[i] = code(word)
	}
	return strings.Join(marked, ", ")
}

// anchor is the fragment by which GitHub links to a heading.
func anchor(title string) string {
	return "#" + strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	letters := []rune(strings.TrimSpace(text))
	if len(letters) == 0 {
		return ""
	}
	letters[0] = unicode.ToUpper(letters[0])
	return stopped(string(letters))
}

// stopped ends with a full stop. It may begin with a word of code, whose letters stay.
func stopped(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, ".)") {
		return text
	}
	return text + "."
}
