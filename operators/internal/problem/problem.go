// Package problem has the error that a user can fix: what is wrong and what to do, in one line, with a reason for programs.
package problem

import (
	"errors"
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Problem is what is wrong, and what to do.
type Problem struct {
	// Reason is one word of a closed list; empty for a problem that no program needs to distinguish.
	Reason v1beta1.Reason
	What   string
	// Fix is empty if What includes it.
	Fix string
	// Parameter is the load's parameter that is wrong, as the experiment names it; empty if it is none.
	Parameter string
}

// New returns a problem without a reason.
func New(fix, format string, args ...any) Problem {
	return Problem{What: fmt.Sprintf(format, args...), Fix: fix}
}

// Error returns the problem in one line.
func (p Problem) Error() string {
	what := textfmt.OneLine(p.What)
	if p.Fix == "" {
		return what
	}
	return what + ": " + textfmt.OneLine(p.Fix)
}

// Because returns the problem with a reason, if it has none.
func (p Problem) Because(reason v1beta1.Reason) Problem {
	if p.Reason == "" {
		p.Reason = reason
	}
	return p
}

// Because returns the problems, with a reason for those that have none.
func Because(reason v1beta1.Reason, problems []Problem) []Problem {
	for i := range problems {
		problems[i] = problems[i].Because(reason)
	}
	return problems
}

// Join returns the problems as one error with a line for each; nil if there are none.
func Join(problems []Problem) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// All returns the problems of an error that Join made of them, each with the text of errors that wrap it alone.
func All(err error) []Problem {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		var all []Problem
		for _, one := range joined.Unwrap() {
			all = append(all, All(one)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil && inner.Error() == err.Error() { // it adds an exit code, or nothing
		return All(inner)
	}
	var p Problem
	if !errors.As(err, &p) {
		return nil
	}
	if before, is := strings.CutSuffix(err.Error(), p.Error()); is {
		p.What = before + p.What
	}
	return []Problem{p}
}
