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
	out = slices.Concat(out, missing(result), idle(result), overloaded(result), otherLoads(result))
	rounds, installations := 0, 1
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary && c.Known() {
			rounds, installations = max(rounds, c.Rounds), max(installations, c.Installations)
		}
	}
	var last []string
	if rounds > 0 {
		last = append(last, scope(run, rounds, installations))
	}
	if colocated(run) {
		text := "the load generator shares nodes with the store"
		if each := cpus(run); each != "" {
			text += ", " + each + " CPUs each"
		}
		last = append(last, text)
	}
	if len(last) == 0 {
		return out
	}
	text := strings.Join(last, "; ")
	return append(out, strings.ToUpper(text[:1])+text[1:]+".")
}

// mostReasons is the most reasons that a screen has room for.
const mostReasons = 6

// missing says what is not compared, and why: loads that one server lacks, intervals that are not known, and rounds that an interval allows for.
func missing(result *compare.Result) []string {
	var out []string
	for _, gap := range result.Gaps {
		out = append(out, gap+".")
	}
	var reasons []string
	of := map[string][]string{}
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		reason := c.Missing()
		switch {
		case !c.Primary || c.Known() && reason == "":
			continue
		case !c.Known():
			reason = c.Unknown
		default:
			reason += ": its interval allows for that"
		}
		if of[reason] == nil {
			reasons = append(reasons, reason)
		}
		if load := LoadName(result, c); !slices.Contains(of[reason], load) {
			of[reason] = append(of[reason], load)
		}
	}
	for i, reason := range reasons {
		if i == mostReasons {
			out = append(out, fmt.Sprintf("%s more: -o wide has all.", textfmt.Count(len(reasons)-i, "reason")))
			break
		}
		out = append(out, fmt.Sprintf("%s: %s.", strings.Join(of[reason], ", "), reason))
	}
	return out
}

// otherLoads says where the latencies of verdicts are those of different loads.
func otherLoads(result *compare.Result) []string {
	text, also := "", []string(nil)
	for i := range result.Comparisons {
		switch c := &result.Comparisons[i]; {
		case !c.Primary || c.OtherLoad() == "":
		case text == "":
			text = c.OtherLoad() + "."
		default:
			also = append(also, c.Server+" on "+LoadName(result, c))
		}
	}
	switch {
	case text == "":
		return nil
	case len(also) > 0:
		text += " The same holds for " + listed(also) + "."
	}
	return []string{text}
}

// scope of the verdicts. With dedicated hosting every round has an installation of its own.
func scope(run *archive.Run, rounds, installations int) string {
	dedicated := run.Experiment != nil && run.Experiment.Spec.Store.Hosting == v1beta1.HostingDedicated
	switch {
	case dedicated:
		return fmt.Sprintf("Verdicts hold for at most %s of the store, one for each round", textfmt.Count(rounds, "installation"))
	case installations > 1:
		return fmt.Sprintf("Verdicts hold for %d installations of the store, over at most %s", installations, textfmt.Count(rounds, "round"))
	}
	return fmt.Sprintf("Verdicts hold for one installation of the store, over at most %s", textfmt.Count(rounds, "round"))
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
func warned(runs ...*archive.Run) string {
	var gates []string
	counts, of := map[string]int{}, 0
	for _, run := range runs {
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
