package orders

import "time"

// Intervals of a load's pods towards the API server. A read of the Measurement or a write of a MeasurementPart takes it a millisecond or two, however
// many pods there are. With very many pods, each reads and writes less often: all together at most 128 reads and 16 writes a second.
const (
	startPoll     = 500 * time.Millisecond
	progressEvery = 5 * time.Second
	askedTogether = 128
	toldTogether  = 16
)

// StartPoll returns the interval at which a pod checks for its start.
func StartPoll(pods int32) time.Duration {
	return max(startPoll, time.Duration(pods)*time.Second/askedTogether)
}

// StartNotice returns how long in advance a start is announced, so that every pod sees it in time and can read the store's counters. A
// single pod starts immediately.
func StartNotice(pods int32) time.Duration {
	if pods <= 1 {
		return 0
	}
	return StartPoll(pods) + 3*startPoll
}

// ProgressEvery returns the interval at which a pod reports its progress.
func ProgressEvery(pods int32) time.Duration {
	return max(progressEvery, time.Duration(pods)*time.Second/toldTogether)
}
