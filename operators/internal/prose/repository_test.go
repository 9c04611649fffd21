package prose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longest is the number of words that no sentence of a page may exceed (docs/style.md).
const longest = 35

// history is not rewritten when a rule is added.
var history = map[string]bool{"CHANGELOG.md": true}

func stylePage(t *testing.T) Page {
	t.Helper()
	return Parse([]byte(Read(t, "docs/style.md")))
}

func rulesFor(t *testing.T, sections ...string) []Rule {
	t.Helper()
	var rules []Rule
	for _, section := range sections {
		read, err := Rules(stylePage(t), section)
		require.NoError(t, err)
		rules = append(rules, read...)
	}
	return rules
}

func TestPagesFollowTheStyle(t *testing.T) {
	rules := rulesFor(t, "Words everywhere", "Words in pages")
	for _, name := range Files(t, "*.md") {
		if history[name] {
			continue
		}
		page := Parse([]byte(Read(t, name)))
		for _, text := range page.Prose {
			report(t, name, Check(rules, text))
			report(t, name, Long(text, longest))
		}
	}
}

func TestCommentsFollowTheStyle(t *testing.T) {
	rules := rulesFor(t, "Words everywhere")
	for _, name := range Files(t, "*.yaml", "*.sh", "Makefile") {
		for _, text := range HashComments(Read(t, name)) {
			report(t, name, Check(rules, text))
		}
	}
	for _, name := range Files(t, "*.go", "*.java") {
		for _, text := range SlashComments(Read(t, name)) {
			report(t, name, Check(rules, text))
		}
	}
}

func TestEveryRuleRejectsItsOwnPhrase(t *testing.T) {
	for _, rule := range rulesFor(t, "Words everywhere", "Words in pages") {
		text := strings.ReplaceAll(rule.Phrase, "…", "two servers")
		assert.NotEmpty(t, Check([]Rule{rule}, Text{Line: 1, Text: text}), rule.Phrase)
	}
}

func report(t *testing.T, name string, findings []Finding) {
	t.Helper()
	for _, finding := range findings {
		t.Errorf("%s:%v", name, finding)
	}
}
