package history

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// Columns of the CSV before those of the figures.
const (
	// TimeColumn is the time at which a run began.
	TimeColumn = "time"
	// RunColumn is the identifier of a run.
	RunColumn = "run"
	// BranchColumn numbers the groups of comparable runs. Otava knows a column of this name, and does not mix its values.
	BranchColumn = "branch"
)

// RunsTable returns a row for each run, with a column for each figure: the format that Apache Otava reads. A figure that a run does not have
// is empty.
func (h *History) RunsTable() *textfmt.Table {
	t := &textfmt.Table{}
	column := func(name string) {
		t.Columns = append(t.Columns, textfmt.Column{Title: strings.ToUpper(name), Name: name})
	}
	for _, name := range []string{TimeColumn, RunColumn, BranchColumn} {
		column(name)
	}
	for _, fact := range AttributeFacts() {
		column(plain(fact))
	}
	var figures []string
	rows := make([]map[string]string, len(h.Runs))
	for i, run := range h.Runs {
		rows[i] = map[string]string{TimeColumn: run.At.UTC().Format(time.RFC3339), RunColumn: run.ID, BranchColumn: strconv.Itoa(run.Group)}
		for _, fact := range AttributeFacts() {
			rows[i][plain(fact)] = Shortened(run.Facts[fact])
		}
	}
	for i := range h.Series {
		s := &h.Series[i]
		if !slices.Contains(figures, s.Column()) {
			figures = append(figures, s.Column())
			column(s.Column())
		}
		for _, p := range s.Points {
			rows[p.Run][s.Column()] = strconv.FormatFloat(p.Value, 'g', 8, 64)
		}
	}
	for _, row := range rows {
		t.AddNamed(textfmt.Plain, row)
	}
	return t
}

// Column names the column of a series: its server, load and metric.
func (s *Series) Column() string {
	return plain(s.Server) + "." + plain(s.Load) + "." + s.Metric.Name
}

// plain replaces everything but letters, digits and dashes, so that a name needs no quotes anywhere.
func plain(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}), "_")
}
