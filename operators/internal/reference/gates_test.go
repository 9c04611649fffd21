package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
)

const machineProfile = "charts/profiles/one-machine.yaml"

// gatesPage documents the gates: what each checks, and what to do when it fails.
func gatesPage(root string) (*page, error) {
	embedded, err := profileModes(filepath.Join(root, machineProfile))
	if err != nil {
		return nil, err
	}
	p := newPage("Gates", "`operators/internal/gates/catalogue.go` and `"+machineProfile+"`")
	p.paragraph("A gate checks one condition of a measurement. In mode `Enforce` a failed check makes the row invalid: it stays in measurements.csv and is\n" +
		"compared with nothing. In mode `Warn` the row has a warning. In mode `Off` nothing is checked. The text before the colon of a reason or a\n" +
		"warning names the gate. While a profile is taken (`phases[].profile`), every gate in mode `Enforce` only warns. In prepare\n" +
		"phases and warm-up rounds, gates that judge figures only warn. Gates of the load are not checked in idle phases.")
	p.paragraph("A comparison may leave out any number of rows that are invalid by " + neutral(gates.Catalogue()) + ": these do not depend on what is measured.\n" +
		"Rows that another gate made invalid are [lost rounds](../concepts/statistics.md#lost-rounds).")
	p.heading(2, "Modes")
	p.paragraph("`spec.gates` of an experiment file sets mode and limit. The last column shows what `" + machineProfile + "` sets on the embedded cluster, kind, k3d\n" +
		"and minikube.")
	p.table([]string{"Gate", "Field", "Default", "Limit", "Default of the limit", "One machine"}, modeRows(gates.Catalogue(), embedded))
	p.heading(2, "Checks")
	for _, gate := range gates.Catalogue() {
		p.heading(3, gate.Name)
		p.paragraph("* Fails if: " + gate.Fails + "\n* Cause: " + gate.Cause + "\n* Fix: " + gate.Fix)
	}
	rows, err := reasonRows(root, gates.Catalogue())
	if err != nil {
		return nil, err
	}
	p.heading(2, "Reasons")
	p.paragraph("Machine-readable reasons, one for each kind of failure: in `status.reasons` and `status.warningReasons` of a Measurement, in `reasons` and\n" +
		"`warning_reasons` of measurements.csv, and, for the first message, in the condition Valid. A measurement without a result has the\n" +
		"[reasons of its failed attempts](conditions.md#reasons-of-failed-attempts).")
	p.table([]string{"Reason", "Gate", "Meaning"}, rows)
	return p, nil
}

// neutral lists the gates whose findings do not depend on what is measured.
func neutral(all []gates.Gate) string {
	var names []string
	for _, gate := range all {
		if gate.Neutral {
			names = append(names, "`"+gate.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// reasonRows returns a row for each reason of a gate.
func reasonRows(root string, all []gates.Gate) ([][]string, error) {
	reasons, err := constantsOf(root, apiTypes+"reason_types.go")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, reason := range named(reasons, "Gate") {
		at := slices.IndexFunc(all, func(g gates.Gate) bool { return slices.Contains(g.Reasons, v1beta1.Reason(reason.Value)) })
		if at < 0 {
			return nil, fmt.Errorf("no gate in the catalogue has the reason %s: add it there", reason.Value)
		}
		rows = append(rows, []string{code(reason.Value), fmt.Sprintf("[%s](%s)", all[at].Name, anchor(all[at].Name)), reason.about(reasons)})
	}
	return rows, nil
}

func modeRows(all []gates.Gate, embedded map[string][]string) [][]string {
	var rows [][]string
	for _, gate := range all {
		field := code(gate.Field)
		if gate.Field == "" {
			field = "none"
		}
		rows = append(rows, []string{
			fmt.Sprintf("[%s](%s)", gate.Name, anchor(gate.Name)), field, code(string(gate.Mode())), code(gate.Limit), code(gate.Tolerated),
			strings.Join(embedded[gate.Field], "; "),
		})
	}
	return rows
}

// profileModes are the modes that a profile sets, by the gates' fields: for all experiments, or for those that a patch matches.
func profileModes(file string) (map[string][]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the profile: %w", err)
	}
	var profile struct {
		Patches []struct {
			Match struct{ Experiment, Store string }
			Patch struct {
				Spec struct{ Gates map[string]any }
			}
		}
	}
	if err := yaml.Unmarshal(content, &profile); err != nil {
		return nil, fmt.Errorf("decode %s: %w", file, err)
	}
	modes := map[string][]string{}
	for _, patch := range profile.Patches {
		for field, mode := range patch.Patch.Spec.Gates {
			text := code(fmt.Sprint(mode))
			if of := patch.Match.Experiment + patch.Match.Store; of != "" {
				text += " in " + of
			}
			modes[field] = append(modes[field], text)
		}
	}
	return modes, nil
}
