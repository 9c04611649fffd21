// Package rules finds what is wrong with an experiment before anything of it is started, in the same words for the person at the
// command line and for the operator. It reads charts and is otherwise pure.
package rules

import (
	"fmt"
	"strings"
)

// Fault is something a person got wrong: what it is, and what mends it, in one line.
type Fault struct {
	What string
	Mend string
}

// Error gives the line.
func (f Fault) Error() string {
	what := oneLine(f.What)
	if f.Mend == "" {
		return what
	}
	return what + ": " + oneLine(f.Mend)
}

func fault(mend, format string, args ...any) Fault {
	return Fault{What: fmt.Sprintf(format, args...), Mend: mend}
}

// oneLine folds what a library wrote over several lines.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
