package report

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/published"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// SummaryRow is a server under one load, or a published row for comparison.
type SummaryRow struct {
	Series                                                int
	Server, Load                                          string
	Published                                             bool
	Measurements, Ops, Errors                             string
	OpRate, MedianMillis, P95Millis, P999Millis, Duration string
	// CPU time of an operation, if the store reports it.
	CPU string
	// Mid80 is the op rate as the published ones were taken, Of its part of those.
	Mid80, Of string
	// Withheld is why there are no figures, if all measurements are invalid.
	Withheld string
	// ErrorsByKind are why operations failed.
	ErrorsByKind []string
	// Outcomes of the operations that did not fail, if the load distinguishes them.
	Outcomes []string
}

func (b *builder) summary() {
	for _, cell := range b.cells() {
		if b.atRest(cell) {
			continue
		}
		var shown []published.Figure
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
			for _, figure := range published.For(append(valid, invalid...)[0].Published()) {
				if !slices.ContainsFunc(shown, func(f published.Figure) bool { return reflect.DeepEqual(f, figure) }) {
					shown = append(shown, figure)
				}
			}
		}
		b.publishedRows(shown, b.loadName(cell))
	}
	b.page.Said = results.Said(b.run.Rows)
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
	row.Duration = results.MinutesSeconds(results.Some(time.Duration(sum(rows, "operation_time_s") * float64(time.Second))))
	row.Outcomes, row.ErrorsByKind = outcomesOf(rows), errorsOf(rows)
	b.page.Outcomes = b.page.Outcomes || len(row.Outcomes) > 0
	mid80 := sum(rows, "op_rate_mid80") / float64(len(rows))
	figures := published.For(rows[0].Published())
	if rate := meanRate(figures); rate > 0 && mid80 > 0 {
		row.Mid80, row.Of = digits(mid80), digits(mid80/rate)
	}
}

// outcomesOf several measurements, each with its count and its share.
func outcomesOf(rows []*results.Row) []string {
	var counts []v1beta1.Outcome
	var total int64
	for _, row := range rows {
		counts = v1beta1.AddOutcomes(counts, row.Outcomes)
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

// errorsOf several measurements, by kind.
func errorsOf(rows []*results.Row) []string {
	var counts []v1beta1.ErrorCount
	for _, row := range rows {
		counts = v1beta1.AddErrors(counts, row.ErrorsByKind)
	}
	var lines []string
	for _, count := range counts {
		lines = append(lines, fmt.Sprintf("%s %d", count.Kind, count.Count))
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

// publishedRows adds published figures below a load's.
func (b *builder) publishedRows(figures []published.Figure, load string) {
	for _, figure := range figures {
		b.page.Setup = published.Setup(b.run.Rows[0].Store)
		b.page.Middle = b.page.Middle || figure.Middle()
		latency := func(column string) string {
			return textfmt.UnitsOf(b.run.Experiment).Printed(figure.Value(column), textfmt.Millis)
		}
		row := SummaryRow{
			Series: -1, Server: "published " + figure.Server, Load: load, Published: true, Measurements: figure.Label,
			OpRate: figure.Columns["op_rate"], Mid80: figure.Columns["op_rate_mid80"], Duration: figure.Time,
			MedianMillis: latency("latency_median_ms"), P95Millis: latency("latency_p95_ms"), P999Millis: latency("latency_p999_ms"),
		}
		if figure.Repeat > 0 {
			row.Measurements = fmt.Sprintf("no. %d", figure.Repeat)
		}
		b.page.Summary = append(b.page.Summary, row)
	}
}

// meanRate of published rows; 0 where there are none.
func meanRate(figures []published.Figure) float64 {
	total := 0.0
	for _, figure := range figures {
		rate, err := strconv.ParseFloat(figure.Columns["op_rate_mid80"], 64)
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
