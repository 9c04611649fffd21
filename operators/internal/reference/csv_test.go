package reference

import (
	"strings"

	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// columns documents the columns of every CSV that Ringside writes.
func columns(string) (*page, error) {
	p := newPage("CSV columns", "the columns in `operators/internal/results`, `operators/internal/compare` and `operators/internal/cli`")
	p.paragraph("Every file begins with a header. Read columns by name: a later version adds columns at the end, and never changes, moves or removes one.\n" +
		"An empty cell is a value that is not known or does not apply.")
	p.heading(2, "measurements.csv")
	p.paragraph("One row for each measurement that is finished: one phase on one server in one round. `ringside table -o csv` and `ringside export --valid`\n" +
		"print the same columns. Latencies are in milliseconds for every store. Filter on `valid` and `warmup` before you compute anything.\n" +
		"Phases can have different numbers of rounds: one that has [reached its precision](../concepts/statistics.md#runs-with-a-precision) has no rows in\n" +
		"later rounds.")
	p.table([]string{"Column", "Unit", "Meaning"}, measurementRows())
	p.heading(2, "comparison.csv")
	p.paragraph("One row for each server, load and metric. `ringside compare -o csv` prints the same columns. [Read results](../guides/read-results.md) and\n" +
		"[Statistics](../concepts/statistics.md) explain them.")
	p.table([]string{"Column", "Meaning"}, tableRows((&compare.Result{}).Table().Columns))
	p.heading(2, "ringside list -o csv")
	p.paragraph("One row for each run.")
	p.table([]string{"Column", "Meaning"}, tableRows(cli.ListColumns()))
	return p, nil
}

func measurementRows() [][]string {
	names := results.Header()
	var rows [][]string
	for _, column := range results.Columns() {
		unit := column.Unit
		if unit == "" && strings.HasSuffix(column.Name, "_ms") { // whole milliseconds, which are counted
			unit = "ms"
		}
		rows = append(rows, []string{code(column.Name), unit, marked(column.About, names)})
	}
	return rows
}

func tableRows(columns []textfmt.Column) [][]string {
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	var rows [][]string
	for _, column := range columns {
		rows = append(rows, []string{code(column.Name), marked(column.About, names)})
	}
	return rows
}

// marked escapes a sentence and marks the names of columns in it that are no ordinary words.
func marked(text string, names []string) string {
	words := strings.Split(prose(text), " ")
	for i, word := range words {
		bare := strings.TrimRight(word, ".,;:")
		for _, name := range names {
			if bare == name && strings.Contains(name, "_") {
				words[i] = code(bare) + word[len(bare):]
			}
		}
	}
	return strings.Join(words, " ")
}
