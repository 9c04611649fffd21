package measure

import (
	"errors"
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// PodLog holds the log of one load pod, and its counts.
type PodLog struct {
	// Log of the pod, or its outline if Read is set.
	Log *Log
	// Read returns the full log if Log is an outline, so that of many large logs only one is in memory as a whole; else nil.
	Read func() (*Log, error)
	// Operations answered; 0 means the log's count. The log may also contain failed operations, as that of cassandra-stress does.
	Operations int64
	// Errors counts the operations that the tool gave up.
	Errors int64
	// ErrorsByKind counts them by kind of error.
	ErrorsByKind []v1beta1.ErrorCount
	// Keys touched; 0 means one per operation.
	Keys int64
	// Unanswered counts operations that are in no log but did not fail.
	Unanswered int64
	// NotBegun counts operations that were due at a constant rate, but given up before they began.
	NotBegun int64
	// Outcomes counts the successful operations by outcome.
	Outcomes []v1beta1.Outcome
	// Ahead is how far the pod's clock is ahead of a clock that all pods read.
	Ahead time.Duration
	// Capacity is the result of a search; the log holds its steps.
	Capacity *v1beta1.Capacity
	// Recovery of a store that was killed during the load.
	Recovery *v1beta1.Recovery
	// Readings of the store's counters at the pod's start and end; nil if there are none.
	Readings *v1beta1.StoreReadings
}

// smallLog is the size of a packed log that is kept whole, because reading it twice costs more than its memory.
const smallLog = 64 << 10

// PodLogOf returns the log of a load pod's part from its chunks, in order. Of a large log it keeps the outline and the chunks.
func PodLogOf(part v1beta1.Part, chunks [][]byte) (PodLog, error) {
	log, err := UnpackLog(chunks)
	if err != nil {
		return PodLog{}, err
	}
	var read func() (*Log, error)
	if len(chunks) > 1 || len(chunks[0]) > smallLog {
		log, read = log.outline(), func() (*Log, error) { return UnpackLog(chunks) }
	}
	return PodLog{
		Log: log, Read: read, Ahead: ClockAhead(part.ClockOffsetMicros, part.ClockErrorMicros),
		Operations: part.Operations, Errors: part.Errors, ErrorsByKind: part.ErrorsByKind, Keys: part.Keys, Unanswered: part.Unanswered, NotBegun: part.NotBegun, Outcomes: part.Outcomes,
		Capacity: part.Capacity, Recovery: part.Recovery, Readings: part.StoreReadings,
	}, nil
}

// ClockAhead returns how far a clock is ahead if that exceeds the error of the estimate; else 0, so that consistent times are not moved.
func ClockAhead(offsetMicros, errorMicros *int64) time.Duration {
	if offsetMicros == nil || errorMicros == nil {
		return 0
	}
	offset, wrong := time.Duration(*offsetMicros)*time.Microsecond, time.Duration(*errorMicros)*time.Microsecond
	if offset.Abs() <= wrong {
		return 0
	}
	return offset
}

// Whole returns the pod's log with all its values.
func (p PodLog) Whole() (*Log, error) {
	if p.Read == nil {
		return p.Log, nil
	}
	return p.Read()
}

// outline returns the log without its values: what merging needs to know of all logs in advance.
func (l *Log) outline() *Log {
	count := l.OperationCount()
	out := &Log{Start: l.Start, End: l.End, Windowed: l.Windowed, counted: &count, Intervals: make([]Interval, len(l.Intervals))}
	for i, iv := range l.Intervals {
		iv.Histogram = nil
		out.Intervals[i] = iv
	}
	return out
}

// answered returns the number of answered operations, checked against the log.
func (p PodLog) answered() (int64, error) {
	logged := p.Log.OperationCount()
	if p.Operations == 0 && p.Errors == 0 {
		return logged, nil
	}
	if logged < p.Operations || logged > p.Operations+p.Errors {
		return 0, fmt.Errorf("the log has %d operations, but the load tool counted %d answered and %d failed", logged, p.Operations, p.Errors)
	}
	return p.Operations, nil
}

// MergePods merges the logs of load pods on one time line, after correction of their clock offsets.
func MergePods(pods []PodLog) (*Log, error) {
	return merge(shifted(pods), func(i int) (*Log, error) {
		log, err := pods[i].Whole()
		if err != nil {
			return nil, err
		}
		return log.shifted(-pods[i].Ahead), nil
	})
}

// shifted returns the pods' logs, or their outlines, after correction of their clock offsets.
func shifted(pods []PodLog) []*Log {
	logs := make([]*Log, len(pods))
	for i, p := range pods {
		logs[i] = p.Log.shifted(-p.Ahead)
	}
	return logs
}

var errNoPod = errors.New("no load pod's log to summarize")
