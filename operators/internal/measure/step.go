package measure

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// stepMark separates the operation from the number of a search's step in a tag: READ@3-rt.
const stepMark = "@"

// Step returns the tag without the number of a search's step, and the number; 0 if there is none.
func (t Tag) Step() (Tag, int) {
	operation, number, found := strings.Cut(t.Operation, stepMark)
	step, err := strconv.Atoi(number)
	if !found || err != nil || step < 1 || step > maxStep {
		return t, 0
	}
	t.Operation = operation
	return t, step
}

// stepLog returns the part of a search's log that belongs to one step.
func stepLog(l *Log, wanted int) *Log {
	var intervals []Interval
	for _, iv := range l.Intervals {
		if tag, step := iv.Tag.Step(); step == wanted {
			iv.Tag = tag
			intervals = append(intervals, iv)
		}
	}
	return windowedLog(intervals)
}

// summarizeSearch returns the figures of the step nearest to the capacity, and all steps.
func summarizeSearch(pods []PodLog) (v1beta1.Result, error) {
	if len(pods) > 1 {
		return v1beta1.Result{}, errors.New("a capacity search needs one load pod")
	}
	found := pods[0].Capacity
	number := found.Nearest()
	if number == 0 {
		return v1beta1.Result{}, errors.New("no operation was answered in any step of the capacity search")
	}
	whole, err := pods[0].Whole()
	if err != nil {
		return v1beta1.Result{}, err
	}
	step, log := found.Steps[number-1], stepLog(whole, number)
	if counted := log.OperationCount(); counted != step.Operations {
		return v1beta1.Result{}, fmt.Errorf("the log has %d operations of step %d of the search, but the load tool counted %d", counted, number, step.Operations)
	}
	result, err := figures(PodLog{Log: log, Operations: step.Operations, Errors: step.Errors, Unanswered: step.Unanswered, NotBegun: step.NotBegun, Keys: step.Operations}, nil)
	result.Capacity = found
	return result, err
}
