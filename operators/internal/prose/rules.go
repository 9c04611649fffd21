// Package prose reads the texts of this repository, in Markdown pages and comments, and verifies them against the rules of docs/style.md. The tables of
// that page are the rules. Only tests import it.
package prose

import (
	"fmt"
	"regexp"
	"strings"
)

// Rule rejects a phrase and names the replacement.
type Rule struct {
	Phrase string
	Write  string
	match  *regexp.Regexp
}

// Finding is one phrase that a rule rejects.
type Finding struct {
	Line int
	// Found is the phrase as it is written.
	Found string
	Write string
}

func (f Finding) String() string {
	return fmt.Sprintf("%d: %q; write: %s", f.Line, f.Found, f.Write)
}

// Rules reads the rules of one section of a page: each code span in the first column of a table is a phrase, and the second column
// is what to write instead.
func Rules(page Page, section string) ([]Rule, error) {
	var rules []Rule
	for _, row := range page.Rows {
		if row.Section != section {
			continue
		}
		if len(row.Cells) != 2 || len(row.Cells[0].Spans) == 0 {
			return nil, fmt.Errorf("read the rules of %q: line %d has no phrase; write it as `phrase`, and the replacement in the second column", section, row.Line)
		}
		for _, phrase := range row.Cells[0].Spans {
			rules = append(rules, Rule{phrase, row.Cells[1].Text, pattern(phrase)})
		}
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("read the rules of %q: the page has no such table; add one, or rename the section", section)
	}
	return rules, nil
}

// pattern matches a phrase in any case, across line breaks. An ellipsis stands for one to four words.
func pattern(phrase string) *regexp.Regexp {
	words := strings.Fields(phrase)
	var b strings.Builder
	b.WriteString(`(?i)\b`)
	for i, word := range words {
		if i > 0 {
			b.WriteString(`\s+`)
		}
		if word == "…" {
			b.WriteString(`\S+(?:\s+\S+){0,3}`)
			continue
		}
		b.WriteString(regexp.QuoteMeta(word))
	}
	b.WriteString(`\b`)
	return regexp.MustCompile(b.String())
}

// Check returns what the rules reject in a text that begins on the given line.
func Check(rules []Rule, text Text) []Finding {
	var findings []Finding
	for _, rule := range rules {
		for _, at := range rule.match.FindAllStringIndex(text.Text, -1) {
			findings = append(findings, Finding{
				Line:  text.Line + strings.Count(text.Text[:at[0]], "\n"),
				Found: strings.Join(strings.Fields(text.Text[at[0]:at[1]]), " "),
				Write: rule.Write,
			})
		}
	}
	return findings
}
