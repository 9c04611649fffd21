package reference

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/metrics"
)

// metric is a Prometheus metric that a program of Ringside serves.
type metric struct {
	Name, Type, Help string
	Labels           []string
}

// metricsPage documents the metrics of the operator, the load pods and the stores, and the rules and alerts on them.
func metricsPage(root string) (*page, error) {
	p := newPage("Metrics", "`operators/metrics`, the collectors of operator and meter, and the stores' exporters")
	p.paragraph("`make prometheus` opens Prometheus on the embedded cluster. Times are in seconds and sizes in bytes, unless the name says otherwise.\n" +
		"*Cell labels* are " + codes(metrics.CellLabels()) + ": one phase on one server in one round and repeat.")
	for _, served := range []struct {
		title, about string
		read         func() ([]metric, error)
	}{
		{"Operator", "Served on the operator's port `metrics`.", operatorMetrics},
		{"Load pods", "Served by meter in each load pod.", loadMetrics},
	} {
		found, err := served.read()
		if err != nil {
			return nil, err
		}
		p.heading(2, served.title)
		p.paragraph(served.about)
		p.table([]string{"Metric", "Type", "Labels", "Meaning"}, metricRows(found))
	}
	p.heading(2, "History")
	p.paragraph("Exported by `ringside history --push` and `-o openmetrics`, see [the guide](../guides/history-in-grafana.md). The time of a sample is when its run\nbegan.")
	p.table([]string{"Metric", "Type", "Labels", "Meaning"}, metricRows(historyMetrics()))
	if err := storeSections(p, root); err != nil {
		return nil, err
	}
	return p, ruleSections(p, root)
}

func historyMetrics() []metric {
	var all []metric
	for _, m := range metrics.History() {
		all = append(all, metric{Name: m.Name, Type: "gauge", Help: m.Help, Labels: m.Labels})
	}
	return all
}

func metricRows(all []metric) [][]string {
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{code(m.Name), m.Type, labelCell(m.Labels), prose(sentence(m.Help))})
	}
	return rows
}

// labelCell names labels; the cell labels together, where all of them are there.
func labelCell(labels []string) string {
	cell := metrics.CellLabels()
	if slices.ContainsFunc(cell, func(name string) bool { return !slices.Contains(labels, name) }) {
		return codes(labels)
	}
	rest := slices.DeleteFunc(slices.Clone(labels), func(name string) bool { return slices.Contains(cell, name) })
	return strings.TrimSuffix("cell labels, "+codes(rest), ", ")
}

// add a metric to those that are known; of one that several rules or servers give it adds the labels.
func add(all []metric, m metric) ([]metric, error) {
	at := slices.IndexFunc(all, func(known metric) bool { return known.Name == m.Name })
	if at < 0 {
		return append(all, m), nil
	}
	if all[at].Type != m.Type {
		return nil, fmt.Errorf("metric %s is a %s and a %s; give it one type", m.Name, all[at].Type, m.Type)
	}
	for _, label := range m.Labels {
		if !slices.Contains(all[at].Labels, label) {
			all[at].Labels = append(all[at].Labels, label)
		}
	}
	return all, nil
}
