package report

import (
	"fmt"
	"math"
	"strconv"

	"ringside.dev/ringside/operators/internal/results"
)

// IORow is what a load made a server's store write and read, as the mean of its measurements; empty if the store does not report it.
type IORow struct {
	Series                           int
	Server, Load                     string
	WrittenPerOp, Write, Read, Space string
	Measurements                     string
}

// storeIO lists what the stores wrote and read, of stores that report it.
func (b *builder) storeIO() {
	for _, cell := range b.cells() {
		for _, server := range b.page.Servers {
			valid, invalid := b.rowsOf(server.Name, cell)
			row := IORow{
				Series: server.Series, Server: server.Name, Load: b.loadName(cell), Measurements: strconv.Itoa(len(valid)),
				WrittenPerOp: meanOf(valid, results.WrittenPerOperation), Write: meanOf(valid, results.WriteAmplification),
				Read: meanOf(valid, results.ReadAmplification), Space: meanOf(valid, results.SpaceAmplification),
			}
			if row.WrittenPerOp+row.Write+row.Read+row.Space == "" {
				continue
			}
			if len(invalid) > 0 {
				row.Measurements = fmt.Sprintf("%d of %d", len(valid), len(valid)+len(invalid))
			}
			b.page.StoreIO = append(b.page.StoreIO, row)
		}
	}
}

// meanOf a column over the rows that have a figure; empty where none has.
func meanOf(rows []*results.Row, name string) string {
	column, total, n := results.MustColumn(name), 0.0, 0
	for _, row := range rows {
		if value := column.Value(row); !math.IsNaN(value) {
			total, n = total+value, n+1
		}
	}
	if n == 0 {
		return ""
	}
	return column.Format(total / float64(n))
}
