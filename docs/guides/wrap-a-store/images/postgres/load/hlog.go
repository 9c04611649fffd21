package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	// interval is the length of the log's intervals.
	interval = 100 * time.Millisecond
	// longest is the highest value that the histograms hold.
	longest = time.Hour
)

// transaction is a line of pgbench's log.
type transaction struct {
	ended time.Time
	took  time.Duration
}

// readLog reads pgbench's log: client, number, microseconds, script, and the seconds and microseconds of the end. A client that meets an error
// ends, and pgbench fails, so every line is of a transaction that was answered.
func readLog(path string) ([]transaction, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []transaction
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var client, number, micros, script, seconds, rest int64
		if _, err := fmt.Sscan(lines.Text(), &client, &number, &micros, &script, &seconds, &rest); err != nil {
			return nil, fmt.Errorf("read pgbench's log: %q: %w", lines.Text(), err)
		}
		all = append(all, transaction{time.UnixMicro(seconds*1_000_000 + rest), time.Duration(micros) * time.Microsecond})
	}
	return all, lines.Err()
}

// writeHlog writes the log of the contract: service times in nanoseconds, in intervals from the first transaction's begin to the last one's end.
func writeHlog(path, operation string, all []transaction) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b transaction) int { return a.ended.Compare(b.ended) })
	begin := all[0].ended
	for _, t := range all {
		if began := t.ended.Add(-t.took); began.Before(begin) {
			begin = began
		}
	}
	begin = begin.Truncate(time.Millisecond) // the log's times are whole milliseconds
	end := all[len(all)-1].ended.Truncate(time.Millisecond).Add(time.Millisecond)
	log := hdrhistogram.NewHistogramLogWriter(file)
	if err := log.OutputLogFormatVersion(); err != nil {
		return err
	}
	if err := log.OutputBaseTime(0); err != nil {
		return err
	}
	for next := 0; next < len(all); begin = begin.Add(interval) {
		until := begin.Add(interval)
		if until.After(end) {
			until = end
		}
		histogram := hdrhistogram.New(1, int64(longest), 3)
		histogram.SetTag(operation + "-st")
		histogram.SetStartTimeMs(begin.UnixMilli())
		histogram.SetEndTimeMs(until.UnixMilli())
		for ; next < len(all) && all[next].ended.Before(until); next++ {
			if err := histogram.RecordValue(int64(all[next].took)); err != nil {
				return err
			}
		}
		if err := log.OutputIntervalHistogram(histogram); err != nil {
			return err
		}
	}
	return nil
}
