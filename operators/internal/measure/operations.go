package measure

import "ringside.dev/ringside/operators/api/v1alpha1"

// mostOperations of a mixed load that have figures of their own. The CRD says the same.
const mostOperations = 16

// byOperation are the figures of each kind of operation in a log of several; none of a log of one. Latencies are of the timed part.
func byOperation(l, timed *Log, kind v1alpha1.LatencyKind) ([]v1alpha1.OperationFigures, error) {
	names := l.Operations()
	if len(names) < 2 || len(names) > mostOperations {
		return nil, nil
	}
	whole := l.Length()
	var out []v1alpha1.OperationFigures
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
		latency, err := latencyOf(timed.only(name), middle, kind)
		if err != nil {
			return nil, err
		}
		out = append(out, v1alpha1.OperationFigures{Operation: name, Operations: count, OpRate: Rate(perSecond(count, whole)), Latency: latency})
	}
	return out, nil
}

// only one kind of operation of the log.
func (l *Log) only(operation string) *Log {
	own := &Log{Start: l.Start, End: l.End, Windowed: l.Windowed}
	for _, iv := range l.Intervals {
		if iv.Tag.Operation == operation {
			own.Intervals = append(own.Intervals, iv)
		}
	}
	return own
}
