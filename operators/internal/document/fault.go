package document

import (
	"fmt"

	"ringside.dev/ringside/operators/internal/rules"
)

// Fault is something a person got wrong: what it is, and what mends it, in one line.
type Fault = rules.Fault

func fault(mend, format string, args ...any) Fault {
	return Fault{What: fmt.Sprintf(format, args...), Mend: mend}
}
