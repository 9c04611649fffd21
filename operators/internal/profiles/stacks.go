// Package profiles reads, adds up and packs profiles, and assigns them to parts of a store. A profile is collapsed stacks: a line for each stack, with
// its frames from the root and its count. It is pure.
package profiles

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Separator separates the frames of a stack.
const Separator = ";"

// maxLine is the longest line: a thousand frames of a thousand characters.
const maxLine = 1 << 20

// Stacks holds the counts of stacks, in any unit.
type Stacks map[string]int64

// Read adds the stacks of a text.
func (s Stacks) Read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	left := math.MaxInt64 - s.Total()
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		if at <= 0 {
			return fmt.Errorf("line %d is %q, not a stack and its count", number, short(line))
		}
		count, err := strconv.ParseInt(line[at+1:], 10, 64)
		if err != nil || count < 0 {
			return fmt.Errorf("line %d counts %q, which is no number", number, short(line[at+1:]))
		}
		if left -= count; left < 0 {
			return fmt.Errorf("line %d counts %d, and all stacks together more than can be counted", number, count)
		}
		s[strings.ToValidUTF8(line[:at], "?")] += count
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read stacks: %w", err)
	}
	return nil
}

// Add adds the stacks of another.
func (s Stacks) Add(other Stacks) {
	for stack, count := range other {
		s[stack] += count
	}
}

// Total returns the sum of all counts.
func (s Stacks) Total() int64 {
	var sum int64
	for _, count := range s {
		sum += count
	}
	return sum
}

// short truncates a text for a message.
func short(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
