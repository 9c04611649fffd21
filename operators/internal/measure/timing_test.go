package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTimesOfALogMayNotContradictEachOther(t *testing.T) {
	response := Tag{Operation: "READ", Kind: "response"}
	for name, test := range map[string]struct {
		intervals []Interval
		want      string
	}{
		"in order":                          {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 1, 2, service("READ"), 1)}, ""},
		"a gap":                             {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 60, 61, service("READ"), 1)}, ""},
		"a timer's jitter":                  {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.99, 2, service("READ"), 1)}, ""},
		"half an interval":                  {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.5, 1.5, service("READ"), 1)}, "the log has intervals that overlap: an interval of READ-st"},
		"kinds and operations side by side": {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0, 1, response, 1), interval(t, 0.1, 1.1, service("WRITE"), 1)}, ""},
		"two threads that each log":         {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0, 1, service("READ"), 1)}, ""},
		"steps of a search":                 {[]Interval{interval(t, 0, 1, service("READ@1"), 1), interval(t, 1, 2, service("READ@2"), 1)}, ""},
		"the servers of a duet":             {[]Interval{interval(t, 0, 1, Tag{Arm: "a", Operation: "READ", Kind: "service"}, 1), interval(t, 0.1, 1.1, Tag{Arm: "b", Operation: "READ", Kind: "service"}, 1)}, ""},
		"set back":                          {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, -3599, -3598, service("READ"), 1)}, "the log has times that go back: an interval of READ-st"},
		"overlap":                           {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.1, 1.1, service("READ"), 1)}, "the log has intervals that overlap: an interval of READ-st"},
		"out of order without a tag":        {[]Interval{interval(t, 1, 2, service(""), 1), interval(t, 0, 1, service(""), 1)}, "the log has times that go back: an interval from"},
	} {
		t.Run(name, func(t *testing.T) {
			var timing Timing
			for _, iv := range test.intervals {
				timing.Add(iv)
			}
			if test.want == "" {
				assert.Empty(t, timing.Contradiction())
				return
			}
			assert.Contains(t, timing.Contradiction(), test.want)
			assert.Equal(t, timing.Contradiction(), timing.Against(at(-1e5), at(1e5)))
		})
	}
}

func TestALogIsComparedWithTheTimeThatItsToolRan(t *testing.T) {
	for name, test := range map[string]struct {
		iv           Interval
		began, ended float64
		want         string
	}{
		"within":                          {interval(t, 0, 2, service("READ"), 1_000_000), -1, 3, ""},
		"as long":                         {interval(t, 0, 2, service("READ"), 1_999_000_000), 0, 2, ""},
		"longer":                          {interval(t, 0, 3602, service("READ"), 1), 0, 2, "the log covers 1h0m2s, from 2026-11-21T00:15:00.000Z to 2026-11-21T01:15:02.000Z, but the load tool ran for 2s"},
		"of another time":                 {interval(t, 0, 2, service("READ"), 1), 3600, 3602, "the log covers the time from 2026-11-21T00:15:00.000Z to 2026-11-21T00:15:02.000Z, but the load tool ran from 2026-11-21T01:15:00.000Z"},
		"before the tool":                 {interval(t, -1, 1, service("READ"), 1), 0, 2, "the log covers the time from"},
		"an operation longer than that":   {interval(t, 0, 2, service("READ"), 3_000_000_000), 0, 2, "the log has an operation of 2.99"},
		"hours, by clocks that run apart": {interval(t, -2, 7200, service("READ"), 1), 0, 7200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var timing Timing
			timing.Add(test.iv)
			got := timing.Against(at(test.began), at(test.ended))
			if test.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Contains(t, got, test.want)
		})
	}
	assert.Empty(t, (&Timing{}).Against(at(0), at(1)), "nothing says nothing")
}

func TestAClockThatWasSetWhileTheToolRanIsNamed(t *testing.T) {
	began := time.Now()
	ended := began.Add(10 * time.Second) // by the monotonic clock
	var timing Timing
	timing.Add(Interval{Start: began, End: ended, Tag: service("READ"), Histogram: histogramOf(t, 1)})
	require.Empty(t, timing.Against(began, ended))
	// The wall and monotonic clocks of began differ by an hour when only one of them is changed.
	wall := began.Round(0).Add(-time.Hour)
	assert.Equal(t, "the node's clock was changed by 1h0m0s while the load tool ran; the log's times are inconsistent", clockWasSet(ended.Sub(wall), ended.Sub(began)))
}

func TestValuesThatAreNoNanosecondsAreNamed(t *testing.T) {
	each := func(nanos int64) *Log { // twenty seconds of a thousand operations each
		var all []Interval
		for i := range 20 {
			iv := interval(t, float64(i), float64(i+1), service("READ"))
			require.NoError(t, iv.Histogram.RecordValues(nanos, 1000))
			all = append(all, iv)
		}
		return NewLog(all)
	}
	for name, test := range map[string]struct {
		log     *Log
		threads int64
		want    string
	}{
		"ten milliseconds of ten threads":       {each(10_000_000), 10, ""},
		"half of that in the client":            {each(5_000_000), 10, ""},
		"ten milliseconds in microseconds":      {each(10_000), 10, "by the log 10 threads in a closed loop waited for answers during 0.10% of its time; record nanoseconds"},
		"the same at a constant rate":           {each(10_000), 0, ""},
		"a millisecond in microseconds, a rate": {each(1_000), 0, "half of the operations in the log took 1µs or less, but no network answers within 5µs; record nanoseconds"},
		"too few for each thread":               {each(10_000), 1000, ""},
		"one long interval":                     {NewLog([]Interval{interval(t, 0, 20, service("READ"), 10_000)}), 1, ""},
		"nothing":                               {&Log{}, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := WrongUnit(test.log, test.threads)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}
