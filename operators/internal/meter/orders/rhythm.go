package orders

import "time"

// Intervals of a load's pods towards the API server. A read or write takes it some ten milliseconds, which grow with the parts of the
// Measurement. With many pods, each pod therefore reads and writes less often: all together at most 32 reads and 4 writes a second.
const (
	startPoll     = 500 * time.Millisecond
	progressEvery = 5 * time.Second
	askedTogether = 32
	toldTogether  = 4
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
