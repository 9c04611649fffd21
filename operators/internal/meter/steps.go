package meter

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// stepWord is the prefix of a search's steps in the load's summary: step.3=rate=3900 operations=7801 ...
const stepWord = "step."

// maxSteps is the most steps of a search, as in the CRD. Each is an interval of the log, and joined ones could not be separated.
const maxSteps = measure.MaxIntervals

// parseStep parses a step of a search: its number, from 1, and its counts.
func parseStep(number, value string) (int, v1beta1.CapacityStep, error) {
	at, err := strconv.Atoi(number)
	if err != nil || at < 1 || at > maxSteps {
		return 0, v1beta1.CapacityStep{}, fmt.Errorf("%q is the number of no step", number)
	}
	fields := map[string]int64{"rate": -1, "operations": -1, "errors": -1, "unanswered": -1, "nanos": -1, "kept": -1, "not_begun": 0}
	var queue queueWords
	for word := range strings.FieldsSeq(value) {
		name, digits, _ := strings.Cut(word, "=")
		if known, err := queue.take(name, digits); known {
			if err != nil {
				return 0, v1beta1.CapacityStep{}, fmt.Errorf("step %d says %q, not what became of a queue", at, word)
			}
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if _, known := fields[name]; !known || err != nil || n < 0 {
			return 0, v1beta1.CapacityStep{}, fmt.Errorf("step %d says %q, not a count that it has", at, word)
		}
		fields[name] = n
	}
	for name, n := range fields {
		if n < 0 {
			return 0, v1beta1.CapacityStep{}, fmt.Errorf("step %d lacks its %s", at, name)
		}
	}
	return at, v1beta1.CapacityStep{
		Rate: fields["rate"], Operations: fields["operations"], Errors: fields["errors"], Unanswered: fields["unanswered"], NotBegun: fields["not_begun"],
		PercentileMillis: measure.Millis(fields["nanos"]), Kept: fields["kept"] == 1,
		QueueSamples: queue.samples, QueueGrowth: queue.growth, QueueGrowthLeast: queue.least, QueueGrowthMost: queue.most,
	}, nil
}

// queueWords holds the additional figures of a step in a search by the queue.
type queueWords struct {
	samples             int64
	growth, least, most v1beta1.Decimal
}

// take parses a word; known is false if it is not about the queue.
func (q *queueWords) take(name, text string) (known bool, err error) {
	fields := map[string]*v1beta1.Decimal{"growth": &q.growth, "growth_least": &q.least, "growth_most": &q.most}
	if name == "queue_samples" {
		q.samples, err = strconv.ParseInt(text, 10, 64)
		if q.samples < 0 {
			err = fmt.Errorf("%d samples", q.samples)
		}
		return true, err
	}
	field := fields[name]
	if field == nil {
		return false, nil
	}
	growth, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(growth) || math.IsInf(growth, 0) {
		return true, fmt.Errorf("%q is not a growth", text)
	}
	*field = measure.Rate(growth)
	return true, nil
}

// search holds the load's result of a capacity search.
type search struct {
	capacity, settled int64
	steps             map[int]v1beta1.CapacityStep
}

func (s *search) add(number, value string) error {
	at, step, err := parseStep(number, value)
	if err != nil {
		return err
	}
	if s.steps == nil {
		s.steps = map[int]v1beta1.CapacityStep{}
	}
	s.steps[at] = step
	return nil
}

// found returns the capacity; nil if there are no steps.
func (s *search) found() *v1beta1.Capacity {
	if len(s.steps) == 0 {
		return nil
	}
	out := &v1beta1.Capacity{Rate: s.capacity, Settled: s.settled == 1}
	for at := 1; len(out.Steps) < len(s.steps) && at <= maxSteps; at++ {
		if step, there := s.steps[at]; there {
			out.Steps = append(out.Steps, step)
		}
	}
	return out
}

// doubt returns an inconsistency of the steps, which must be numbered without gaps and add up to all operations.
func (s *search) doubt(operations int64) string {
	sum := int64(0)
	for at := range len(s.steps) {
		step, there := s.steps[at+1]
		if !there {
			return fmt.Sprintf("the load tool reports %d steps, but step %d is missing", len(s.steps), at+1)
		}
		sum += step.Operations
	}
	if len(s.steps) > 0 && sum != operations {
		return fmt.Sprintf("the load tool's steps have %d operations, but it counted %d", sum, operations)
	}
	return ""
}
