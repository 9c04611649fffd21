package measure

import (
	"errors"
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// PodLog is what one load pod recorded, and what it counted besides.
type PodLog struct {
	// Log of the pod, or its outline where Read is set.
	Log *Log
	// Read returns the log of which Log is the outline: with many pods only one log at a time is in memory as a whole. It is nil where Log
	// is all there is.
	Read func() (*Log, error)
	// Operations answered; the log's count when 0. The log may hold failed operations besides, as cassandra-stress's does.
	Operations int64
	// Errors are operations the tool gave up.
	Errors int64
	// ErrorsByKind are why.
	ErrorsByKind []v1alpha1.ErrorCount
	// Keys touched; one per operation when 0.
	Keys int64
	// Unanswered operations are in no log, and did not fail.
	Unanswered int64
	// NotBegun operations were due at a constant rate, and given up before they began.
	NotBegun int64
	// Outcomes of the operations that did not fail.
	Outcomes []v1alpha1.Outcome
	// Ahead is how far the pod's clock was ahead of a clock that all pods could ask.
	Ahead time.Duration
	// Capacity that a search found; the log holds its steps.
	Capacity *v1alpha1.Capacity
	// Recovery of a store that was killed under the pod's load.
	Recovery *v1alpha1.Recovery
	// Readings of what the store counted by the pod's start and end; nil where it was not told.
	Readings *v1alpha1.StoreReadings
}

// PodLogOf a load pod's part and the chunks of its log, in order. It keeps the log's outline and the chunks.
func PodLogOf(part v1alpha1.Part, chunks [][]byte) (PodLog, error) {
	log, err := UnpackLog(chunks)
	if err != nil {
		return PodLog{}, err
	}
	return PodLog{
		Log: log.outline(), Read: func() (*Log, error) { return UnpackLog(chunks) }, Ahead: clockAhead(part),
		Operations: part.Operations, Errors: part.Errors, ErrorsByKind: part.ErrorsByKind, Keys: part.Keys, Unanswered: part.Unanswered, NotBegun: part.NotBegun, Outcomes: part.Outcomes,
		Capacity: part.Capacity, Recovery: part.Recovery, Readings: part.StoreReadings,
	}, nil
}

// clockAhead is how far the pod's clock was ahead, where that is more than the estimate may be wrong: what is within that would move
// logs that fit.
func clockAhead(part v1alpha1.Part) time.Duration {
	if part.ClockOffsetMicros == nil || part.ClockErrorMicros == nil {
		return 0
	}
	offset, wrong := time.Duration(*part.ClockOffsetMicros)*time.Microsecond, time.Duration(*part.ClockErrorMicros)*time.Microsecond
	if offset.Abs() <= wrong {
		return 0
	}
	return offset
}

// Whole is the pod's log with all its values.
func (p PodLog) Whole() (*Log, error) {
	if p.Read == nil {
		return p.Log, nil
	}
	return p.Read()
}

// outline is the log without its values: what must be known of all logs before the first can be merged.
func (l *Log) outline() *Log {
	count := l.OperationCount()
	out := &Log{Start: l.Start, End: l.End, Windowed: l.Windowed, counted: &count, Intervals: make([]Interval, len(l.Intervals))}
	for i, iv := range l.Intervals {
		iv.Histogram = nil
		out.Intervals[i] = iv
	}
	return out
}

// answered operations of the pod, checked against its log.
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

// MergePods merges the logs of load pods on one time line, each by the clock that all of them could ask.
func MergePods(pods []PodLog) (*Log, error) {
	return merge(shifted(pods), func(i int) (*Log, error) {
		log, err := pods[i].Whole()
		if err != nil {
			return nil, err
		}
		return log.shifted(-pods[i].Ahead), nil
	})
}

// shifted are the pods' logs, or their outlines, by the clock that all of them could ask.
func shifted(pods []PodLog) []*Log {
	logs := make([]*Log, len(pods))
	for i, p := range pods {
		logs[i] = p.Log.shifted(-p.Ahead)
	}
	return logs
}

var errNoPod = errors.New("no load pod's log to summarize")
