package meter

import (
	"context"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/profile"
	"ringside.dev/ringside/operators/internal/stacks"
)

// A measurement that takes a profile is a load as any other, and meanwhile the first of its pods asks the store's for profiles of
// themselves. Whatever becomes of that, the load is delivered: what is not in the profile is said in it.

// maxPacked is how much of a profile is kept, compressed: four chunks.
const maxPacked = 4 * measure.MaxChunk

// profiling is a profile under way; its zero is none.
type profiling struct {
	taken chan profile.Taken // has room for the one
	end   context.CancelFunc
	// tooLate for a recording that has not begun; one that has goes on.
	tooLate context.CancelFunc
}

// startProfile of the store, after the orders' warm-up. Only the first call does something, and only where there is a profile to take.
func (r *run) startProfile(ctx context.Context) {
	order := r.measurement.Spec.Profile
	if order == nil || r.config.Index != 0 || r.profiling.taken != nil {
		return
	}
	ctx, end := context.WithCancel(ctx)
	warming, tooLate := context.WithCancel(ctx)
	taken := make(chan profile.Taken, 1)
	r.profiling = profiling{taken, end, tooLate}
	go func() {
		if sleep(warming, time.Duration(order.WarmupSeconds)*time.Second) != nil {
			taken <- notRecorded(order.Event)
			return
		}
		taken <- profile.NewTaker().Take(ctx, r.config.Profilers, *order)
	}()
}

// stop a profile that nobody wants any more.
func (p *profiling) stop() {
	if p.end != nil {
		p.end()
	}
}

// await the profile once the load has ended.
func (p *profiling) await(event v1alpha1.ProfileEvent) profile.Taken {
	if p.taken == nil {
		return notRecorded(event)
	}
	defer p.stop()
	p.tooLate()
	return <-p.taken
}

func notRecorded(event v1alpha1.ProfileEvent) profile.Taken {
	return profile.None(event, "the load ended before the recording began")
}

// deliverProfile where one was to be taken: its stacks behind the log's chunks, cut to what may be kept.
func (r *run) deliverProfile(ctx context.Context, a *arm, logChunks int) error {
	order := r.measurement.Spec.Profile
	if order == nil || r.config.Index != 0 {
		return nil
	}
	taken := r.profiling.await(order.Event)
	if len(taken.Stacks) > 0 {
		packed, folded, err := stacks.Pack(taken.Stacks, maxPacked)
		if err != nil {
			return err
		}
		if folded > 0 {
			taken.LeaveOut("%d of %d stacks, the smallest, are folded into %s", folded, len(taken.Stacks), stacks.Folded)
		}
		if taken.Profile.Chunks, err = r.store(ctx, a, "store the profile", logChunks, measure.Chunks(packed)); err != nil {
			return err
		}
	}
	a.part.Profile = &taken.Profile
	return nil
}
