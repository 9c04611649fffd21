package meter

import (
	"fmt"
	"os"
	"strings"
)

// logf writes one line to standard error, distinguishable from the tool's output.
func logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "meter: %s\n", strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n  "))
}
