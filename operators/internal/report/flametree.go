package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
)

// flameTree holds frames that called each other.
type flameTree struct {
	root  *node
	event v1beta1.ProfileEvent
}

// node is a frame below those that called it, and what was counted in it and in all that it called.
type node struct {
	name     string
	kind     frameKind
	value    int64
	children map[key]*node
}

// key of a frame among those that one frame called.
type key struct {
	name string
	kind frameKind
}

// everything is the name of the root.
const everything = "all"

// newFlameTree returns the tree of the stacks of an event.
func newFlameTree(s profiles.Stacks, event v1beta1.ProfileEvent) *flameTree {
	tree := &flameTree{root: &node{name: everything, kind: groupFrame}, event: event}
	for stack, count := range s {
		tree.add(strings.Split(stack, profiles.Separator), count)
	}
	return tree
}

func (t *flameTree) add(frames []string, count int64) {
	at := t.root
	at.value += count
	for depth, frame := range frames {
		k := key{name: frame, kind: groupFrame}
		if depth > 0 {
			k.name, k.kind = frameOf(frame, t.event)
		}
		at = at.child(k)
		at.value += count
	}
}

func (n *node) child(k key) *node {
	if n.children == nil {
		n.children = map[key]*node{}
	}
	child := n.children[k]
	if child == nil {
		child = &node{name: k.name, kind: k.kind}
		n.children[k] = child
	}
	return child
}

// ordered children, by name, so that two servers' graphs can be laid side by side.
func (n *node) ordered() []key {
	return slices.SortedFunc(maps.Keys(n.children), func(a, b key) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return int(a.kind - b.kind)
	})
}

// Total that was counted.
func (t *flameTree) Total() int64 { return t.root.value }

// groupShare is a thread group's part of all that was counted.
type groupShare struct {
	Name  string
	Share float64
}

// Groups of threads, the largest first.
func (t *flameTree) Groups() []groupShare {
	var out []groupShare
	for _, k := range t.root.ordered() {
		out = append(out, groupShare{k.name, t.share(t.root.children[k])})
	}
	slices.SortStableFunc(out, func(a, b groupShare) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// Missing is the share of the other's that lies in calls which are not in this one at all, and so not in its drawing.
func (t *flameTree) Missing(other *flameTree) float64 {
	var walk func(here, there *node) int64
	walk = func(here, there *node) int64 {
		var sum int64
		for k, child := range there.children {
			if same := here.children[k]; same != nil {
				sum += walk(same, child)
			} else {
				sum += child.value
			}
		}
		return sum
	}
	if other.root.value == 0 {
		return 0
	}
	return float64(walk(t.root, other.root)) / float64(other.root.value)
}

func (t *flameTree) share(n *node) float64 {
	if t.root.value == 0 {
		return 0
	}
	return float64(n.value) / float64(t.root.value)
}
