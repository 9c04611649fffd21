package v1beta1

import (
	"regexp"
	"slices"
	"strings"
)

// MaxOutcomes is the highest number of outcomes that a load may distinguish. The CRD has the same limit.
const MaxOutcomes = 16

var outcomeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// IsOutcomeName reports whether name is valid for an outcome. The CRD has the same pattern.
func IsOutcomeName(name string) bool { return outcomeName.MatchString(name) }

// AddOutcomes adds up counts by name, in the order of names.
func AddOutcomes(all ...[]Outcome) []Outcome {
	var sum []Outcome
	for _, outcomes := range all {
		for _, outcome := range outcomes {
			at, there := slices.BinarySearchFunc(sum, outcome.Name, func(o Outcome, name string) int { return strings.Compare(o.Name, name) })
			if !there {
				sum = slices.Insert(sum, at, Outcome{Name: outcome.Name})
			}
			sum[at].Count += outcome.Count
		}
	}
	return sum
}
