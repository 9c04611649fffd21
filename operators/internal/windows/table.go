package windows

import (
	"fmt"
	"math"
	"time"

	"ringside.dev/ringside/operators/internal/table"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Ways returns the compared ways to compute an interval.
func Ways() []Way {
	var ways []Way
	for _, unit := range Units() {
		for _, covariates := range AllCovariates() {
			ways = append(ways, Way{unit, covariates})
		}
	}
	return ways
}

// HalfWidths returns the half-widths of a load's intervals, one line for each way: each server's ratio with its half-width in percent, the
// widest half-width, and the time until it is 3%, if it shrinks with the square root of the time. Nil if the metric is unknown.
func HalfWidths(load Load, metric Metric) *table.Table {
	t := &table.Table{Columns: []table.Column{{Title: "BY", Name: "unit"}, {Title: "ADJUSTED FOR", Name: "covariates"}}}
	for _, pair := range load.Pairs {
		t.Columns = append(t.Columns, table.Column{Title: pair.Server, Name: pair.Server, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Title: "WIDEST", Name: "widest", Right: true}, table.Column{Title: "3% AFTER", Name: "time_to_3_percent", Right: true})
	for _, way := range Ways() {
		cells := []string{string(way.Unit), string(way.Covariates)}
		widest := 0.0
		for _, pair := range load.Pairs {
			interval, ok := Estimate(load, metric, way, pair)
			if !ok {
				cells = nil
				break
			}
			widest = max(widest, interval.HalfWidth)
			cells = append(cells, fmt.Sprintf("%.3f ±%s", math.Exp(interval.Center), percent(interval.HalfWidth)))
		}
		if cells != nil {
			t.Add(table.Plain, append(cells, percent(widest), until(0.03, widest, load.Time()))...)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// percent formats a half-width on the logarithmic scale.
func percent(halfWidth float64) string {
	if math.IsNaN(halfWidth) {
		return "-"
	}
	return textfmt.Percent(halfWidth, 1)
}

// until returns the time until an interval, which has a half-width after a time, is as narrow as wanted.
func until(wanted, halfWidth float64, after time.Duration) string {
	if math.IsNaN(halfWidth) {
		return "-"
	}
	times := halfWidth / wanted
	return time.Duration(float64(after) * times * times).Round(time.Second).String()
}

// Table returns the sources as a table.
func (n Noise) Table() *table.Table {
	t := &table.Table{Columns: []table.Column{{Title: "COUNTER", Name: "counter"}, {Title: "PER SECOND", Name: "per_second", Right: true},
		{Title: "CORRELATION", Name: "correlation", Right: true}, {Title: "BY RANK", Name: "rank_correlation", Right: true}, {Title: "SHARE OF VARIANCE", Name: "share", Right: true}}}
	for _, s := range n.Sources {
		t.Add(table.Plain, s.Name, fmt.Sprintf("%.4g", s.PerSecond), fmt.Sprintf("%+.2f", s.Correlation), fmt.Sprintf("%+.2f", s.RankCorrelation), percent(s.Share()))
	}
	return t
}

// String summarises the noise in one line.
func (n Noise) String() string {
	line := fmt.Sprintf("windows differ from their arm's mean by %s (standard deviation), %s of them are below half of it", percent(n.Deviation), percent(n.Below))
	if len(n.Resemblance) > 0 {
		line += "; a window resembles the next ones by"
		for _, r := range n.Resemblance {
			line += fmt.Sprintf(" %.2f", r)
		}
	}
	return line
}
