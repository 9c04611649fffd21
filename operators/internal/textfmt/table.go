package textfmt

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Style of a row on a terminal.
type Style int

// Styles of rows.
const (
	Plain Style = iota
	// Faint is for rows shown for comparison only.
	Faint
	// Warn is for rows with invalid figures.
	Warn
	// Good and Bad are for verdicts.
	Good
	Bad
)

// Column is a column with its title on a terminal, and its name in CSV and JSON.
type Column struct {
	Title string
	Name  string
	// Right aligns figures.
	Right bool
	// About is the meaning of the column, in sentences for docs/reference; empty if it is not documented.
	About string
}

// Row is a row of a table.
type Row struct {
	Cells []string
	Style Style
}

// Table is a table with columns and rows.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Add appends a row.
func (t *Table) Add(style Style, cells ...string) {
	t.Rows = append(t.Rows, Row{Cells: cells, Style: style})
}

// AddNamed appends a row of cells by the names of their columns. Other cells are empty.
func (t *Table) AddNamed(style Style, cells map[string]string) {
	row := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		row[i] = cells[column.Name]
	}
	t.Add(style, row...)
}

// Select returns a table with only the named columns, in that order.
func (t *Table) Select(names ...string) *Table {
	var places []int
	selected := &Table{}
	for _, name := range names {
		for i, column := range t.Columns {
			if column.Name == name {
				places = append(places, i)
				selected.Columns = append(selected.Columns, column)
			}
		}
	}
	for _, row := range t.Rows {
		cells := make([]string, len(places))
		for i, place := range places {
			cells[i] = row.Cells[place]
		}
		selected.Add(row.Style, cells...)
	}
	return selected
}

// Remove removes the named column.
func (t *Table) Remove(name string) {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return
	}
	t.Columns = slices.Delete(t.Columns, at, at+1)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, at, at+1)
	}
}

// RemoveEmpty removes the named column if all its cells are empty.
func (t *Table) RemoveEmpty(name string) {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if at >= 0 && !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[at] != "" }) {
		t.Remove(name)
	}
}

// Formats returns the output formats of a table.
func Formats() []string { return []string{Text, Wide, "csv", "tsv", "json"} }

// Formats for people: Wide has all columns, Text the most important.
const (
	Text = "table"
	Wide = "wide"
)

// ForPeople reports whether a format is for people, not for programs.
func ForPeople(format string) bool { return format == "" || format == Text || format == Wide }

// Write prints the table in one of the Formats. Only formats for people use colour.
func (t *Table) Write(w io.Writer, format string, colour bool) error {
	switch format {
	case "", Text, Wide:
		return t.writeText(w, colour)
	case "csv":
		return t.writeSeparated(w, ',')
	case "tsv":
		return t.writeSeparated(w, '\t')
	case "json":
		return t.writeJSON(w)
	}
	return fmt.Errorf("unknown format %q: choose from %s", format, strings.Join(Formats(), ", "))
}

const gap = "  "

func (t *Table) writeText(w io.Writer, colour bool) error {
	widths := make([]int, len(t.Columns))
	for i, column := range t.Columns {
		widths[i] = utf8.RuneCountInString(column.Title)
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row.Cells[i]))
		}
	}
	titles := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		titles[i] = column.Title
	}
	var out strings.Builder
	out.WriteString(paint(t.line(titles, widths), "\x1b[1m", colour) + "\n")
	for _, row := range t.Rows {
		out.WriteString(paint(t.line(row.Cells, widths), codes(row.Style), colour) + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (t *Table) line(cells []string, widths []int) string {
	padded := make([]string, len(cells))
	for i, cell := range cells {
		space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if t.Columns[i].Right {
			padded[i] = space + cell
		} else {
			padded[i] = cell + space
		}
	}
	return strings.TrimRight(strings.Join(padded, gap), " ")
}

func codes(style Style) string {
	return map[Style]string{Faint: "\x1b[2m", Warn: "\x1b[33m", Good: "\x1b[32m", Bad: "\x1b[31m"}[style]
}

func paint(text, code string, colour bool) string {
	if !colour || code == "" {
		return text
	}
	return code + text + "\x1b[0m"
}

func (t *Table) names() []string {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = column.Name
	}
	return names
}

func (t *Table) writeSeparated(w io.Writer, comma rune) error {
	writer := csv.NewWriter(w)
	writer.Comma = comma
	records := [][]string{t.names()}
	for _, row := range t.Rows {
		records = append(records, row.Cells)
	}
	return writer.WriteAll(records)
}

// writeJSON prints a list of objects with keys in the order of the columns.
func (t *Table) writeJSON(w io.Writer) error {
	var out strings.Builder
	out.WriteString("[")
	for r, row := range t.Rows {
		if r > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n  {")
		for i, name := range t.names() {
			if i > 0 {
				out.WriteString(", ")
			}
			key, err := json.Marshal(name)
			if err != nil {
				return err
			}
			value, err := json.Marshal(row.Cells[i])
			if err != nil {
				return err
			}
			out.WriteString(string(key) + ": " + string(value))
		}
		out.WriteString("}")
	}
	out.WriteString("\n]\n")
	_, err := io.WriteString(w, out.String())
	return err
}
