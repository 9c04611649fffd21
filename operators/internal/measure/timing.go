package measure

import (
	"fmt"
	"math"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Timing checks the times of a log in the order in which its tool wrote them. Merging puts intervals in order and makes their pieces equally
// long, so that afterwards a clock that was set back cannot be seen. The zero value is ready for use.
type Timing struct {
	start, end    time.Time
	last          map[Tag]span
	contradiction string
	longest       time.Duration
}

// Add an interval.
func (t *Timing) Add(iv Interval) {
	s := spanOf(iv)
	if t.last == nil {
		t.last = map[Tag]span{}
		t.start, t.end = s.start, s.end
	}
	t.start, t.end = earliest(t.start, s.start), latest(t.end, s.end)
	if iv.Histogram != nil {
		t.longest = max(t.longest, longestOf(iv))
	}
	tag, _ := iv.Tag.Step() // one step of a search follows the other
	// Other tags, also those of other servers, may be of the same time. The bound is for logs that are rejected nevertheless.
	before, known := t.last[tag]
	if known || len(t.last) <= 32*MaxTags {
		t.last[tag] = s
	}
	if !known || t.contradiction != "" || s == before || !s.middle().Before(before.end) {
		return
	}
	what := "intervals that overlap"
	if s.start.Before(before.start) {
		what = "times that go back"
	}
	t.contradiction = fmt.Sprintf("the log has %s: an interval%s from %s to %s is followed by one from %s to %s; the clock was changed, or the log has several runs of the tool",
		what, ofTag(tag), clockTime(before.start), clockTime(before.end), clockTime(s.start), clockTime(s.end))
}

// longestOf an interval's values; what its bucket may add to it is left out.
func longestOf(iv Interval) time.Duration {
	most := iv.Histogram.Max()
	return time.Duration(most - most/int64(math.Pow10(int(iv.Histogram.SignificantFigures()))))
}

// Contradiction describes what in the log contradicts the log; empty when nothing does.
func (t *Timing) Contradiction() string { return t.contradiction }

// clockWasSet says by how much, where the wall clock passed another time than the monotonic one.
func clockWasSet(byWall, ran time.Duration) string {
	if set := byWall - ran; set.Abs() > slackOf(ran) {
		return fmt.Sprintf("the node's clock was changed by %s while the load tool ran; the log's times are inconsistent", set.Round(time.Millisecond))
	}
	return ""
}

func slackOf(ran time.Duration) time.Duration { return clockSlack + ran/1000 }

// clockSlack is how far two readings of one clock may be apart: time stamps in milliseconds, and processes that wait for a core.
const clockSlack = 250 * time.Millisecond

// Against is what in the log contradicts the time that its tool ran, by the same clock; empty when nothing does. Began and ended carry the
// monotonic clock's reading, which nobody can set.
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

// networkTime is less than the median of what any answer over a network takes: a request and its answer cost two passes through the kernel's
// network on either side.
const networkTime = 5 * time.Microsecond

// leastBusy of the time of a closed loop's threads is waiting for answers: threads do little else. A log in microseconds shows a thousandth.
const leastBusy = 0.01

// WrongUnit returns why the values of a log cannot be nanoseconds; empty when they can. Threads are those of a closed loop in which no
// operation failed; 0 for any other load, which need not be busy.
func WrongUnit(l *Log, threads int64) (string, error) {
	service, err := l.Total(v1alpha1.LatencyService)
	if err != nil || service.TotalCount() == 0 {
		return "", err
	}
	if median := time.Duration(ValueAt(service, 50)); median < networkTime {
		return fmt.Sprintf("half of the operations in the log took %s or less, but no network answers within %s; record nanoseconds", median, networkTime), nil
	}
	const each, pieces = 100, 10 // with fewer, most of the log's time may be that of connecting
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
