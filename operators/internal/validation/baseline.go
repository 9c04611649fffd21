package validation

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// CheckBaseline rejects a baseline that is none of the servers. The API has the same rule, but cannot list the servers.
func CheckBaseline(spec *v1beta1.ExperimentSpec) []problem.Problem {
	names := make([]string, len(spec.Servers))
	for i, server := range spec.Servers {
		names[i] = server.Name
	}
	if spec.Baseline == "" || slices.Contains(names, spec.Baseline) {
		return nil
	}
	return []problem.Problem{problem.New(choose(spec.Baseline, names), "spec.baseline is %q, but no server has that name", spec.Baseline).Because(v1beta1.RefusedUnknownBaseline)}
}

// choose lists the known words, and suggests the nearest one.
func choose(word string, known []string) string {
	text := "choose from " + strings.Join(known, ", ")
	if near := textfmt.Nearest(word, known); near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}
