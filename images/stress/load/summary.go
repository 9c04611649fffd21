package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// counts are those that cassandra-stress prints at its end. partitions includes failed operations.
type counts struct{ partitions, errors int64 }

// summaryParser picks the counts out of the tool's output, as in
//
//	Total partitions          :     20,000 [WRITE: 20,000]
//	Total errors              :          3 [WRITE: 3]
type summaryParser struct {
	found  counts
	seen   int
	broken error
}

func (p *summaryParser) line(line string) {
	name, rest, _ := strings.Cut(line, ":")
	var into *int64
	switch strings.TrimSpace(name) {
	case "Total partitions":
		into = &p.found.partitions
	case "Total errors":
		into = &p.found.errors
	default:
		return
	}
	digits, _, _ := strings.Cut(rest, "[")
	value, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(digits), ",", ""), 10, 64)
	if err != nil {
		p.broken = fmt.Errorf("cassandra-stress's summary has the line %q: %w", line, err)
		return
	}
	*into = value
	p.seen++
}

// counts returns the counts. A tool that printed no summary has failed, whatever its exit status.
func (p *summaryParser) counts() (counts, error) {
	if p.broken != nil {
		return counts{}, p.broken
	}
	if p.seen != 2 {
		return counts{}, errors.New("cassandra-stress ended without its summary")
	}
	return p.found, nil
}

// writeSummary writes the counts by their names in the contract. Every operation uses one key. The log includes the
// time of failed operations.
func writeSummary(path string, c counts) error {
	answered := c.partitions - c.errors
	text := fmt.Sprintf("operations=%d\nerrors=%d\nkeys=%d\nlogged_errors=%d\n", answered, c.errors, answered, c.errors)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}
