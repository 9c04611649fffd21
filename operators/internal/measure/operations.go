package measure

import "ringside.dev/ringside/operators/api/v1beta1"

// mostOperations is the most kinds of operation of a mixed load that have their own figures. The CRD has the same limit.
const mostOperations = 16

// byOperation returns the figures of each kind of operation in a mixed log; none for a log of one kind. Latencies are those of the timed
// part.
func byOperation(l, timed *Log, kind v1beta1.LatencyKind) ([]v1beta1.OperationFigures, error) {
	names := l.Operations()
	if len(names) < 2 || len(names) > mostOperations {
		return nil, nil
	}
	whole := l.Length()
	var out []v1beta1.OperationFigures
	for _, name := range names {
		own := l.only(name)
		count := own.OperationCount()
		if count == 0 {
			continue
		}
		middle, err := Middle(own)
		if err != nil {
			return nil, err
		}
		latency, err := latencyOf(timed.only(name), middle, kind, kind)
		if err != nil {
			return nil, err
		}
		out = append(out, v1beta1.OperationFigures{Operation: name, Operations: count, OpRate: Rate(perSecond(count, whole)), Latency: latency})
	}
	return out, nil
}

// only returns the log of one kind of operation.
func (l *Log) only(operation string) *Log {
	own := &Log{Start: l.Start, End: l.End, Windowed: l.Windowed}
	for _, iv := range l.Intervals {
		if iv.Tag.Operation == operation {
			own.Intervals = append(own.Intervals, iv)
		}
	}
	return own
}
