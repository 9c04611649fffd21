package meter

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// errorWord is the prefix of error counts in the load's summary.
const errorWord = "error."

func (s *summary) countError(kind v1beta1.ErrorKind, n int64) {
	if s.errorKinds == nil {
		s.errorKinds = map[v1beta1.ErrorKind]int64{}
	}
	s.errorKinds[kind] += n
}

// kinds returns the counts of failed operations by kind, without zeros. Errors of a load that distinguishes no kinds are of unknown kind.
func (s *summary) kinds() []v1beta1.ErrorCount {
	var list []v1beta1.ErrorCount
	for _, kind := range v1beta1.ErrorKinds() {
		if n := s.errorKinds[kind]; n > 0 {
			list = append(list, v1beta1.ErrorCount{Kind: kind, Count: n})
		}
	}
	if len(s.errorKinds) == 0 && s.errors > 0 {
		list = []v1beta1.ErrorCount{{Kind: v1beta1.ErrorUnknown, Count: s.errors}}
	}
	return list
}

// kindsDoubt returns an inconsistency of the kinds: if a load distinguishes kinds, every failed operation must have one.
func (s *summary) kindsDoubt() string {
	var sum int64
	for _, n := range s.errorKinds {
		sum += n
	}
	if len(s.errorKinds) > 0 && sum != s.errors {
		return fmt.Sprintf("the load tool reports reasons of %d failed operations, but it counted %d", sum, s.errors)
	}
	return ""
}

func isErrorKind(word string) bool {
	return slices.Contains(v1beta1.ErrorKinds(), v1beta1.ErrorKind(word))
}
