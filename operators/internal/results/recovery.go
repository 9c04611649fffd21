package results

import (
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Recovery is what a kill of the store cost; nothing where it was not killed.
type Recovery struct {
	// First operation that was acknowledged again, and the first on the last of All connections, from the kill on.
	First, All Optional[time.Duration]
	// Sent operations, those Acknowledged, and what became of these: Kept, Lost, or Refused for want of what they build on.
	Sent, Acknowledged, Kept, Lost, Refused Optional[int64]
}

func (r *Recovery) fill(found *v1alpha1.Recovery) {
	r.First, r.All = Some(time.Duration(found.FirstMicros)*time.Microsecond), Some(time.Duration(found.AllMicros)*time.Microsecond)
	r.Sent, r.Acknowledged = Some(found.Sent), Some(found.Acknowledged)
	r.Kept, r.Lost, r.Refused = Some(found.Kept), Some(found.Lost), Some(found.Refused)
}
