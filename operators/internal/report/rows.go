package report

import (
	"encoding/base64"
	"encoding/csv"
	"html/template"
	"strings"

	"ringside.dev/ringside/operators/internal/results"
)

// DataRow is a row of measurements.csv.
type DataRow struct {
	Measurement string
	Invalid     bool
	Warmup      bool
	Cells       []string
}

func (b *builder) data() {
	b.page.Columns = results.Header()
	var cells [][]string
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		b.page.Rows = append(b.page.Rows, DataRow{row.Measurement, !row.Valid, row.Warmup, row.Cells()})
		cells = append(cells, row.Cells())
	}
	b.page.CSV = link(b.page.Columns, cells)
}

// link holds a table as a file, so that it can be saved from a page without a network and without a script.
func link(columns []string, rows [][]string) template.URL {
	var content strings.Builder
	w := csv.NewWriter(&content)
	_ = w.Write(columns) // a strings.Builder takes everything
	_ = w.WriteAll(rows)
	return template.URL("data:text/csv;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(content.String())))
}
