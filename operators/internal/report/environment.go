package report

import (
	"cmp"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/settings"
)

// NodeRow describes a node.
type NodeRow struct {
	Role string
	v1beta1.NodeInfo
}

// ProofRow is what proved to have answered.
type ProofRow struct {
	Server, Class, Plugin, Image string
}

func (b *builder) environment() {
	p := b.page
	seen := map[string]bool{}
	stores := map[Pair]bool{}
	for _, row := range b.run.Rows {
		m := b.run.Measurements[row.Measurement]
		if m == nil || m.Status.Environment == nil {
			continue
		}
		for _, group := range []struct {
			role  string
			nodes []v1beta1.NodeInfo
		}{{"store", m.Status.Environment.StoreNodes}, {"load", m.Status.Environment.LoadNodes}} {
			for _, node := range group.nodes {
				if key := group.role + node.Name; !seen[key] {
					seen[key] = true
					p.Nodes = append(p.Nodes, NodeRow{group.role, node})
				}
			}
		}
		for name, value := range m.Status.Environment.Store {
			stores[Pair{name, value}] = true
		}
	}
	for pair := range stores {
		p.Store = append(p.Store, pair)
	}
	slices.SortFunc(p.Store, func(x, y Pair) int { return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.Value, y.Value)) })
	slices.SortStableFunc(p.Nodes, func(x, y NodeRow) int {
		return cmp.Or(-strings.Compare(x.Role, y.Role), strings.Compare(x.Name, y.Name))
	})
	proofs := map[ProofRow]bool{}
	for _, row := range b.run.Rows {
		proof := ProofRow{row.Server, row.ServerClass, row.PluginSHA256, row.ImageDigest}
		if !proofs[proof] {
			proofs[proof] = true
			p.Proofs = append(p.Proofs, proof)
		}
	}
	slices.SortStableFunc(p.Proofs, func(x, y ProofRow) int { return cmp.Compare(b.series[x.Server], b.series[y.Server]) })
	p.Settings = settingsTable(b.run)
}

// settingsTable has a row for each setting in which servers differ as they ran, and a column for each server that reports its settings.
func settingsTable(run *archive.Run) *Table {
	var servers []string
	var all []map[string]string
	for _, server := range compare.Servers(run) {
		if ran, known := (compare.Arm{Run: run, Server: server}).Settings(); known {
			servers, all = append(servers, server), append(all, ran)
		}
	}
	table := &Table{Columns: append([]string{"setting"}, servers...)}
	for _, name := range settings.Names(all...) {
		if values := settings.Values(name, all...); settings.Vary(values) {
			table.add(append([]string{name}, values...)...)
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table
}
