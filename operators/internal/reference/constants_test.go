package reference

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// constant is a string constant of Go code, with the comment that documents it.
type constant struct{ Name, Value, Doc string }

// constantsOf reads the string constants of Go files in their order.
func constantsOf(root string, files ...string) ([]constant, error) {
	var all []constant
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read the constants: %w", err)
		}
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				values := spec.(*ast.ValueSpec)
				doc := cmp.Or(values.Doc, values.Comment)
				if doc == nil && !group.Lparen.IsValid() {
					doc = group.Doc
				}
				if len(values.Names) != 1 || len(values.Values) != 1 {
					continue
				}
				literal, ok := values.Values[0].(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					return nil, fmt.Errorf("read the constant %s: %w", values.Names[0], err)
				}
				all = append(all, constant{values.Names[0].Name, value, doc.Text()})
			}
		}
	}
	return all, nil
}

// named returns the constants whose names begin with a prefix.
func named(all []constant, prefix string) []constant {
	var found []constant
	for _, c := range all {
		if strings.HasPrefix(c.Name, prefix) {
			found = append(found, c)
		}
	}
	return found
}

// about is the comment of a constant as Markdown, without the constant's own name; other constants are written as their values.
func (c constant) about(all []constant) string {
	text := textfmt.OneLine(c.Doc)
	subject := regexp.MustCompile(`^` + c.Name + `\b`)
	if !subject.MatchString(text) { // a comment at the end of the line
		return prose(sentence(text))
	}
	text = subject.ReplaceAllString(text, "")
	for _, start := range []string{": ", " is ", " are ", " says ", " "} {
		if rest, cut := strings.CutPrefix(text, start); cut {
			text = rest
			break
		}
	}
	text = prose(sentence(text))
	for _, other := range all {
		text = regexp.MustCompile(`\b`+other.Name+`\b`).ReplaceAllLiteralString(text, code(other.Value))
	}
	return text
}

// constantRows are rows of a table: value and meaning.
func constantRows(chosen, all []constant) [][]string {
	var rows [][]string
	for _, c := range chosen {
		rows = append(rows, []string{code(strings.TrimSpace(c.Value)), c.about(all)})
	}
	return rows
}

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
