package meter

import (
	"context"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/profiles"
)

// A measurement with a profile is an ordinary load, during which its first pod requests profiles from the store's pods. The load is
// delivered in any case; the profile lists what it lacks.

// maxPacked is the largest compressed profile: four chunks.
const maxPacked = 4 * measure.MaxChunk

// profiling is a profile in progress; the zero value is none.
type profiling struct {
	taken chan takenProfile // buffered for one result
	end   context.CancelFunc
	// tooLate cancels a recording that has not begun; one that has continues.
	tooLate context.CancelFunc
}

// startProfile starts the store's profile after its warm-up. Only the first call has an effect, and only if the pod takes a profile.
func (r *run) startProfile(ctx context.Context) {
	order := r.measurement.Spec.Profile
	if order == nil || r.config.Index != 0 || r.profiling.taken != nil {
		return
	}
	ctx, end := context.WithCancel(ctx)
	warming, tooLate := context.WithCancel(ctx)
	taken := make(chan takenProfile, 1)
	r.profiling = profiling{taken, end, tooLate}
	go func() {
		if sleep(warming, time.Duration(order.WarmupSeconds)*time.Second) != nil {
			taken <- notRecorded(order.Event)
			return
		}
		taken <- newTaker().Take(ctx, r.config.Profilers, *order)
	}()
}

// stop cancels the profile.
func (p *profiling) stop() {
	if p.end != nil {
		p.end()
	}
}

// await returns the profile after the load has ended.
func (p *profiling) await(event v1beta1.ProfileEvent) takenProfile {
	if p.taken == nil {
		return notRecorded(event)
	}
	defer p.stop()
	p.tooLate()
	return <-p.taken
}

func notRecorded(event v1beta1.ProfileEvent) takenProfile {
	return noProfile(event, "the load ended before the recording began")
}

// deliverProfile stores the profile's stacks after the log's chunks, folded to the size limit, if a profile was ordered.
func (r *run) deliverProfile(ctx context.Context, a *arm, logChunks int) error {
	order := r.measurement.Spec.Profile
	if order == nil || r.config.Index != 0 {
		return nil
	}
	taken := r.profiling.await(order.Event)
	if len(taken.Stacks) > 0 {
		packed, folded, err := profiles.Pack(taken.Stacks, maxPacked)
		if err != nil {
			return err
		}
		if folded > 0 {
			taken.LeaveOut("%d of %d stacks, the smallest, are folded into %s", folded, len(taken.Stacks), profiles.Folded)
		}
		if taken.Profile.Chunks, err = r.store(ctx, a, "store the profile", logChunks, measure.Chunks(packed)); err != nil {
			return err
		}
	}
	a.part.Profile = &taken.Profile
	return nil
}
