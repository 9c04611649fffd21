package inflict

import (
	"context"
)

// Cut loses every packet of this network namespace from now on, in and out, but those on the interface with the index spared, until the context
// ends. Whoever is connected is told nothing: it looks as if the cable were out. Begun is called once nothing passes.
func Cut(ctx context.Context, spared uint32, begun func()) error {
	return filtered(ctx, spared, []way{inwards, outwards}, loses, begun)
}
