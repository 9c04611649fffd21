package v1alpha1

import (
	"regexp"
	"slices"
	"strings"
)

// MaxOutcomes that a load may tell apart. The CRD says the same.
const MaxOutcomes = 16

var outcomeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// IsOutcomeName says whether an outcome may be called so. The CRD says the same.
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
