package storechart

import (
	"fmt"
	"regexp"
	"strings"
)

// queueTerms matches added and subtracted counters, in the syntax that load-kit reads.
var queueTerms = regexp.MustCompile(`^[a-z][a-z0-9_]*([+-][a-z][a-z0-9_]*)*$`)

// Queue returns the formula of the store's queue length from its counters, as in received-done; empty if the chart has none.
func (c *Chart) Queue() string { return c.queue }

func queueOf(annotations map[string]string) (string, error) {
	text := annotations[annotationQueue]
	dense := strings.ReplaceAll(text, " ", "")
	if dense != "" && !queueTerms.MatchString(dense) {
		return "", fmt.Errorf("its annotation %s is %q: write names of counters with + and - between them, as in received - done", annotationQueue, text)
	}
	seen := map[string]bool{}
	for _, name := range strings.FieldsFunc(dense, func(r rune) bool { return r == '+' || r == '-' }) {
		if seen[name] {
			return "", fmt.Errorf("its annotation %s is %q: name %s once", annotationQueue, text, name)
		}
		seen[name] = true
	}
	return dense, nil
}
