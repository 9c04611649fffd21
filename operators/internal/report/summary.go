package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/published"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/table"
)

// SummaryRow is a server under one load, or a published row beside it.
type SummaryRow struct {
	Series                                                int
	Server, Load                                          string
	Published                                             bool
	Measurements, Ops, Errors                             string
	OpRate, MedianMillis, P95Millis, P999Millis, Duration string
	// CPU time of an operation, where the store tells.
	CPU string
	// Mid80 is the op rate as the published ones were taken, Of its part of those.
	Mid80, Of string
	// Withheld says why there are no figures, where all measurements are invalid.
	Withheld string
	// Outcomes of the operations that did not fail, where the load tells them apart.
	Outcomes []string
}

func (b *builder) summary() {
	for _, cell := range b.cells() {
		if b.atRest(cell) {
			continue
		}
		var shown []string
		for _, server := range b.page.Servers {
			valid, invalid := b.rowsOf(server.Name, cell)
			if len(valid)+len(invalid) == 0 {
				continue
			}
			row := SummaryRow{
				Series: server.Series, Server: server.Name, Load: b.loadName(cell), Measurements: strconv.Itoa(len(valid)),
			}
			if len(invalid) > 0 {
				row.Measurements = fmt.Sprintf("%d of %d", len(valid), len(valid)+len(invalid))
			}
			if len(valid) == 0 {
				row.Withheld = "no valid measurement: " + strings.Join(reasonsOf(invalid), results.Separator)
			} else {
				b.fill(&row, valid)
			}
			b.page.Summary = append(b.page.Summary, row)
			if name := published.ServerOf(b.run.Rows[0].Store, server.Type); !slices.Contains(shown, name) {
				shown = append(shown, name)
			}
		}
		b.publishedRows(shown, cell)
	}
}

// rowsOf a server under a load, without those to warm up.
func (b *builder) rowsOf(server string, cell compare.Cell) (valid, invalid []*results.Row) {
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		switch {
		case row.Server != server || row.Warmup || compare.CellOf(row) != cell:
		case row.Valid:
			valid = append(valid, row)
		default:
			invalid = append(invalid, row)
		}
	}
	return valid, invalid
}

func (b *builder) fill(row *SummaryRow, rows []*results.Row) {
	values := map[string]*string{
		"op_rate": &row.OpRate, "latency_median_ms": &row.MedianMillis, "latency_p95_ms": &row.P95Millis, "latency_p999_ms": &row.P999Millis,
		results.CPUPerOperation: &row.CPU,
	}
	for _, metric := range b.metrics() {
		if value := values[metric.Name]; value != nil {
			*value = digitsOf(metric.Text(b.run, rows))
		}
	}
	b.page.CPU = b.page.CPU || row.CPU != ""
	row.Ops = strconv.FormatFloat(sum(rows, "ops"), 'f', 0, 64)
	row.Errors = strconv.FormatFloat(sum(rows, "errors"), 'f', 0, 64)
	row.Duration = table.MinutesSeconds(results.Some(time.Duration(sum(rows, "operation_time_s") * float64(time.Second))))
	row.Outcomes = outcomesOf(rows)
	b.page.Outcomes = b.page.Outcomes || len(row.Outcomes) > 0
	mid80 := sum(rows, "op_rate_mid80") / float64(len(rows))
	figures := published.For(rows[0].Store, rows[0].ServerType, rows[0].Operation)
	if rate := meanRate(figures); rate > 0 && mid80 > 0 {
		row.Mid80, row.Of = digits(mid80), digits(mid80/rate)
	}
}

// outcomesOf several measurements, each with its count and its share.
func outcomesOf(rows []*results.Row) []string {
	var counts []v1alpha1.Outcome
	var total int64
	for _, row := range rows {
		counts = v1alpha1.AddOutcomes(counts, row.Outcomes)
	}
	for _, outcome := range counts {
		total += outcome.Count
	}
	var lines []string
	for _, outcome := range counts {
		share := ""
		if total > 0 {
			share = fmt.Sprintf(" (%s%%)", digits(100*float64(outcome.Count)/float64(total)))
		}
		lines = append(lines, fmt.Sprintf("%s %d%s", outcome.Name, outcome.Count, share))
	}
	return lines
}

// sum of a column, where it has figures.
func sum(rows []*results.Row, column string) float64 {
	total := 0.0
	for _, row := range rows {
		if value := results.MustColumn(column).Value(row); !math.IsNaN(value) {
			total += value
		}
	}
	return total
}

// publishedRows lays the published figures of the named servers below a load's.
func (b *builder) publishedRows(servers []string, cell compare.Cell) {
	for _, server := range servers {
		for _, figure := range published.For(b.run.Rows[0].Store, server, cell.Operation) {
			b.page.Setup = published.Setup(b.run.Rows[0].Store)
			b.page.Summary = append(b.page.Summary, SummaryRow{
				Series: -1, Server: "published " + server, Load: figure.Operation, Published: true, Measurements: fmt.Sprintf("no. %d", figure.Repeat),
				Mid80: figure.OpRate, MedianMillis: figure.MedianMillis, P95Millis: figure.P95Millis, P999Millis: figure.P999Millis, Duration: figure.Time,
			})
		}
	}
}

// meanRate of published rows; 0 where there are none.
func meanRate(figures []published.Figure) float64 {
	total := 0.0
	for _, figure := range figures {
		rate, err := strconv.ParseFloat(figure.OpRate, 64)
		if err != nil {
			return 0
		}
		total += rate
	}
	if len(figures) == 0 {
		return 0
	}
	return total / float64(len(figures))
}
