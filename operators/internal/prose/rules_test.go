package prose

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func rulesOf(t *testing.T, phrases string) []Rule {
	t.Helper()
	page := Parse([]byte("## Words\n\n| Do not write | Write |\n|---|---|\n| " + phrases + " | fix |\n"))
	rules, err := Rules(page, "Words")
	require.NoError(t, err)
	return rules
}

func TestPhraseIsFound(t *testing.T) {
	for name, test := range map[string]struct{ phrases, text, found string }{
		"as a word":              {"`mend`", "To mend it.", "mend"},
		"in any case":            {"`mend`", "Mend it.", "Mend"},
		"across a line break":    {"`for ever`", "It waits for\never.", "for ever"},
		"with a few words in it": {"`tell … apart`", "It can tell two servers apart.", "tell two servers apart"},
		"by a second spelling":   {"`mend`, `mends`", "It mends.", "mends"},
	} {
		found := Check(rulesOf(t, test.phrases), Text{Line: 7, Text: test.text})
		assert.Equal(t, []Finding{{7, test.found, "fix"}}, found, name)
	}
}

func TestPhraseIsNotFound(t *testing.T) {
	for name, test := range map[string]struct{ phrases, text string }{
		"in a longer word":        {"`mend`", "We recommend it."},
		"across too many words":   {"`tell … apart`", "They tell us which of the servers stands apart."},
		"in code":                 {"`mend`", Parse([]byte("Run `mend`.\n")).Prose[0].Text},
		"in a comment's code":     {"`mend`", HashComments("# Run `mend`.")[0].Text},
		"where it is only a part": {"`for ever`", "This is for everybody."},
	} {
		assert.Empty(t, Check(rulesOf(t, test.phrases), Text{Line: 1, Text: test.text}), name)
	}
}

func TestFindingHasTheLineOfThePhrase(t *testing.T) {
	found := Check(rulesOf(t, "`mend`"), Text{Line: 3, Text: "one\ntwo\nmend three"})
	assert.Equal(t, `5: "mend"; write: fix`, found[0].String())
}

func TestRulesNeedAPhraseInEveryRow(t *testing.T) {
	page := Parse([]byte("## Words\n\n| Do not write | Write |\n|---|---|\n| mend | fix |\n"))
	_, err := Rules(page, "Words")
	assert.ErrorContains(t, err, "line 5 has no phrase")
	_, err = Rules(page, "Other")
	assert.ErrorContains(t, err, "no such table")
}

func TestLongSentence(t *testing.T) {
	text := Text{Line: 1, Text: "One two three. One two\nthree four five? One two: three four."}
	assert.Equal(t, []Finding{{1, "One two three four five? …", "at most 4 words in a sentence; these are 5"}}, Long(text, 4))
	assert.Empty(t, Long(text, 5))
}

func TestCommentsAreFoundWithTheirLines(t *testing.T) {
	assert.Equal(t, []Text{{Line: 1, Text: " one\n two"}, {Line: 4, Text: " three"}}, HashComments("# one\n# two\na: b\nc: d # three\n"))
}

func TestCommentsOfGoAndJavaAreFoundWithTheirLines(t *testing.T) {
	source := "a := \"// no\" // one\n// two\n\t// three\nb := '\"'\n/**\n * four\n */\nc := `/* no */`\nd := \"\"\"\n// no\n\"\"\"\n"
	assert.Equal(t, []Text{{Line: 1, Text: " one\n two\n three\n"}, {Line: 5, Text: "\n four\n"}}, SlashComments(source))
}
