package reference

import (
	"fmt"
	"strings"
	"unicode"

	"ringside.dev/ringside/operators/internal/textfmt"
)

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
