// Package textfmt formats text for people: counts, shares, the units of a store, messages of libraries in one line, the name that was meant, and
// tables for terminals, with the same cells as CSV, TSV or JSON.
package textfmt

import (
	"fmt"
	"strconv"
	"strings"
)

// Count returns a number of things: 1 round, 2 rounds.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Int returns the decimal digits of a number of the API.
func Int(n int32) string { return strconv.Itoa(int(n)) }

// Percent returns a share as a percentage with a number of decimals: 12.0%.
func Percent(share float64, decimals int) string {
	return strconv.FormatFloat(100*share, 'f', decimals, 64) + "%"
}

// ShortPercent returns a share as a percentage, without a single decimal of zero: 12%, 12.5%.
func ShortPercent(share float64, decimals int) string {
	return strings.Replace(Percent(share, decimals), ".0%", "%", 1)
}

// OneLine returns a text with single spaces in place of line breaks and indents.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// FirstLine returns the first line of an error's message.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
