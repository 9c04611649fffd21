package reference

import "slices"

// labels documents the labels, annotations and port names that Ringside writes and reads.
func labels(root string) (*page, error) {
	api, err := constantsOf(root, apiTypes+"labels.go")
	if err != nil {
		return nil, err
	}
	runs, err := constantsOf(root, "operators/internal/runs/runs.go", "operators/internal/document/document.go")
	if err != nil {
		return nil, err
	}
	chart, err := constantsOf(root, "operators/internal/storechart/chart.go", "operators/internal/storechart/asked.go")
	if err != nil {
		return nil, err
	}
	p := newPage("Labels, annotations and ports", "`operators/api/v1beta1/labels.go` and the constants next to the code that reads them")
	meaning := []string{"Name", "Meaning"}
	p.heading(2, "Labels")
	p.paragraph("Ringside puts them on every object of a run, and reads them from the objects of a store.")
	p.table(meaning, constantRows(named(api, "Label"), api))
	p.heading(2, "Annotations of an Experiment")
	p.table(meaning, append(constantRows(named(runs, "Annotation"), runs), constantRows(named(api, "Annotation"), api)...))
	p.heading(2, "Annotations of a store's Chart.yaml")
	p.paragraph("The [store contract](store-contract.md) explains their use.")
	p.table(meaning, constantRows(named(chart, "annotation"), chart))
	p.heading(2, "Names of ports")
	p.table(meaning, constantRows(only(api, "ServerPortName", "CountersPortName", "ProfilePortName", "KillPortName", "MaintenancePortName"), api))
	p.heading(2, "Finalizer and proof")
	p.table(meaning, constantRows(only(api, "Finalizer", "ProofMark"), api))
	return p, nil
}

// only returns the constants of the given names.
func only(all []constant, names ...string) []constant {
	var found []constant
	for _, c := range all {
		if slices.Contains(names, c.Name) {
			found = append(found, c)
		}
	}
	return found
}
