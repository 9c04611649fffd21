package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
)

func TestTheReportBeginsWithTheAnswerInTheWordsOfTheTerminal(t *testing.T) {
	folder := paired(t)
	text, page := render(t, folder)
	run, err := archive.Read(folder.Path)
	require.NoError(t, err)
	result, err := compare.Within(run, compare.Defaults())
	require.NoError(t, err)
	found := answer.Of(run, result)
	var says []string
	for _, sentence := range append(page.Answer.Sentences, page.Answer.More...) {
		says = append(says, sentence.Text)
	}
	require.Len(t, says, len(found.Sentences))
	for i, sentence := range found.Sentences {
		assert.Equal(t, sentence.Text, says[i])
	}
	assert.Equal(t, found.Open, page.Answer.Open)
	assert.Equal(t, found.Validity(), page.Answer.Limits[0])
	first := strings.Index(text, `<section id="answer">`)
	require.Positive(t, first)
	assert.Less(t, first, strings.Index(text, "<h2>Summary</h2>"))
	assert.Less(t, strings.Index(text, `class="forest desk"`), strings.Index(text, "What this does not say"))
	assert.Contains(t, text, "at most 5 installations of the store, one for each round")
}

func TestARunOfOneServerBeginsWithWhatItDid(t *testing.T) {
	text, page := render(t, single(t))
	require.NotEmpty(t, page.Answer.Sentences)
	assert.Regexp(t, `^write: hsha answers \d+`, page.Answer.Sentences[0].Text)
	assert.Contains(t, page.Answer.Sentences[0].Text, "published, on other machines")
	assert.Nil(t, page.Answer.Forest)
	assert.Contains(t, text, "nothing is compared")
}

func TestColumnsThatFewNeedAreMarkedInTheirHeadsAndTheirCells(t *testing.T) {
	text, page := render(t, dedicated(t, nil))
	require.Len(t, page.Verdicts, len(page.Metrics))
	assert.True(t, page.Verdicts[0], "what verdicts are by comes first")
	assert.False(t, page.Verdicts[len(page.Verdicts)-1])
	for _, class := range []string{`class="more"`, `class="roomy"`} {
		heads := strings.Count(text, "<th "+class)
		require.Positive(t, heads)
		assert.GreaterOrEqual(t, strings.Count(text, "<td "+class), heads)
	}
}
