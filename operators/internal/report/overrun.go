package report

import (
	"math"
	"time"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// overRun draws a dot for each measurement of many, where it was taken in the run's time: drifts show, and outliers.
func (b *builder) overRun(groups []compare.Group, title, column string) (*Figure, string) {
	begin, figures := b.begin(), results.MustColumn(column)
	var arms []arm
	for _, g := range groups {
		line := series{number: b.series[g.Server], name: g.Server, faint: true, dots: true}
		for _, row := range g.Rows {
			at, value := row.StartedAt, b.units.FromMillis(figures.Value(row), figures.Unit)
			if at.IsZero() || math.IsNaN(value) {
				continue
			}
			line.x, line.y = append(line.x, at.Sub(begin).Minutes()), append(line.y, value)
		}
		if len(line.x) > 0 {
			arms = append(arms, arm{server: Server{b.series[g.Server], g.Server, b.typeOf(g.Server)}, lines: []series{line}})
		}
	}
	return drawn(title, "minutes since the run's first measurement", b.units.Sign(figures.Unit), arms), ""
}

func (b *builder) begin() time.Time {
	var begin time.Time
	for i := range b.run.Rows {
		if t := b.run.Rows[i].StartedAt; !t.IsZero() && (begin.IsZero() || t.Before(begin)) {
			begin = t
		}
	}
	return begin
}
