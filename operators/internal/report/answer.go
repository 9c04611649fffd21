package report

import (
	"fmt"

	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/compare"
)

// Answer is what a reader sees first: the verdicts in words, drawn, and what they do not say.
type Answer struct {
	// Sentences that are shown, and More that a reader asks for.
	Sentences, More []Sentence
	Open            string
	Forest          *Forest
	// Limits of what is said, one sentence each.
	Limits []string
	Next   string
}

// Sentence is a verdict in words.
type Sentence struct{ Class, Sign, Text string }

// firstSentences are as many as a screen has room for above the drawing.
const firstSentences = 6

func (b *builder) answer() {
	found := answer.Alone(b.run)
	if b.result != nil {
		found = answer.Of(b.run, b.result)
	}
	a := &b.page.Answer
	for i, s := range found.Sentences {
		line := Sentence{classes[s.Mark], s.Mark.Sign(), s.Text}
		if i < firstSentences {
			a.Sentences = append(a.Sentences, line)
		} else {
			a.More = append(a.More, line)
		}
	}
	a.Open, a.Next = found.Open, found.Next
	a.Limits = append([]string{found.Validity()}, found.Limits...)
	if found.Warned != "" {
		a.Limits = append(a.Limits, found.Warned)
	}
	var groups []effects
	for _, column := range found.Columns {
		note := ""
		if len(column.Comparisons) > 0 {
			note = fmt.Sprintf("%s, %s · %s %s", column.Metric, better(column.Comparisons[0].Metric), found.Baseline, column.BaselineFigures[found.Baseline])
		}
		groups = append(groups, effects{column.Load, note, column.Comparisons})
	}
	a.Forest = newForest("Verdicts against "+found.Baseline, groups)
}

// better returns the direction of a metric that is better.
func better(metric compare.Metric) string {
	switch {
	case metric.Difference:
		return fmt.Sprintf("difference in %s, less is better", metric.Unit())
	case metric.HigherIsBetter:
		return "more is better"
	}
	return "less is better"
}
