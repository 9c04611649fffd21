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
	parser := Parser{Counters: func(c Counters) { counters = append(counters, c) }}
	buffered := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := buffered.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read log: %w", err)
		}
		if line != "" {
			iv, ok, perr := parser.Parse(trimNewline(line))
			if perr != nil {
				return nil, perr
			}
			if ok {
				intervals = append(intervals, iv)
			}
		}
		if errors.Is(err, io.EOF) {
			l := NewLog(intervals)
			l.Windowed, l.Counters = parser.windowed, counters
			return l, nil
		}
	}
}

func trimNewline(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}
