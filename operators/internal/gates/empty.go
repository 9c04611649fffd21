package gates

import (
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// emptySuffix is the ending of the outcome of a query that found nothing; without it, it is that of one that found something.
const emptySuffix = "-empty"

// mostEmpty is the largest share of queries that may find nothing without a word, in permille.
const mostEmpty = 10

// nothingFound rejects a load of which a kind of query never found anything: a store that lost its data is not faster.
func nothingFound(e Evidence) Findings { return empty(e, true) }

// littleFound warns of queries that found nothing.
func littleFound(e Evidence) Findings { return empty(e, false) }

func empty(e Evidence, all bool) Findings {
	found := map[string]int64{}
	for _, outcome := range e.Result.Outcomes {
		found[outcome.Name] = outcome.Count
	}
	var out Findings
	for _, outcome := range e.Result.Outcomes {
		query, is := strings.CutSuffix(outcome.Name, emptySuffix)
		asked := found[query] + outcome.Count
		switch {
		case !is || outcome.Count == 0 || all != (found[query] == 0):
		case all:
			out = append(out, finding(v1beta1.GateNothingFound, "counts: none of %d queries %s found anything: was the data written, or lost?", asked, query))
		case outcome.Count*1000 > mostEmpty*asked:
			out = append(out, finding(v1beta1.GateLittleFound, "counts: %s of %d queries %s found nothing", percent(outcome.Count*1000/asked), asked, query))
		}
	}
	return out
}
