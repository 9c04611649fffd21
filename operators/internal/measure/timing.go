package measure

import (
	"fmt"
	"math"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Timing checks the times of a log in the order in which its tool wrote them. Merging sorts intervals and makes their pieces equally long,
// after which a clock that was set back is no longer visible. The zero value is ready for use.
type Timing struct {
	start, end    time.Time
	last          map[Tag]span
	contradiction string
	longest       time.Duration
}

// Add checks an interval.
func (t *Timing) Add(iv Interval) {
	s := spanOf(iv)
	if t.last == nil {
		t.last = map[Tag]span{}
		t.start, t.end = s.start, s.end
	}
	t.start, t.end = earliest(t.start, s.start), latest(t.end, s.end)
	if iv.Histogram != nil && iv.Tag.Kind != Failed { // which may count longer than the load lasted
		t.longest = max(t.longest, longestOf(iv))
	}
	tag, _ := iv.Tag.Step() // the steps of a search follow each other
	// Other tags, also of other servers, may cover the same time. The limit only matters for logs that are rejected anyway.
	before, known := t.last[tag]
	if known || len(t.last) <= 32*MaxTags {
		t.last[tag] = s
	}
	if !known || t.contradiction != "" || s == before || before.end.Sub(s.start) <= min(jitter, before.length()/2) {
		return
	}
	what := "intervals that overlap"
	if s.start.Before(before.start) {
		what = "times that go back"
	}
	t.contradiction = fmt.Sprintf("the log has %s: an interval%s from %s to %s is followed by one from %s to %s; the clock was changed, or the log has several runs of the tool",
		what, ofTag(tag), clockTime(before.start), clockTime(before.end), clockTime(s.start), clockTime(s.end))
}

// jitter is how much two intervals may overlap, because their times are rounded or come from a timer.
const jitter = 10 * time.Millisecond

// longestOf returns the longest of an interval's values, less the width of its bucket.
func longestOf(iv Interval) time.Duration {
	most := iv.Histogram.Max()
	return time.Duration(most - most/int64(math.Pow10(int(iv.Histogram.SignificantFigures()))))
}

// Contradiction describes what is inconsistent in the log; empty if nothing is.
func (t *Timing) Contradiction() string { return t.contradiction }

// clockWasSet describes by how much the wall clock was changed, compared with the monotonic clock; empty if it was not.
func clockWasSet(byWall, ran time.Duration) string {
	if set := byWall - ran; set.Abs() > slackOf(ran) {
		return fmt.Sprintf("the node's clock was changed by %s while the load tool ran; the log's times are inconsistent", set.Round(time.Millisecond))
	}
	return ""
}

func slackOf(ran time.Duration) time.Duration { return clockSlack + ran/1000 }

// clockSlack is the tolerated difference of two readings of one clock, due to time stamps in milliseconds and processes that wait for a
// core.
const clockSlack = 250 * time.Millisecond

// Against describes how the log contradicts the time for which its tool ran, by the same clock; empty if it does not. began and ended must
// contain readings of the monotonic clock, which cannot be set.
func (t *Timing) Against(began, ended time.Time) string {
	if t.contradiction != "" || t.last == nil {
		return t.contradiction
	}
	ran := ended.Sub(began)
	slack := slackOf(ran)
	if set := clockWasSet(ended.Round(0).Sub(began.Round(0)), ran); set != "" {
		return set
	}
	switch covered := t.end.Sub(t.start); {
	case covered > ran+slack:
		return fmt.Sprintf("the log covers %s, from %s to %s, but the load tool ran for %s; its times contradict the clock",
			covered.Round(time.Millisecond), clockTime(t.start), clockTime(t.end), ran.Round(time.Millisecond))
	case t.start.Before(began.Add(-slack)) || t.end.After(ended.Add(slack)):
		return fmt.Sprintf("the log covers the time from %s to %s, but the load tool ran from %s to %s; write times by the pod's clock",
			clockTime(t.start), clockTime(t.end), clockTime(began), clockTime(ended))
	case t.longest > ran+slack:
		return fmt.Sprintf("the log has an operation of %s, but the load tool ran for %s; record nanoseconds", t.longest, ran.Round(time.Millisecond))
	}
	return ""
}

// networkTime is less than the median time of any answer over a network: a request and its answer pass the kernel's network stack twice on
// either side.
const networkTime = 5 * time.Microsecond

// leastBusy is the least share of time that the threads of a closed loop wait for answers, since they do little else. A log in microseconds
// shows a thousandth of the true share.
const leastBusy = 0.01

// WrongUnit returns why the values of a log cannot be nanoseconds; empty if they can. threads is the number of threads of a closed loop
// without failed operations; 0 for any other load, which need not be busy.
func WrongUnit(l *Log, threads int64) (string, error) {
	service, err := l.Total(v1beta1.LatencyService)
	if err != nil || service.TotalCount() == 0 {
		return "", err
	}
	if median := time.Duration(ValueAt(service, 50)); median < networkTime {
		return fmt.Sprintf("half of the operations in the log took %s or less, but no network answers within %s; record nanoseconds", median, networkTime), nil
	}
	const each, pieces = 100, 10 // with fewer, connecting may take most of the log's time
	count, available := service.TotalCount(), l.Length().Seconds()*float64(threads)
	if threads == 0 || count/threads < each || available <= 0 || l.Length() < pieces*stepOf(l) {
		return "", nil
	}
	if busy := service.Mean() * float64(count) / 1e9 / available; busy < leastBusy {
		return fmt.Sprintf("by the log %d threads in a closed loop waited for answers during %.2f%% of its time; record nanoseconds", threads, 100*busy), nil
	}
	return "", nil
}

func ofTag(tag Tag) string {
	if text := tag.String(); text != "" {
		return " of " + text
	}
	return ""
}

func clockTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
