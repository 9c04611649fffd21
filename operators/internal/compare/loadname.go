package compare

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/internal/plural"
)

// NameAmong calls a load by its operation, and by what else tells it from those others.
func (c Cell) NameAmong(others []Cell) string {
	tells := func(differs func(other Cell) bool) bool {
		return slices.ContainsFunc(others, func(other Cell) bool { return other.Operation == c.Operation && differs(other) })
	}
	name := c.Operation
	if tells(func(other Cell) bool { return other.Threads != c.Threads }) {
		name += ", " + plural.Of(c.Threads, "thread")
	}
	if tells(func(other Cell) bool { return other.Connections != c.Connections }) {
		name += ", " + plural.Of(max(c.Connections, c.Threads), "connection")
	}
	if c.TargetRate > 0 && tells(func(other Cell) bool { return other.TargetRate != c.TargetRate }) {
		name += fmt.Sprintf(", rate %d", c.TargetRate)
	}
	if tells(func(other Cell) bool { return other.Phase != c.Phase }) {
		name += ", phase " + c.Phase
	}
	return name
}
