package measure

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ReadLog reads a whole HdrHistogram log.
func ReadLog(r io.Reader) (*Log, error) {
	var intervals []Interval
	var counters []Counters
	var left budget
	var timing Timing
	var crowded error
	parser := Parser{Counters: func(c Counters) {
		crowded = left.takeCounters()
		counters = append(counters, c)
	}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), MaxLine)
	for lines.Scan() && lines.Err() == nil { // after a read error, the last token is an incomplete line
		iv, ok, err := parser.Parse(lines.Text())
		if err == nil {
			err = crowded
		}
		if err == nil && ok {
			err = left.take(iv)
			timing.Add(iv)
			intervals = append(intervals, iv)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("log line %d: %w", parser.line+1, errLongLine)
	} else if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	l := NewLog(intervals)
	l.Windowed, l.Counters, l.Contradiction = parser.windowed, counters, timing.Contradiction()
	return l, nil
}
