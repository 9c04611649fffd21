package compare

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/internal/plural"
)

// NameAmong calls a load by its operation, and by what else tells it from those others.
func (c Cell) NameAmong(others []Cell) string {
	name := c.Operation
	for _, other := range others {
		if other.Operation != c.Operation || other == c {
			continue
		}
		if other.Threads != c.Threads && !strings.Contains(name, " thread") {
			name += ", " + plural.Of(c.Threads, "thread")
		}
		if other.Connections != c.Connections && !strings.Contains(name, " connection") {
			name += ", " + plural.Of(max(c.Connections, c.Threads), "connection")
		}
		if other.TargetRate != c.TargetRate && c.TargetRate > 0 && !strings.Contains(name, "rate") {
			name += fmt.Sprintf(", rate %d", c.TargetRate)
		}
		if other.Phase != c.Phase && !strings.Contains(name, "phase") {
			name += ", phase " + c.Phase
		}
	}
	return name
}
