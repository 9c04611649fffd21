package document

import (
	"fmt"

	"ringside.dev/ringside/operators/internal/rules"
)

// Fault is a problem of the input: what is wrong, and the fix, in one line.
type Fault = rules.Fault

func fault(fix, format string, args ...any) Fault {
	return Fault{What: fmt.Sprintf(format, args...), Fix: fix}
}
