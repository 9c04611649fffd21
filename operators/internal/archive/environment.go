package archive

import (
	"ringside.dev/ringside/operators/api/v1beta1"
)

// environmentOf is an entry of environment.yaml: where a server was measured, and the proofs of which server answered.
type environmentOf struct {
	Server       string               `json:"server"`
	Installation int32                `json:"installation,omitempty"`
	Round        int32                `json:"round"`
	Proof        *v1beta1.Proof       `json:"proof,omitempty"`
	Environment  *v1beta1.Environment `json:"environment,omitempty"`
	Measurements []string             `json:"measurements"`
}

// WriteEnvironment writes the environments of the run's measurements, one entry per server and round of an installation.
func (f Folder) WriteEnvironment(run *Run) error {
	type place struct {
		server              string
		installation, round int32
	}
	entries := map[place]*environmentOf{}
	var ordered []*environmentOf
	for _, row := range run.Rows {
		m := run.Measurements[row.Measurement]
		if m == nil {
			continue
		}
		key := place{m.Spec.Server, m.Spec.Installation, m.Spec.Round}
		entry := entries[key]
		if entry == nil {
			entry = &environmentOf{Server: m.Spec.Server, Installation: m.Spec.Installation, Round: m.Spec.Round, Proof: m.Status.Proof, Environment: m.Status.Environment}
			entries[key] = entry
			ordered = append(ordered, entry)
		}
		entry.Measurements = append(entry.Measurements, m.Name)
	}
	return f.writeYAML(EnvironmentFile, ordered)
}
