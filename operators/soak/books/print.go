package books

import (
	"fmt"
	"io"
	"text/tabwriter"

	"ringside.dev/ringside/operators/soak/schedule"
)

// Print the tables: kills by kind, attempts by measurement, discrepancies.
func Print(out io.Writer, runs []Run, hits []Hit, found []Discrepancy) {
	byKind := map[schedule.Kind]int{}
	for _, hit := range hits {
		byKind[hit.Kind]++
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nKILLED\tTIMES\n")
	for _, kind := range schedule.Kinds() {
		fmt.Fprintf(table, "%s\t%d\n", kind, byKind[kind])
	}
	fmt.Fprintf(table, "all\t%d\n", len(hits))
	_ = table.Flush()

	fmt.Fprintf(table, "\nMEASUREMENT\tATTEMPTS\tLOST TO\tVALID\n")
	measured, valid := 0, 0
	for _, run := range runs {
		for i := range run.Measurements {
			m := &run.Measurements[i]
			measured++
			if m.Status.Valid {
				valid++
			}
			lost := ""
			for _, failure := range m.Status.Failures {
				lost += string(failure.Reason) + " "
			}
			fmt.Fprintf(table, "%s\t%d\t%s\t%v\n", m.Name, m.Status.Attempt, lost, m.Status.Valid)
		}
	}
	_ = table.Flush()
	fmt.Fprintf(out, "%d measurements of %d runs, %d valid\n", measured, len(runs), valid)

	fmt.Fprintf(out, "\nDISCREPANCIES: %d\n", len(found))
	for _, discrepancy := range found {
		fmt.Fprintf(out, "  %s\n", discrepancy)
	}
}
