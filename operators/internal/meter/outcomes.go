package meter

import (
	"fmt"
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// outcomeWord is the prefix of outcome counts in the load's summary.
const outcomeWord = "outcome."

func (s *summary) count(outcome string, n int64) {
	if s.outcomes == nil {
		s.outcomes = map[string]int64{}
	}
	s.outcomes[outcome] += n
}

// outcomeList returns the counts of outcomes, sorted by name.
func (s *summary) outcomeList() []v1beta1.Outcome {
	var list []v1beta1.Outcome
	for _, name := range slices.Sorted(maps.Keys(s.outcomes)) {
		list = append(list, v1beta1.Outcome{Name: name, Count: s.outcomes[name]})
	}
	return list
}

// doubt returns an inconsistency of the outcomes: if a load distinguishes outcomes, every operation that did not fail must have one.
func (s *summary) doubt() string {
	var sum int64
	for _, n := range s.outcomes {
		sum += n
	}
	switch asked := s.operations + s.unanswered; {
	case len(s.outcomes) > v1beta1.MaxOutcomes:
		return fmt.Sprintf("the load tool distinguishes %d outcomes, but at most %d are supported", len(s.outcomes), v1beta1.MaxOutcomes)
	case len(s.outcomes) > 0 && sum != asked, len(s.outcomes) == 0 && s.unanswered > 0:
		return fmt.Sprintf("the load tool's outcomes sum to %d operations, but it counted %d answered and %d unanswered", sum, s.operations, s.unanswered)
	}
	return ""
}
