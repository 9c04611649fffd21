package progress

import (
	"fmt"
	"hash/fnv"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// News reports how long a run's objects, and what its load pods report, have not changed.
type News struct {
	seen uint64
	at   time.Time
}

// Since returns the time since the objects last changed, as far as this saw.
func (n *News) Since(e *v1beta1.Experiment, measurements []v1beta1.Measurement, now time.Time) time.Duration {
	seen := version(e.Name, e.ResourceVersion)
	for i := range measurements { // they come in no order
		seen += version(measurements[i].Name, measurements[i].ResourceVersion)
		for _, part := range measurements[i].CurrentParts() { // load pods report in objects of their own
			seen += version(part.Pod, fmt.Sprint(part.State, part.Operations, part.Errors))
		}
	}
	if n.at.IsZero() || seen != n.seen {
		n.seen, n.at = seen, now
	}
	return now.Sub(n.at)
}

func version(name, version string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name + "\x00" + version)) // a hash accepts everything
	return sum.Sum64()
}
