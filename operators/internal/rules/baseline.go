package rules

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/nearest"
)

// CheckBaseline finds one that is none of the servers. The API has the same rule, and cannot name them.
func CheckBaseline(spec *v1alpha1.ExperimentSpec) []Fault {
	names := make([]string, len(spec.Servers))
	for i, server := range spec.Servers {
		names[i] = server.Name
	}
	if spec.Baseline == "" || slices.Contains(names, spec.Baseline) {
		return nil
	}
	return []Fault{fault(choose(spec.Baseline, names), "spec.baseline is %q, and no server has that name", spec.Baseline)}
}

// choose says what there is to choose from, and what was probably meant.
func choose(word string, known []string) string {
	text := "choose from " + strings.Join(known, ", ")
	if near := nearest.To(word, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}
