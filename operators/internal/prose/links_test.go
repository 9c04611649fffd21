package prose

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// index is the page from which every page of docs/ is reached.
const index = "docs/README.md"

const (
	mostLines         = 200
	mostLinesOfReadme = 120
)

func pages(t *testing.T) map[string]Page {
	t.Helper()
	read := map[string]Page{}
	for _, name := range Files(t, "*.md") {
		read[name] = Parse([]byte(Read(t, name)))
	}
	return read
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
	if strings.HasPrefix(parsed.Path, "/") {
		return strings.TrimPrefix(path.Clean(parsed.Path), "/"), parsed.Fragment, true
	}
	return path.Join(path.Dir(page), parsed.Path), parsed.Fragment, true
}

// known returns the names of all files and folders.
func known(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, name := range Files(t) {
		for ; name != "."; name = path.Dir(name) {
			names[name] = true
		}
	}
	return names
}

func TestEveryLinkLeadsToAFileAndAHeading(t *testing.T) {
	files, read := known(t), pages(t)
	for name, page := range read {
		for _, link := range page.Links {
			file, anchor, local := target(name, link.Target)
			switch {
			case !local:
			case !files[file]:
				t.Errorf("%s:%d: link to %s: there is no file %s; correct the link", name, link.Line, link.Target, file)
			case anchor != "" && !hasAnchor(read[file], anchor):
				t.Errorf("%s:%d: link to %s: %s has no heading #%s; its headings are %s", name, link.Line, link.Target, file, anchor, anchorsOf(read[file]))
			}
		}
	}
}

func hasAnchor(page Page, anchor string) bool {
	for _, heading := range page.Headings {
		if heading.Anchor == anchor {
			return true
		}
	}
	return false
}

func anchorsOf(page Page) string {
	var all []string
	for _, heading := range page.Headings {
		all = append(all, "#"+heading.Anchor)
	}
	return strings.Join(all, " ")
}

func TestEveryPageOfDocsIsReachedFromTheIndex(t *testing.T) {
	read := pages(t)
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, link := range read[name].Links {
			if file, _, local := target(name, link.Target); local {
				if _, ok := read[file]; ok {
					visit(file)
				}
			}
		}
	}
	visit(index)
	for name := range read {
		if strings.HasPrefix(name, "docs/") {
			assert.True(t, reached[name], "no link leads from %s to %s; add one", index, name)
		}
	}
}

func TestNoPageIsTooLong(t *testing.T) {
	for name, page := range pages(t) {
		most := mostLines
		switch {
		case generated(t, name), name == "CHANGELOG.md":
			continue
		case name == "README.md":
			most = mostLinesOfReadme
		}
		assert.LessOrEqual(t, page.Lines, most, "%s has too many lines; split it", name)
	}
}

// generated reports whether a program writes the page.
func generated(t *testing.T, name string) bool {
	t.Helper()
	first, _, _ := strings.Cut(Read(t, name), "\n")
	return strings.HasPrefix(first, "<!--") && strings.Contains(strings.ToLower(first), "generated")
}
