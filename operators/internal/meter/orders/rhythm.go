package orders

import "time"

// Rhythm of a load's pods towards the API server. One that is read, or written, costs it some ten milliseconds, which grow with the parts that the
// Measurement has: beyond some number of pods each asks and tells less often, so that all of them together ask 32 times a second at most, and
// tell four times.
const (
	startPoll     = 500 * time.Millisecond
	progressEvery = 5 * time.Second
	askedTogether = 32
	toldTogether  = 4
)

// StartPoll is how long a pod that waits for its start leaves between two looks.
func StartPoll(pods int32) time.Duration {
	return max(startPoll, time.Duration(pods)*time.Second/askedTogether)
}

// StartNotice is how long before the start it is announced, so that every pod sees it in time, and asks of the store what it counted. One pod
// alone starts at once.
func StartNotice(pods int32) time.Duration {
	if pods <= 1 {
		return 0
	}
	return StartPoll(pods) + 3*startPoll
}

// ProgressEvery is how long a pod leaves between two words on how far it is.
func ProgressEvery(pods int32) time.Duration {
	return max(progressEvery, time.Duration(pods)*time.Second/toldTogether)
}
