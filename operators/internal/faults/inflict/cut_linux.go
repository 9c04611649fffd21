package inflict

import (
	"context"
)

// Cut drops every packet of this network namespace, in and out, except on the interface with the index spared, until the context ends.
// Peers get no error, as after unplugging a cable. It calls begun when nothing passes.
func Cut(ctx context.Context, spared uint32, begun func()) error {
	return filtered(ctx, spared, []way{inwards, outwards}, loses, begun)
}
