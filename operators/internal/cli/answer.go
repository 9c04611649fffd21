package cli

import (
	"fmt"
	"path/filepath"

	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// answerWidth is the greatest width of an answer in columns: wider lines are hard to read.
const answerWidth = 100

// printAnswer prints one screen with the verdicts, and the folder of an exported run. It reports false, and prints
// nothing, if no primary metric was compared.
func (a *App) printAnswer(run *archive.Run, result *compare.Result, folder string) (shown bool, err error) {
	found := answer.Of(run, result)
	if len(found.Columns) == 0 {
		return false, nil
	}
	if folder != "" {
		found.Files = fmt.Sprintf("Report: %s; all figures: %s and %s next to it.", filepath.Join(folder, archive.ReportFile), archive.ComparisonFile, archive.MeasurementsFile)
	}
	width := answerWidth
	if a.Terminal && a.Width() > 0 {
		width = min(width, a.Width())
	}
	return true, found.Write(a.Out, answer.Style{Width: width, Unicode: a.Unicode, Colour: a.Colour})
}

// mostRows is the most rows of the table of a run of one server; a longer one is summarised by one line per load.
const mostRows = 16

// printExported prints the answer of an exported run. It reports false, and prints nothing, if the table is the answer.
func (a *App) printExported(x *exporter) (shown bool, err error) {
	if x.comparison != nil {
		return a.printAnswer(x.archived, x.comparison, x.folder.Path)
	}
	if x.archived == nil || len(x.rows) <= mostRows {
		return false, nil
	}
	for _, sentence := range answer.Alone(x.archived).Sentences {
		fmt.Fprint(a.Out, answer.Wrap(sentence.Text, answerWidth))
	}
	a.printFiles(x.folder.Path, len(x.rows))
	a.printNext(x.archived)
	return true, nil
}

// printChosen prints the selected comparisons: the answer in the default format, else every row.
func (a *App) printChosen(run *archive.Run, chosen *compare.Result, format string) error {
	if format != textfmt.Wide && textfmt.ForPeople(format) {
		if shown, err := a.printAnswer(run, chosen, ""); shown || err != nil {
			return err
		}
	}
	return a.printComparison(chosen, format)
}

// printNext suggests, after the table of a run of one server, the command that compares it with another.
func (a *App) printNext(run *archive.Run) {
	if run == nil {
		return
	}
	if next := answer.Alone(run).Next; next != "" {
		a.printf("%s", next)
	}
}
