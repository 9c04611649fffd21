package results

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Recovery is the effect of a kill of the store; empty if the store was not killed.
type Recovery struct {
	// First is the time from the kill to the first acknowledged operation; All is the time until every connection has one.
	First, All Optional[time.Duration]
	// Sent and Acknowledged count operations. Kept, Lost and Refused are the acknowledged ones after the kill. Refused ones lack data that
	// they build on.
	Sent, Acknowledged, Kept, Lost, Refused Optional[int64]
}

func (r *Recovery) fill(found *v1beta1.Recovery) {
	r.First, r.All = Some(time.Duration(found.FirstMicros)*time.Microsecond), Some(time.Duration(found.AllMicros)*time.Microsecond)
	r.Sent, r.Acknowledged = Some(found.Sent), Some(found.Acknowledged)
	r.Kept, r.Lost, r.Refused = Some(found.Kept), Some(found.Lost), Some(found.Refused)
}
