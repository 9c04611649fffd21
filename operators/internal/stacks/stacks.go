// Package stacks reads, adds up and packs collapsed stacks: a line of frames for each, the root first, and how much was counted in it. It
// is pure.
package stacks

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Separator between two frames of a stack.
const Separator = ";"

// maxLine of a stack: a thousand frames of a thousand characters.
const maxLine = 1 << 20

// Stacks and their counts, in whatever unit they were counted.
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

// Add all of another's.
func (s Stacks) Add(other Stacks) {
	for stack, count := range other {
		s[stack] += count
	}
}

// Total of all counts.
func (s Stacks) Total() int64 {
	var sum int64
	for _, count := range s {
		sum += count
	}
	return sum
}

// short enough for a message.
func short(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
