package measure

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

// legend is that of HdrHistogram, whose readers skip it.
const legend = `"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"`

// WriteLog writes a log of format 1.3 for HdrHistogram's own tools: times count from a base time in whole seconds, and the third column is
// the interval's maximum in milliseconds.
func WriteLog(w io.Writer, l *Log, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, c := range comments {
		for line := range strings.SplitSeq(c, "\n") {
			fmt.Fprintf(b, "#%s\n", line)
		}
	}
	start := l.Start
	if len(l.Intervals) == 0 && start.IsZero() {
		start = time.Unix(0, 0) // a log cannot express the year 1
	}
	base := start.Truncate(time.Second)
	fmt.Fprintf(b, "#[Histogram log format version 1.3]\n")
	fmt.Fprintf(b, "#[BaseTime: %d.000 (seconds since epoch)]\n", base.Unix())
	fmt.Fprintf(b, "#[StartTime: %s (seconds since epoch), %s]\n", formatSeconds(time.Duration(start.UnixNano())), start.UTC().Format(time.RFC3339Nano))
	if l.Windowed {
		fmt.Fprintf(b, "%sonly the intervals are the log's time, between them the load was elsewhere]\n", windowedComment)
	}
	fmt.Fprintln(b, legend)
	counters := l.Counters
	for i, iv := range l.Intervals {
		encoded, err := EncodeHistogram(iv.Histogram)
		if err != nil {
			return fmt.Errorf("write log: %w", err)
		}
		if tag := iv.Tag.String(); tag != "" {
			if strings.ContainsAny(tag, ", \r\n") {
				return fmt.Errorf("write log: tag %q has a comma, a space or a line break", tag)
			}
			fmt.Fprintf(b, "Tag=%s,", tag)
		}
		fmt.Fprintf(b, "%s,%s,%s,%s\n", formatSeconds(iv.Start.Sub(base)), formatSeconds(iv.End.Sub(iv.Start)), Millis(iv.Histogram.Max()), encoded)
		// A window's counters follow the last of its lines.
		for i+1 < len(l.Intervals) && len(counters) > 0 && counters[0].Start.Before(l.Intervals[i+1].Start) {
			fmt.Fprintln(b, counters[0].line(base))
			counters = counters[1:]
		}
	}
	for _, c := range counters {
		fmt.Fprintln(b, c.line(base))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write log: %w", err)
	}
	return nil
}

// formatSeconds writes as many decimals as needed, at least three.
func formatSeconds(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	nanos := fmt.Sprintf("%09d", d%time.Second)
	for len(nanos) > 3 && nanos[len(nanos)-1] == '0' {
		nanos = nanos[:len(nanos)-1]
	}
	return fmt.Sprintf("%s%d.%s", sign, d/time.Second, nanos)
}
