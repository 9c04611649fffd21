package inflict

import (
	"context"
	"errors"
	"time"

	"github.com/mdlayher/netlink"
)

// bypass (NFQ_FLAG_BYPASS): packets pass while nobody reads their queue.
const bypass = 0x1

// Slow holds every packet that comes into this network namespace for a time from now on, but those on the interface with the index spared, until
// the context ends: every request, and every acknowledgement, comes so much later. Those that leave are not held: a kernel that still has what it
// sent on a connection holds back what is to follow, which it does not where the network is slow. Begun is called once it is so; what is held at
// the end goes on at once. Where this process dies, the kernel loses what is held, and lets all others pass.
func Slow(ctx context.Context, spared uint32, by time.Duration, begun func()) error {
	packets, err := openQueue(slowed)
	if err != nil {
		return err
	}
	defer packets.close()
	// The kernel loses what is held when the rule ends: the rule outlasts the queue.
	filtering, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	holding, stop := context.WithCancel(ctx)
	defer stop()
	held := make(chan error, 1)
	go func() {
		defer end()
		err := packets.hold(holding, by)
		held <- errors.Join(err, packets.complete())
		packets.close()
	}()
	err = filtered(filtering, spared, []way{inwards}, func(a *netlink.AttributeEncoder) { toQueue(a, slowed, bypass) }, begun)
	stop() // where there came to be no rule
	return errors.Join(err, <-held)
}
