// Package flame draws collapsed stacks as flame graphs: a frame's width is its share of all that was counted, and what it called lies on
// top of it. It is pure: the same stacks give the same drawing.
package flame
