package report

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/internal/results"
)

// ValidityLine counts the measurements that something is true of.
type ValidityLine struct {
	Bad  bool
	Text string
}

func (b *builder) validity() {
	p := b.page
	counts := map[string]int{}
	var order []string
	invalid := 0
	for i := range b.run.Rows {
		row := &b.run.Rows[i]
		if row.Valid {
			continue
		}
		invalid++
		for _, reason := range reasonsOf([]*results.Row{row}) {
			if counts[reason] == 0 {
				order = append(order, reason)
			}
			counts[reason]++
		}
	}
	valid := fmt.Sprintf("%d of %d measurements are valid", len(b.run.Rows)-invalid, len(b.run.Rows))
	if slices.ContainsFunc(b.run.Rows, func(row results.Row) bool { return row.Warmup || row.Profile != "" }) {
		valid += ", with those that warm up or profile"
	}
	p.Validity = append(p.Validity, ValidityLine{invalid > 0, valid})
	for _, reason := range order {
		p.Validity = append(p.Validity, ValidityLine{true, fmt.Sprintf("invalid, %d: %s", counts[reason], reason)})
	}
	for _, warning := range results.Warnings(b.run.Rows) {
		p.Validity = append(p.Validity, ValidityLine{false, "warning, " + warning})
	}
}

// reasonsOf rows that are invalid, each once.
func reasonsOf(rows []*results.Row) []string {
	var reasons []string
	for _, row := range rows {
		said := row.InvalidReasons
		if len(said) == 0 {
			said = []string{"no reason was recorded"}
		}
		for _, reason := range said {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
	}
	return reasons
}
