package report

// Figure is one question drawn: a single chart, or a small one for each server with the same axes. Table has the same in
// numbers, for those who do not see the drawing or want to count on.
type Figure struct {
	Title, Unit string
	// Note explains how to read it; empty if it needs no explanation.
	Note   string
	Charts []*Chart
	Table  Table
}

// Small reports whether there is a chart for each server.
func (f *Figure) Small() bool { return len(f.Charts) > 1 }

// Table of a figure's numbers.
type Table struct {
	Columns []string
	Rows    [][]string
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }
