// Package rules checks an experiment before anything is started, with the same messages for the command line and the operator. It reads
// charts and is otherwise pure.
package rules

import (
	"fmt"
	"strings"
)

// Fault is a problem of the input: what is wrong, and the fix, in one line.
type Fault struct {
	What string
	Fix  string
}

// Error returns the line.
func (f Fault) Error() string {
	what := oneLine(f.What)
	if f.Fix == "" {
		return what
	}
	return what + ": " + oneLine(f.Fix)
}

func fault(fix, format string, args ...any) Fault {
	return Fault{What: fmt.Sprintf(format, args...), Fix: fix}
}

// oneLine joins the lines of a library's message.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
