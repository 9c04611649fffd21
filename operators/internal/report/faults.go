package report

import (
	"strings"

	"ringside.dev/ringside/operators/internal/results"
)

// FaultRow is what faults of nodes cost those who asked a server meanwhile, in one measurement.
type FaultRow struct {
	Series              int
	Server, Load, Round string
	// Faults as measurements.csv has them: kind:node@seconds+seconds.
	Faults, Availability, Detect, Recover, Ready, Errors string
	// BeforeP99 and DuringP99 are percentiles of latency before the first fault and during the fault.
	BeforeP99, DuringP99 string
	// HintsKept, HintsDelivered and ReadRepairs count what the other nodes did for the absent one; empty if the store does not report it.
	HintsKept, HintsDelivered, ReadRepairs string
	// ErrorsByKind are why operations failed, in the whole phase.
	ErrorsByKind []string
	// Withheld is why there are no figures.
	Withheld string
}

// faults lists each measurement under which a node was lost: there are few, and what they differ in is what there is to see.
func (b *builder) faults() {
	for _, cell := range b.cells() {
		for _, server := range b.page.Servers {
			valid, invalid := b.rowsOf(server.Name, cell)
			for _, row := range append(valid, invalid...) {
				if len(row.Faults.List) == 0 {
					continue
				}
				shown := FaultRow{Series: server.Series, Server: server.Name, Load: b.loadName(cell), Round: results.MustColumn("round").Encode(row)}
				if !row.Valid {
					shown.Withheld = strings.Join(row.InvalidReasons, results.Separator)
					b.page.Faults = append(b.page.Faults, shown)
					continue
				}
				for name, into := range map[string]*string{
					"faults": &shown.Faults, results.FaultAvailability: &shown.Availability, "fault_detect_s": &shown.Detect,
					results.FaultRecoverTime: &shown.Recover, "fault_ready_s": &shown.Ready, "errors": &shown.Errors,
					results.FaultBeforeP99: &shown.BeforeP99, results.FaultDuringP99: &shown.DuringP99,
					results.HintsKept: &shown.HintsKept, results.HintsDelivered: &shown.HintsDelivered, results.ReadRepairs: &shown.ReadRepairs,
				} {
					*into = results.MustColumn(name).Encode(row)
				}
				shown.ErrorsByKind = errorsOf([]*results.Row{row})
				b.page.Faults = append(b.page.Faults, shown)
			}
		}
	}
}
