package measure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Counters holds what all pods of a server counted in one of its windows, or in several joined ones;
// docs/reference/store-contract.md defines the counters. A window with unknown counters, because a pod's answer was lost, has none.
type Counters struct {
	Start, End time.Time
	// Arm of the window, as in the tags; both arms, joined by a plus, of a duet whose sides have pods in common.
	Arm string
	// Windows is the number of joined windows, Unknown how many of them have unknown counters. The fields below do not include those.
	Windows, Unknown int
	// Operations answered.
	Operations int64
	// Values by the store's names.
	Values map[string]int64
}

// countersComment marks a line of counters. Other readers of the log skip it as a comment.
const countersComment = "#[Counters: "

// counters parses a line of counters, without its mark.
func (p *Parser) counters(rest string) (Counters, error) {
	c := Counters{Values: map[string]int64{}}
	text, closed := strings.CutSuffix(rest, "]")
	fields := strings.Fields(text)
	if len(fields) > maxCounterNames {
		return Counters{}, fmt.Errorf("a line has %d counters, but at most %d are supported", len(fields), maxCounterNames)
	}
	if len(fields) > 0 && !strings.Contains(fields[0], "=") {
		c.Arm, fields = fields[0], fields[1:]
	}
	times := map[string]time.Duration{}
	numbers := map[string]int64{}
	var err error
	for _, field := range fields {
		name, value, ok := strings.Cut(field, "=")
		if !ok || name == "" {
			return Counters{}, fmt.Errorf("counters have %q, not name=value", field)
		}
		if name == "start" || name == "length" {
			times[name], err = parseSeconds(value)
		} else if numbers[name], err = strconv.ParseInt(value, 10, 64); err != nil || numbers[name] < 0 {
			err = fmt.Errorf("counters have %q, not a count", field)
		}
		if err != nil {
			return Counters{}, err
		}
	}
	start, hasStart := times["start"]
	length, hasLength := times["length"]
	if !closed || !hasStart || !hasLength || length < 0 {
		return Counters{}, errors.New("counters without a start and a length")
	}
	for name, value := range numbers {
		switch name {
		case "operations":
			c.Operations = value
		case "windows":
			c.Windows = int(value)
		case "unknown":
			c.Unknown = int(value)
		default:
			c.Values[name] = value
		}
	}
	if c.Windows < 1 || c.Unknown > c.Windows {
		return Counters{}, fmt.Errorf("counters of %d windows, of which %d are unknown", c.Windows, c.Unknown)
	}
	if c.Start, c.End, err = p.times(start, length); err != nil {
		return Counters{}, err
	}
	return c, nil
}

// line formats the counters for a log whose times count from base.
func (c Counters) line(base time.Time) string {
	var b strings.Builder
	b.WriteString(countersComment)
	if c.Arm != "" {
		b.WriteString(c.Arm + " ")
	}
	fmt.Fprintf(&b, "start=%s length=%s operations=%d windows=%d unknown=%d", formatSeconds(c.Start.Sub(base)), formatSeconds(c.End.Sub(c.Start)), c.Operations, c.Windows, c.Unknown)
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		fmt.Fprintf(&b, " %s=%d", name, c.Values[name])
	}
	b.WriteString("]")
	return b.String()
}

// known reports whether the counters of any window are known.
func (c Counters) known() bool { return c.Unknown < c.Windows }

// plus adds the following windows. It keeps only values that both have, because a partial sum would be wrong.
func (c Counters) plus(next Counters) Counters {
	sum := c
	sum.End = c.End.Add(next.End.Sub(next.Start))
	sum.Windows, sum.Unknown, sum.Operations = c.Windows+next.Windows, c.Unknown+next.Unknown, c.Operations+next.Operations
	switch {
	case !next.known():
	case !c.known():
		sum.Values = next.Values
	default:
		sum.Values = map[string]int64{}
		for name, value := range c.Values {
			if more, both := next.Values[name]; both {
				sum.Values[name] = value + more
			}
		}
	}
	return sum
}

// total returns the sum over all windows; false if there are none.
func total(all []Counters) (Counters, bool) {
	if len(all) == 0 {
		return Counters{}, false
	}
	sum := all[0]
	for _, c := range all[1:] {
		sum = sum.plus(c)
	}
	return sum, true
}

// joinCounters joins all counters that start within the same interval. The intervals are sorted, and each starts with the first window
// joined in it.
func joinCounters(all []Counters, intervals []Interval) []Counters {
	var joined []Counters
	var of []time.Time // the start of the interval of each joined counters
	at := 0
	for _, c := range all {
		for at+1 < len(intervals) && !intervals[at+1].Start.After(c.Start) {
			at++
		}
		start := c.Start
		if at < len(intervals) {
			start = intervals[at].Start
		}
		if n := len(joined); n > 0 && of[n-1].Equal(start) {
			joined[n-1] = joined[n-1].plus(c)
			continue
		}
		joined, of = append(joined, c), append(of, start)
	}
	return joined
}
