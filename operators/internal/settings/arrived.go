// Package settings judges the settings with which a store runs: whether those that were asked for arrived, and in which two servers differ. It is pure.
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

// Arrived reports whether a store that runs with one value was asked for the other.
func Arrived(asked, ran string) bool {
	if asked == ran || asked == choose || ran == hidden {
		return true
	}
	if x, isNumber := number(asked); isNumber {
		y, isNumber := number(ran)
		return isNumber && x == y
	}
	return slices.Contains(strings.Split(ran, "\n"), asked) // a list option of HotSpot has an entry on each line
}

// number that a setting is, with the units of HotSpot's sizes.
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
