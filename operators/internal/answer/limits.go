package answer

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
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
	rounds, installations := 0, 1
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary {
			rounds, installations = max(rounds, c.Rounds), max(installations, c.Installations)
		}
	}
	scope := "one installation of the store"
	if installations > 1 {
		scope = fmt.Sprintf("%d installations of the store", installations)
	}
	text := fmt.Sprintf("Verdicts hold for %s, over at most %d rounds", scope, rounds)
	if rounds == 1 {
		text = fmt.Sprintf("One round on %s: too few for an interval", scope)
	}
	if shared := colocated(run); shared != "" {
		text += "; " + shared
	}
	return append(out, text+".")
}

func withheld(result *compare.Result) bool {
	return slices.ContainsFunc(result.Comparisons, func(c compare.Comparison) bool { return c.Primary && c.AA && c.Withheld })
}

// colocated reports that load and store shared nodes, which the gate of that name says in a row's warnings.
func colocated(run *archive.Run) string {
	for i := range run.Rows {
		for _, warning := range run.Rows[i].Warnings {
			if strings.HasPrefix(warning, "colocation: ") {
				return "the load generator shares nodes with the store"
			}
		}
	}
	return ""
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
