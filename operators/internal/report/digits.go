package report

import (
	"math"
	"strconv"
)

// digits writes a figure with about as many digits as it can be relied on for, which are three; the table of every measurement
// has them all.
func digits(value float64) string {
	places := 2
	switch size := math.Abs(value); {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return ""
	case size >= 100:
		places = 0
	case size >= 10:
		places = 1
	case size < 1 && size > 0:
		places = 3
	}
	return strconv.FormatFloat(value, 'f', places, 64)
}

// digitsOf writes a figure that is text; what is no figure stays as it is.
func digitsOf(text string) string {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return digits(value)
}
