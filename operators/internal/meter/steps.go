package meter

import (
	"fmt"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// stepWord begins the name of a search's step in the load's summary: step.3=rate=3900 operations=7801 ...
const stepWord = "step."

// maxSteps of a search, as the CRD has it. Each is a piece of the log: joined ones could not be told apart.
const maxSteps = measure.MaxIntervals

// parseStep reads a step of a search: its number, from 1, and what was counted in it.
func parseStep(number, value string) (int, v1alpha1.CapacityStep, error) {
	at, err := strconv.Atoi(number)
	if err != nil || at < 1 || at > maxSteps {
		return 0, v1alpha1.CapacityStep{}, fmt.Errorf("%q is the number of no step", number)
	}
	fields := map[string]int64{"rate": -1, "operations": -1, "errors": -1, "unanswered": -1, "nanos": -1, "kept": -1}
	for word := range strings.FieldsSeq(value) {
		name, digits, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(digits, 10, 64)
		if _, known := fields[name]; !known || err != nil || n < 0 {
			return 0, v1alpha1.CapacityStep{}, fmt.Errorf("step %d says %q, not a count that it has", at, word)
		}
		fields[name] = n
	}
	for name, n := range fields {
		if n < 0 {
			return 0, v1alpha1.CapacityStep{}, fmt.Errorf("step %d does not tell its %s", at, name)
		}
	}
	return at, v1alpha1.CapacityStep{
		Rate: fields["rate"], Operations: fields["operations"], Errors: fields["errors"], Unanswered: fields["unanswered"],
		PercentileMillis: measure.Millis(fields["nanos"]), Kept: fields["kept"] == 1,
	}, nil
}

// search is what a load that looks for a capacity says it found.
type search struct {
	capacity, settled int64
	steps             map[int]v1alpha1.CapacityStep
}

func (s *search) add(number, value string) error {
	at, step, err := parseStep(number, value)
	if err != nil {
		return err
	}
	if s.steps == nil {
		s.steps = map[int]v1alpha1.CapacityStep{}
	}
	s.steps[at] = step
	return nil
}

// found is nil where the load tells of no step.
func (s *search) found() *v1alpha1.Capacity {
	if len(s.steps) == 0 {
		return nil
	}
	out := &v1alpha1.Capacity{Rate: s.capacity, Settled: s.settled == 1}
	for at := 1; len(out.Steps) < len(s.steps) && at <= maxSteps; at++ {
		if step, there := s.steps[at]; there {
			out.Steps = append(out.Steps, step)
		}
	}
	return out
}

// doubt about the steps, which are numbered without a gap and have all operations between them.
func (s *search) doubt(operations int64) string {
	sum := int64(0)
	for at := range len(s.steps) {
		step, there := s.steps[at+1]
		if !there {
			return fmt.Sprintf("the load tool tells of %d steps, and step %d is not among them", len(s.steps), at+1)
		}
		sum += step.Operations
	}
	if len(s.steps) > 0 && sum != operations {
		return fmt.Sprintf("the load tool's steps have %d operations, and it counted %d", sum, operations)
	}
	return ""
}
