package report

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
	"ringside.dev/ringside/operators/internal/results"
)

// seen is what all profiles of one server, load and event have between them.
type seen struct {
	server  Server
	stacks  profiles.Stacks
	tree    *flameTree
	engines []string
	unit    string
	pods    int32
	seconds int32
	samples int64
	// operations that the store did meanwhile, by the rate of the load around it.
	operations float64
	notes      []string
}

func (s *seen) add(m *v1beta1.Measurement, taken profiles.Stacks, row *results.Row) {
	for _, reason := range row.InvalidReasons {
		s.note("invalid: " + reason)
	}
	if m == nil || m.Status.Result == nil || m.Status.Result.Profile == nil {
		s.note("what was profiled is not known")
		return
	}
	profile := m.Status.Result.Profile
	for _, line := range profile.LeftOut {
		s.note("left out: " + line)
	}
	if s.unit != "" && profile.Unit != s.unit || len(taken) == 0 {
		return
	}
	s.unit, s.pods, s.samples = profile.Unit, max(s.pods, profile.Pods), s.samples+profile.Samples
	if m.Spec.Profile != nil {
		s.seconds += m.Spec.Profile.Seconds
		s.operations += row.OpRate.Value * float64(m.Spec.Profile.Seconds)
	}
	for engine := range strings.SplitSeq(profile.Engine, ", ") {
		if !slices.Contains(s.engines, engine) {
			s.engines = append(s.engines, engine)
		}
	}
	s.stacks.Add(taken)
}

func (s *seen) note(line string) {
	if !slices.Contains(s.notes, line) {
		s.notes = append(s.notes, line)
	}
}

// costs reports whether the counts can be divided by operations.
func (s seen) costs() bool { return s.operations > 0 && s.tree.Total() > 0 }

// perOperation is a count's share in one operation.
func (s *seen) perOperation(count int64) string {
	if !s.costs() {
		return ""
	}
	return amount(float64(count)/s.operations, s.unit)
}
