package answer

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// limits of what the comparison claims.
func limits(run *archive.Run, result *compare.Result) []string {
	var out []string
	if result.Different != "" {
		out = append(out, strings.ToUpper(result.Different[:1])+result.Different[1:]+".")
	}
	if withheld(result) {
		out = append(out, "The A/A arm differs from itself: there is noise that the intervals do not cover, and no verdict is given.")
	}
	if slices.ContainsFunc(result.Comparisons, func(c compare.Comparison) bool { return c.Primary && c.Duet }) {
		out = append(out, "The sides of a duet compete for the same processors: it decides which is better, but between servers that run alone the difference has another size.")
	}
	if text := idle(run, result); text != "" {
		out = append(out, text)
	}
	if text := overloaded(run, result); text != "" {
		out = append(out, text)
	}
	rounds, installations := 0, 1
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary {
			rounds, installations = max(rounds, c.Rounds), max(installations, c.Installations)
		}
	}
	text := scope(run, rounds, installations)
	if colocated(run) {
		text += "; the load generator shares nodes with the store"
		if each := cpus(run); each != "" {
			text += ", " + each + " CPUs each"
		}
	}
	return append(out, text+".")
}

// scope of the verdicts. With dedicated hosting every round has an installation of its own.
func scope(run *archive.Run, rounds, installations int) string {
	dedicated := run.Experiment != nil && run.Experiment.Spec.Store.Hosting == v1beta1.HostingDedicated
	switch {
	case rounds == 1:
		return "One round: too few for an interval"
	case dedicated:
		return fmt.Sprintf("Verdicts hold for at most %d installations of the store, one for each round", rounds)
	case installations > 1:
		return fmt.Sprintf("Verdicts hold for %d installations of the store, over at most %d rounds", installations, rounds)
	}
	return fmt.Sprintf("Verdicts hold for one installation of the store, over at most %d rounds", rounds)
}

// cpus of a node of the store; empty where that is not known, or where nodes differ.
func cpus(run *archive.Run) string {
	found := ""
	for _, m := range run.Measurements {
		if m.Status.Environment == nil {
			continue
		}
		for _, node := range m.Status.Environment.StoreNodes {
			if found != "" && node.CPUs != found {
				return ""
			}
			found = node.CPUs
		}
	}
	return found
}

// warned names the gates that warned, with the measurements that each concerns.
func warned(run *archive.Run) string {
	var gates []string
	counts, of := map[string]int{}, 0
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup || row.Profile != "" {
			continue
		}
		of++
		seen := map[string]bool{}
		for _, warning := range row.Warnings {
			gate, _, named := strings.Cut(warning, ": ")
			if !named || seen[gate] {
				continue
			}
			seen[gate] = true
			if counts[gate]++; counts[gate] == 1 {
				gates = append(gates, gate)
			}
		}
	}
	for i, gate := range gates {
		gates[i] = fmt.Sprintf("%s in %d", gate, counts[gate])
		if counts[gate] == of {
			gates[i] = gate + " in all"
		}
	}
	if len(gates) == 0 {
		return ""
	}
	return fmt.Sprintf("Gates that warned, of %s: %s.", textfmt.Count(of, "measurement"), strings.Join(gates, ", "))
}

func withheld(result *compare.Result) bool {
	return slices.ContainsFunc(result.Comparisons, func(c compare.Comparison) bool { return c.Primary && c.AA && c.Withheld })
}

// colocated reports whether load and store shared nodes, by the warnings of the gate of that name.
func colocated(run *archive.Run) bool {
	for i := range run.Rows {
		for _, warning := range run.Rows[i].Warnings {
			if strings.HasPrefix(warning, "colocation: ") {
				return true
			}
		}
	}
	return false
}

// unresolved primary comparisons that are no A/A arms.
func unresolved(result *compare.Result) []*compare.Comparison {
	var out []*compare.Comparison
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary && !c.AA && c.Verdict == ratio.Unresolved {
			out = append(out, c)
		}
	}
	return out
}
