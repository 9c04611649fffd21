// Package parts says which part of a store a stack of calls belongs to, so that a profile can be told in a few lines: so much of an
// operation's time is the server's, so much the protocol's, so much the store's own. The parts of a store are in a file of their own. It is
// pure.
package parts

import (
	"regexp"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/stacks"
)

// Part of a store.
type Part struct {
	Name string
	// threads are the groups of threads that belong to it as a whole; frames are calls, by how their names begin.
	threads, frames *regexp.Regexp
}

// Parts of a store, in the order in which an operation goes through them.
type Parts []Part

// Other is what belongs to no part.
const Other = "other"

// Of a store, by its chart's name; none where nothing is said of it.
func Of(store string) Parts { return all()[store] }

// Amount that was counted in a part.
type Amount struct {
	Part  string
	Count int64
}

// Split the stacks by part, in the parts' order, with what belongs to none of them at the end. A stack belongs to the part of the innermost
// call that is some part's: a socket's write, and the kernel below it, to whoever wrote. Where no call is, its threads may be.
func (p Parts) Split(s stacks.Stacks) []Amount {
	amounts := make([]Amount, len(p)+1)
	for i, part := range p {
		amounts[i].Part = part.Name
	}
	amounts[len(p)].Part = Other
	known := map[string]int{} // the same calls are in thousands of stacks
	for stack, count := range s {
		amounts[p.of(stack, known)].Count += count
	}
	return amounts
}

// of a stack, the part's index; len(p) for none.
func (p Parts) of(stack string, known map[string]int) int {
	threads, calls, _ := strings.Cut(stack, stacks.Separator)
	for calls != "" {
		at := strings.LastIndex(calls, stacks.Separator)
		call := calls[at+1:]
		part, there := known[call]
		if !there {
			part = slices.IndexFunc(p, func(part Part) bool { return part.frames.MatchString(call) })
			known[call] = part
		}
		if part >= 0 {
			return part
		}
		calls = calls[:max(at, 0)]
	}
	if part := slices.IndexFunc(p, func(part Part) bool { return part.threads.MatchString(threads) }); part >= 0 {
		return part
	}
	return len(p)
}
