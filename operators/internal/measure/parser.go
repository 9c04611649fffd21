package measure

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parser reads the lines of one HdrHistogram log (format 1.0 to 1.3, payloads of format V2) in order.
// The zero value is ready for use.
type Parser struct {
	// Counters is called with the counters of each window, in the order of the log; may be nil.
	Counters          func(Counters)
	line              int
	start, base       time.Duration // since the epoch
	sawStart, sawBase bool
	windowed          bool
}

// windowedComment marks a log that is Windowed. Other readers skip it as a comment.
const windowedComment = "#[Windowed: "

// relativeAge is the distance before the start time from which a time stamp counts from the start instead of from the epoch. The rule is
// HdrHistogram's own.
const relativeAge = 365 * 24 * time.Hour

// Parse reads one line, without its line break. ok is false for comments and the legend. An error contains the line number.
func (p *Parser) Parse(line string) (iv Interval, ok bool, err error) {
	p.line++
	line = strings.TrimSuffix(line, "\r")
	switch {
	case line == "" || strings.HasPrefix(line, `"`):
		return Interval{}, false, nil
	case strings.HasPrefix(line, "#"):
		err = p.comment(line)
	default:
		iv, err = p.interval(line)
		ok = err == nil
	}
	if err != nil {
		return Interval{}, false, fmt.Errorf("log line %d: %w", p.line, err)
	}
	return iv, ok, nil
}

func (p *Parser) comment(line string) error {
	if rest, ok := strings.CutPrefix(line, countersComment); ok {
		counters, err := p.counters(rest)
		if err == nil && p.Counters != nil {
			p.Counters(counters)
		}
		return err
	}
	var err error
	if s, ok := headerTime(line, "#[StartTime:"); ok {
		p.start, err = parseSeconds(s)
		p.sawStart = err == nil
	} else if s, ok := headerTime(line, "#[BaseTime:"); ok {
		var base time.Duration
		if base, err = parseSeconds(s); err == nil {
			err = p.setBase(base)
		}
	}
	p.windowed = p.windowed || strings.HasPrefix(line, windowedComment)
	return err
}

// setBase rejects a base time that differs from the one used so far, because later times would not match earlier ones.
func (p *Parser) setBase(base time.Duration) error {
	if p.sawBase && base != p.base {
		return fmt.Errorf("BaseTime is %s s, and the times before it count from %s s; write one log for each run of the tool, with one BaseTime before its first interval",
			formatSeconds(base), formatSeconds(p.base))
	}
	p.base, p.sawBase = base, true
	return nil
}

func headerTime(line, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(line, prefix)
	if !ok {
		return "", false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return first, true
}

func (p *Parser) interval(line string) (Interval, error) {
	tagText := ""
	if rest, ok := strings.CutPrefix(line, "Tag="); ok {
		tagText, line, ok = strings.Cut(rest, ",")
		if !ok {
			return Interval{}, errors.New("a tag without an interval")
		}
	}
	tag, err := ParseTag(tagText)
	if err != nil {
		return Interval{}, err
	}
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return Interval{}, fmt.Errorf("%d fields instead of start, length, max, histogram", len(fields))
	}
	stamp, err := parseSeconds(fields[0])
	if err != nil {
		return Interval{}, err
	}
	length, err := parseSeconds(fields[1])
	if err != nil {
		return Interval{}, err
	}
	if length < 0 {
		return Interval{}, fmt.Errorf("an interval of negative length %s s", fields[1])
	}
	h, err := DecodeHistogram(fields[3])
	if err != nil {
		return Interval{}, err
	}
	start, end, err := p.times(stamp, length)
	if err != nil {
		return Interval{}, err
	}
	return Interval{Start: start, End: end, Tag: tag, Histogram: h}, nil
}

// lastTime is the latest time of a log, since the epoch. The difference of any two times then fits into a Duration.
const lastTime = time.Duration(1<<33) * time.Second

// times returns the start and the end of an interval. The stamp counts from the base time, from the epoch, or from the start.
func (p *Parser) times(stamp, length time.Duration) (start, end time.Time, err error) {
	if !p.sawStart {
		p.start, p.sawStart = stamp, true
	}
	if !p.sawBase {
		p.base, p.sawBase = 0, true
		if stamp < p.start-relativeAge {
			p.base = p.start
		}
	}
	epoch := time.Unix(0, 0).UTC()
	start = epoch.Add(p.base).Add(stamp)
	end = start.Add(length)
	if start.Before(epoch) || end.After(epoch.Add(lastTime)) {
		return start, end, fmt.Errorf("an interval from %s to %s; use times from 1970 to 2242", start.Format(time.RFC3339), end.Format(time.RFC3339))
	}
	return start, end, nil
}

// parseSeconds parses decimal seconds exactly to the nanosecond. A float would lose digits of seconds since the epoch.
func parseSeconds(s string) (time.Duration, error) {
	digits, negative := strings.CutPrefix(strings.TrimSpace(s), "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	seconds, err := strconv.ParseUint(whole, 10, 33) // 2^33 s since the epoch is the year 2242
	if err != nil {
		return 0, fmt.Errorf("%q is not a time in seconds", s)
	}
	d := time.Duration(seconds) * time.Second
	if fraction != "" {
		fraction = (fraction + "000000000")[:9]
		nanos, err := strconv.ParseUint(fraction, 10, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is not a time in seconds", s)
		}
		d += time.Duration(nanos)
	}
	if negative {
		d = -d
	}
	return d, nil
}
