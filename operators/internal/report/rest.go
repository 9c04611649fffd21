package report

import (
	"fmt"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// RestRow is what a server's store used while nobody asked anything of it.
type RestRow struct {
	Series              int
	Server, Load, Cores string
	Measurements        string
}

// atRest reports whether a phase ran no load.
func (b *builder) atRest(cell compare.Cell) bool {
	for i := range b.run.Rows {
		if row := &b.run.Rows[i]; compare.CellOf(row) == cell && row.AtRest() {
			return true
		}
	}
	return false
}

// rest lists what was used at rest, of each such phase.
func (b *builder) rest() {
	for _, cell := range b.cells() {
		if !b.atRest(cell) {
			continue
		}
		for _, server := range b.page.Servers {
			valid, invalid := b.rowsOf(server.Name, cell)
			if len(valid)+len(invalid) == 0 {
				continue
			}
			row := RestRow{Series: server.Series, Server: server.Name, Load: b.loadName(cell), Measurements: strconv.Itoa(len(valid)), Cores: b.restOf(valid)}
			if len(invalid) > 0 {
				row.Measurements = fmt.Sprintf("%d of %d", len(valid), len(valid)+len(invalid))
			}
			if len(valid) == 0 {
				row.Cores = "no valid measurement: " + strings.Join(reasonsOf(invalid), results.Separator)
			}
			b.page.Rest = append(b.page.Rest, row)
		}
	}
}

// restOf several measurements, in cores.
func (b *builder) restOf(rows []*results.Row) string {
	for _, metric := range compare.MetricsOf(b.run.Rows) {
		if metric.AtRest && len(rows) > 0 {
			return metric.Text(b.run, rows)
		}
	}
	return ""
}
