package inflict

import (
	"context"
	"errors"
	"time"

	"github.com/mdlayher/netlink"
)

// bypass (NFQ_FLAG_BYPASS): packets pass while the queue has no reader.
const bypass = 0x1

// Slow delays every packet that enters this network namespace, except on the interface with the index spared, until the context ends, so
// that requests and acknowledgements arrive later. It does not delay outgoing packets: while packets of a connection are queued in the
// sender's kernel, the kernel holds back the following ones, which does not happen in a slow network. It calls begun when the rule is in
// effect. At the end, the packets in the queue are released at once. If this process dies, the kernel drops them and lets all others pass.
func Slow(ctx context.Context, spared uint32, by time.Duration, begun func()) error {
	packets, err := openQueue(slowed)
	if err != nil {
		return err
	}
	defer packets.close()
	// When the rule ends, the kernel drops the packets in the queue, so the rule must outlast the queue.
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
	stop() // if the rule could not be made
	return errors.Join(err, <-held)
}
