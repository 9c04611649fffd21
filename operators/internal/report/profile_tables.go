package report

import (
	"cmp"
	"slices"

	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// leastGroup is the share below which something is not worth a line; a thread group is then among the others.
const leastGroup = 0.005

// partTable has the share of each part of the store in an operation, by server; nil without any.
func partTable(all []seen, of profiles.Parts) *Table {
	if len(of) == 0 || !slices.ContainsFunc(all, seen.costs) {
		return nil
	}
	table := &Table{Columns: []string{"of an operation, by part of the store"}}
	rows := make([][]string, len(of)+2)
	for i := range all {
		s := &all[i]
		table.Columns = append(table.Columns, s.server.Name)
		split := append(of.Split(s.stacks), profiles.Amount{Part: "all", Count: s.tree.Total()})
		for j, amount := range split {
			if rows[j] == nil {
				rows[j] = []string{amount.Part}
			}
			rows[j] = append(rows[j], s.perOperation(amount.Count))
		}
	}
	for _, row := range rows {
		table.add(row...)
	}
	return table
}

// groupTable has a line for each group of threads that has a share worth one on some server.
func groupTable(all []seen) *Table {
	table := &Table{Columns: []string{"share of CPU by thread group"}}
	shares := map[string][]float64{}
	var order []string
	for i := range all {
		table.Columns = append(table.Columns, all[i].server.Name)
		for _, group := range all[i].tree.Groups() {
			if shares[group.Name] == nil {
				shares[group.Name] = make([]float64, len(all))
				order = append(order, group.Name)
			}
			shares[group.Name][i] = group.Share
		}
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(slices.Max(shares[y]), slices.Max(shares[x])) })
	others := make([]float64, len(all))
	for _, name := range order {
		if slices.Max(shares[name]) < leastGroup {
			for i, share := range shares[name] {
				others[i] += share
			}
			continue
		}
		table.add(append([]string{name}, percents(shares[name])...)...)
	}
	if slices.Max(others) > 0 {
		table.add(append([]string{"others"}, percents(others)...)...)
	}
	return table
}

func percents(shares []float64) []string {
	out := make([]string, len(shares))
	for i, share := range shares {
		out[i] = textfmt.Percent(share, 1)
	}
	return out
}
