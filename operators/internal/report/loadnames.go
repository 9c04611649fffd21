package report

import (
	"cmp"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
)

// groups by load, then by server.
func (b *builder) groups() []compare.Group {
	out := compare.Groups(b.run)
	loads := b.cells()
	slices.SortStableFunc(out, func(x, y compare.Group) int {
		return cmp.Or(cmp.Compare(slices.Index(loads, x.Cell), slices.Index(loads, y.Cell)), cmp.Compare(b.series[x.Server], b.series[y.Server]))
	})
	return out
}

// cells are the loads of the run: writes before reads, then in the order of the rows.
func (b *builder) cells() []compare.Cell {
	var out []compare.Cell
	for i := range b.run.Rows {
		if row := &b.run.Rows[i]; !row.Warmup && !slices.Contains(out, compare.CellOf(row)) {
			out = append(out, compare.CellOf(row))
		}
	}
	slices.SortStableFunc(out, func(x, y compare.Cell) int {
		return cmp.Or(-strings.Compare(x.Operation, y.Operation), cmp.Compare(x.Threads, y.Threads), cmp.Compare(x.Connections, y.Connections), cmp.Compare(x.TargetRate, y.TargetRate))
	})
	return out
}

// loadName names a load by what distinguishes it from the run's others.
func (b *builder) loadName(cell compare.Cell) string {
	return cell.NameAmong(b.cells())
}
