package cli

import (
	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/table"
)

// answerWidth is the most columns that an answer takes: a wider line is hard to read.
const answerWidth = 100

// printAnswer prints one screen with the verdicts. It prints nothing, and reports false, where no primary metric was compared.
func (a *App) printAnswer(run *archive.Run, result *compare.Result) (shown bool, err error) {
	found := answer.Of(run, result)
	if len(found.Columns) == 0 {
		return false, nil
	}
	width := answerWidth
	if a.Terminal && a.Width() > 0 {
		width = min(width, a.Width())
	}
	return true, found.Write(a.Out, answer.Style{Width: width, Unicode: a.Unicode, Colour: a.Colour})
}

// printChosen prints what was chosen of a comparison: the answer where people ask for no more, else every row.
func (a *App) printChosen(run *archive.Run, chosen *compare.Result, format string) error {
	if format != table.Wide && table.ForPeople(format) {
		if shown, err := a.printAnswer(run, chosen); shown || err != nil {
			return err
		}
	}
	return a.printComparison(chosen, format)
}
