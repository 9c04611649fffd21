// Package settings evaluates the settings that a store runs with: whether the requested ones are in effect, and in
// which ones two servers differ. Its functions are pure.
package settings

import (
	"slices"
	"strconv"
	"strings"
)

const (
	// choose leaves the value to the store.
	choose = "auto"
	// hidden stands for a secret, which a store does not report.
	hidden = "***"
)

// Arrived reports whether the value that a store runs with is the requested one.
func Arrived(asked, ran string) bool {
	if asked == ran || asked == choose || ran == hidden {
		return true
	}
	if x, isNumber := number(asked); isNumber {
		y, isNumber := number(ran)
		return isNumber && x == y
	}
	return slices.Contains(strings.Split(ran, "\n"), asked) // a list option of HotSpot has one entry per line
}

// number parses a numeric setting, with the unit suffixes of HotSpot's sizes.
func number(text string) (float64, bool) {
	digits, unit := text, 1.0
	if n := len(text); n > 1 {
		if shift := strings.IndexByte("kmgt", text[n-1]|0x20); shift >= 0 {
			digits, unit = text[:n-1], float64(int64(1)<<(10*(shift+1)))
		}
	}
	value, err := strconv.ParseFloat(digits, 64)
	return value * unit, err == nil
}
