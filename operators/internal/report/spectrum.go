package report

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// ticksPerHalfDistance of spectra: points for every halving of the distance to 100 percent.
const ticksPerHalfDistance = 10

// spectrumColumns are the percentiles of a spectrum's table.
var spectrumColumns = []float64{50, 75, 90, 95, 99, 99.9, 99.99, 100}

// spectrum draws a line per server from the merged histograms of all its measurements.
func (b *builder) spectrum(groups []compare.Group) (*Figure, string) {
	return b.spectrumOf("Latency by percentile", groups, func(rows []*results.Row) (*hdrhistogram.PackedHistogram, error) {
		return compare.Merged(b.run, rows)
	})
}

// operationSpectra are those of each kind of operation in a mixed load; none where the load does one thing.
func (b *builder) operationSpectra(section *LoadSection, groups []compare.Group) {
	for _, operation := range compare.Operations(b.run, groups) {
		section.add(b.spectrumOf("Latency by percentile, "+operation, groups, func(rows []*results.Row) (*hdrhistogram.PackedHistogram, error) {
			return compare.MergedOf(b.run, rows, operation)
		}))
	}
}

func (b *builder) spectrumOf(title string, groups []compare.Group, mergedOf func([]*results.Row) (*hdrhistogram.PackedHistogram, error)) (*Figure, string) {
	table := Table{Columns: []string{"server, " + b.units.Latency()}}
	for _, percentile := range spectrumColumns {
		table.Columns = append(table.Columns, short(percentile))
	}
	var lines []series
	missing := 0
	for _, g := range groups {
		merged, err := mergedOf(g.Rows)
		if err != nil {
			missing++
			continue
		}
		s := series{number: b.series[g.Server], name: g.Server}
		for _, point := range measure.Spectrum(merged, ticksPerHalfDistance) {
			s.x = append(s.x, point.Percentile)
			s.y = append(s.y, b.latency(point.Nanos))
		}
		lines = append(lines, s)
		cells := []string{g.Server}
		for _, percentile := range spectrumColumns {
			cells = append(cells, digits(b.latency(measure.ValueAt(merged, percentile))))
		}
		table.add(cells...)
	}
	note := ""
	if missing > 0 {
		note = fmt.Sprintf("no latency spectrum for %d servers: their histograms are missing", missing)
	}
	if len(lines) == 0 {
		return nil, note
	}
	return &Figure{
		Title: title, Unit: b.units.Latency() + ", logarithmic", Table: table,
		Charts: []*Chart{newChart(wide, "percentile of operations", percentiles{}, newLogarithmic(least(lines), most(lines)), lines...)},
	}, note
}

// latency in nanoseconds as a number of the store's own unit.
func (b *builder) latency(nanos int64) float64 { return float64(nanos) / 1e6 * b.units.PerMilli() }
