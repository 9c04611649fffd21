package report

import (
	"math"
	"slices"
)

// flameLimits bound a drawing: what is smaller, deeper or more is left out, and told.
type flameLimits struct {
	// Share below which a frame is left out.
	Share float64
	Depth int
	// Frames at most: of more, the narrowest are left out.
	Frames int
}

// defaultLimits keep a page with many graphs readable, and a browser quick.
func defaultLimits() flameLimits { return flameLimits{Share: 0.001, Depth: 96, Frames: 3000} }

// flameFrame is a frame that is drawn.
type flameFrame struct {
	Name  string
	Kind  frameKind
	Value int64
	// Depth from the root, which has 0; Left and Share of the whole width.
	Depth       int
	Left, Share float64
	// Base is the frame's share in the profile that this one is held against; NaN where there is none.
	Base float64
}

// flameDrawing is a laid out profile.
type flameDrawing struct {
	// Frames with those that called them before those that they called, from left to right.
	Frames []flameFrame
	// Deepest frame that is drawn.
	Deepest int
	// Narrow frames and Deep ones were left out.
	Narrow, Deep int
	// Least is the share below which frames were left out.
	Least float64
}

// layFlame lays out a tree, held against a base where there is one.
func layFlame(tree, base *flameTree, limits flameLimits) flameDrawing {
	d := flameDrawing{Least: limits.Share}
	if tree.root.value == 0 {
		return d
	}
	if shares := tree.shares(limits); len(shares) > limits.Frames {
		slices.SortFunc(shares, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
		d.Least = math.Nextafter(shares[limits.Frames], 1)
	}
	var other *node
	if base != nil && base.root.value > 0 {
		other = base.root
	}
	d.place(tree, tree.root, base, other, 0, 0, limits.Depth)
	return d
}

// shares of all frames that are wide enough and not too deep.
func (t *flameTree) shares(limits flameLimits) []float64 {
	var out []float64
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		share := t.share(n)
		if share < limits.Share || depth > limits.Depth {
			return
		}
		out = append(out, share)
		for _, child := range n.children {
			walk(child, depth+1)
		}
	}
	walk(t.root, 0)
	return out
}

// place a frame and all that it called. other is the same frame in the base, nil where it is not there.
func (d *flameDrawing) place(tree *flameTree, n *node, base *flameTree, other *node, depth int, left float64, deepest int) {
	share := tree.share(n)
	switch {
	case share < d.Least:
		d.Narrow++
		return
	case depth > deepest:
		d.Deep++
		return
	}
	frame := flameFrame{Name: n.name, Kind: n.kind, Value: n.value, Depth: depth, Left: left, Share: share, Base: math.NaN()}
	if base != nil && base.root.value > 0 {
		frame.Base = 0
		if other != nil {
			frame.Base = base.share(other)
		}
	}
	d.Frames = append(d.Frames, frame)
	d.Deepest = max(d.Deepest, depth)
	for _, k := range n.ordered() {
		var same *node
		if other != nil {
			same = other.children[k]
		}
		child := n.children[k]
		d.place(tree, child, base, same, depth+1, left, deepest)
		left += tree.share(child)
	}
}
