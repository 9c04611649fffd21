package meter

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// logf writes one line to standard error, distinguishable from the tool's output.
func logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "meter: %s\n", strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n  "))
}

func itoa(n int32) string { return strconv.FormatInt(int64(n), 10) }
