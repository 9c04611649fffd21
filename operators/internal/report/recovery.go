package report

import (
	"fmt"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// RecoveryRow is what the death of a server's store cost, over all measurements in which it was killed.
type RecoveryRow struct {
	Series       int
	Server, Load string
	// Seconds until it acknowledged operations again: on the mean, and the longest until that was so on every connection.
	Seconds, AllSeconds                     string
	Sent, Acknowledged, Kept, Lost, Refused string
	Measurements                            string
	// Withheld is why there are no figures.
	Withheld string
}

// recoveries lists what each kill cost.
func (b *builder) recoveries() {
	for _, cell := range b.cells() {
		for _, server := range b.page.Servers {
			valid, invalid := b.rowsOf(server.Name, cell)
			if !killed(valid) && !killed(invalid) {
				continue
			}
			row := RecoveryRow{Series: server.Series, Server: server.Name, Load: b.loadName(cell), Measurements: strconv.Itoa(len(valid))}
			if len(invalid) > 0 {
				row.Measurements = fmt.Sprintf("%d of %d", len(valid), len(valid)+len(invalid))
			}
			if len(valid) == 0 {
				row.Withheld = "no valid measurement: " + strings.Join(reasonsOf(invalid), results.Separator)
			} else {
				row.fill(b, valid)
			}
			b.page.Recoveries = append(b.page.Recoveries, row)
		}
	}
}

func killed(rows []*results.Row) bool { return len(rows) > 0 && rows[0].Recovery.First.Known }

// fill in the sums of the books, and the times.
func (r *RecoveryRow) fill(b *builder, rows []*results.Row) {
	for _, metric := range compare.MetricsOf(b.run.Rows) {
		if metric.Name == results.RecoveryTime {
			r.Seconds = metric.Text(b.run, rows)
		}
	}
	all := results.MustColumn("recovery_all_s")
	longest := 0.0
	for _, row := range rows {
		longest = max(longest, all.Value(row))
	}
	r.AllSeconds = all.Format(longest)
	for name, cell := range map[string]*string{
		"recovery_sent": &r.Sent, "recovery_acknowledged": &r.Acknowledged, "recovery_kept": &r.Kept, "recovery_lost": &r.Lost, "recovery_refused": &r.Refused,
	} {
		column, sum := results.MustColumn(name), 0.0
		for _, row := range rows {
			sum += column.Value(row)
		}
		*cell = column.Format(sum)
	}
}
