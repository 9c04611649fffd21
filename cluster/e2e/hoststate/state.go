// Package hoststate detects what a test or a cluster left on the host. It reads every part of the host's state that
// Ringside's programs might change, before and after, and reports the differences.
package hoststate

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// State is a list of facts about the host, one line each: "/run/netns/x", "module br_netfilter", "sysctl
// vm/panic_on_oom = 0". A fact may occur more than once, for example two mounts on one directory.
type State []string

// packages begins the fact that changes when a package is installed or removed.
const packages = "packages "

// OnDemand lists the kernel modules, as patterns, that a kernel may load for the features that the cluster uses. They
// stay loaded, because others may use them by then. br_netfilter, which would affect the host's own bridges, is not among them.
var OnDemand = []string{"bridge", "stp", "llc", "veth", "overlay", "loop", "nf_*", "nft_*", "nfnetlink*", "ip_vs", "xt_*", "inet_diag", "tcp_diag", "libcrc32c", "crc32c_*"}

// onDemand reports whether the fact is a module that the kernel loads by itself.
func onDemand(fact string) bool {
	module, found := strings.CutPrefix(fact, "module ")
	return found && slices.ContainsFunc(OnDemand, func(pattern string) bool {
		matches, _ := path.Match(pattern, module) // the patterns are well formed
		return matches
	})
}

// appeared reports whether the fact is a setting that was not there before: it came with a module.
func appeared(fact string, before State) bool {
	name, _, setting := strings.Cut(fact, " = ")
	return setting && !slices.ContainsFunc(before, func(other string) bool { return strings.HasPrefix(other, name+" = ") })
}

// Differences describes the facts that were added and removed between two states. It omits facts with one of the
// prefixes in ignore, because other programs may change the machine at the same time, and new modules that the kernel
// loads on demand. If packages were installed
// meanwhile, it also omits paths that programs other than ours write, because a package's scripts may create any file.
func Differences(before, after State, ignore []string) []string {
	var found []string
	installed := slices.ContainsFunc(surplus(after, before), func(fact string) bool { return strings.HasPrefix(fact, packages) })
	for _, fact := range surplus(after, before) {
		if !onDemand(fact) && !appeared(fact, before) {
			found = append(found, "new:  "+fact)
		}
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

// own reports whether only clusters write to the path.
func own(path string) bool {
	return slices.ContainsFunc([]string{"/run/ringside-cluster", "/run/netns", "/usr/libexec/kubernetes", "/var/lib/kubelet", "/opt", "/home", "/root"},
		func(dir string) bool { return strings.HasPrefix(path, dir) })
}

// surplus returns the facts that occur more often in the first state than in the second.
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

// prefixed returns a fact for each line that is not empty.
func prefixed(kind, text string) State {
	var facts State
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			facts = append(facts, fmt.Sprintf("%s %s", kind, line))
		}
	}
	return facts
}
