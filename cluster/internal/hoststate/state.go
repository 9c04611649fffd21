// Package hoststate tells what a test or a cluster left on the host: it reads all of the host that Ringside's programs could
// leave a trace in, before and after, and names the differences.
package hoststate

import (
	"fmt"
	"slices"
	"strings"
)

// State is a set of facts about the host, one line each: "/run/netns/x", "module br_netfilter", "sysctl vm/panic_on_oom = 0".
// A fact may be there more than once, as two mounts on one directory are.
type State []string

// packages is the fact that changes with every package that is installed or removed.
const packages = "packages "

// Differences describes what came and what went from one state to the next. Facts that begin with one of the prefixes to ignore
// are left out: a machine may have other things to do at the same time. So are, when packages were installed meanwhile, paths
// outside of what only our own programs write: no list tells what all a package's scripts make.
func Differences(before, after State, ignore []string) []string {
	var found []string
	installed := slices.ContainsFunc(surplus(after, before), func(fact string) bool { return strings.HasPrefix(fact, packages) })
	for _, fact := range surplus(after, before) {
		found = append(found, "new:  "+fact)
	}
	for _, fact := range surplus(before, after) {
		found = append(found, "gone: "+fact)
	}
	return slices.DeleteFunc(found, func(line string) bool {
		fact := line[len("new:  "):]
		if strings.HasPrefix(fact, packages) || installed && strings.HasPrefix(fact, "/") && !own(fact) {
			return true
		}
		return slices.ContainsFunc(ignore, func(prefix string) bool { return strings.HasPrefix(fact, prefix) })
	})
}

// own reports whether nobody but a cluster writes there.
func own(path string) bool {
	return slices.ContainsFunc([]string{"/run/ringside-cluster", "/run/netns", "/usr/libexec/kubernetes", "/var/lib/kubelet", "/home", "/root"},
		func(dir string) bool { return strings.HasPrefix(path, dir) })
}

// surplus lists the facts that are in the first state more often than in the second.
func surplus(first, second State) []string {
	count := map[string]int{}
	for _, fact := range second {
		count[fact]++
	}
	var more []string
	for _, fact := range first {
		if count[fact]--; count[fact] < 0 {
			more = append(more, fact)
		}
	}
	slices.Sort(more)
	return slices.Compact(more)
}

// prefixed makes a fact of each line that is not empty.
func prefixed(kind, text string) State {
	var facts State
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			facts = append(facts, fmt.Sprintf("%s %s", kind, line))
		}
	}
	return facts
}
