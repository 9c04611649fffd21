package compare

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// NameAmong returns the load's name: its operation, and the parameters in which it differs from other loads with the same operation.
func (c Cell) NameAmong(others []Cell) string {
	tells := func(differs func(other Cell) bool) bool {
		return slices.ContainsFunc(others, func(other Cell) bool { return other.Operation == c.Operation && differs(other) })
	}
	name := c.Operation
	if tells(func(other Cell) bool { return other.Threads != c.Threads }) {
		name += ", " + textfmt.Count(c.Threads, "thread")
	}
	if tells(func(other Cell) bool { return other.Connections != c.Connections }) {
		name += ", " + textfmt.Count(max(c.Connections, c.Threads), "connection")
	}
	if c.TargetRate > 0 && tells(func(other Cell) bool { return other.TargetRate != c.TargetRate }) {
		name += fmt.Sprintf(", rate %d", c.TargetRate)
	}
	if tells(func(other Cell) bool { return other.Phase != c.Phase }) {
		name += ", phase " + c.Phase
	}
	return name
}
