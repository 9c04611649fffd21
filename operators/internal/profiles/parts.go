package profiles

import (
	"regexp"
	"slices"
	"strings"
)

// Part is a part of a store.
type Part struct {
	Name string
	// threads matches groups of threads that belong to the part completely; frames matches calls. Both match the
	// beginning of a name.
	threads, frames *regexp.Regexp
}

// Parts are the parts of a store, in the order in which an operation passes through them. They summarise a profile in a few lines: the share of the
// server, of the protocol and of the store itself. A file defines those of each store.
type Parts []Part

// OtherPart is the name for stacks that belong to no part.
const OtherPart = "other"

// PartsOf returns the parts of a store by its chart's name; nil if none are defined.
func PartsOf(store string) Parts { return all()[store] }

// Amount is the count of samples in a part.
type Amount struct {
	Part  string
	Count int64
}

// Split sums the counts of stacks by part, in the order of the parts, with OtherPart at the end. A stack belongs to the
// part of its innermost call that matches a part: a write to a socket, including the kernel's frames below it, belongs
// to the part that wrote. If no call matches, the name of its group of threads decides.
func (p Parts) Split(s Stacks) []Amount {
	amounts := make([]Amount, len(p)+1)
	for i, part := range p {
		amounts[i].Part = part.Name
	}
	amounts[len(p)].Part = OtherPart
	known := map[string]int{} // thousands of stacks have the same calls
	for stack, count := range s {
		amounts[p.of(stack, known)].Count += count
	}
	return amounts
}

// of returns the index of a stack's part; len(p) if there is none.
func (p Parts) of(stack string, known map[string]int) int {
	threads, calls, _ := strings.Cut(stack, Separator)
	for calls != "" {
		at := strings.LastIndex(calls, Separator)
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
