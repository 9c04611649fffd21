package measure

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Tag describes the values of an interval: the operation, and the kind of latency. Its text form is that of cassandra-stress: WRITE-st,
// READ-rt. In the log of an interleaved load, it begins with the server's arm: hsha/READ-st.
type Tag struct {
	Arm       string
	Operation string
	Kind      v1beta1.LatencyKind
}

// Failed is the kind of the times until operations failed, at least their client's timeout. It is no kind of latency by itself: failed operations
// count among the latencies of a measurement, and not among the operations that were answered.
const Failed v1beta1.LatencyKind = "failed"

// tagSuffixes are in the order in which kinds are shown.
var tagSuffixes = []struct {
	suffix string
	kind   v1beta1.LatencyKind
}{
	{"-st", v1beta1.LatencyService},
	{"-rt", v1beta1.LatencyResponse},
	{"-wt", v1beta1.LatencyWait},
	{"-ft", Failed},
}

// ParseTag parses a log line's tag. A line without a tag has service times. It rejects an unknown suffix, because assigning it to a kind
// would count operations twice.
func ParseTag(s string) (Tag, error) {
	if s == "" {
		return Tag{Kind: v1beta1.LatencyService}, nil
	}
	for _, t := range tagSuffixes {
		if operation, ok := strings.CutSuffix(s, t.suffix); ok {
			arm, rest, has := strings.Cut(operation, "/")
			if !has {
				arm, rest = "", operation
			}
			return Tag{Arm: arm, Operation: rest, Kind: t.kind}, nil
		}
	}
	return Tag{}, fmt.Errorf("tag %q does not end in -st (service time), -rt (response time), -wt (wait time) or -ft (time until it failed)", s)
}

// String returns the tag as in a log line; empty for untagged service times.
func (t Tag) String() string {
	arm := ""
	if t.Arm != "" {
		arm = t.Arm + "/"
	}
	for _, s := range tagSuffixes {
		if s.kind == t.Kind {
			if arm == "" && t.Operation == "" && t.Kind == v1beta1.LatencyService {
				return ""
			}
			return arm + t.Operation + s.suffix
		}
	}
	return arm + t.Operation
}
