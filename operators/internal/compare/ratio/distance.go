package ratio

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Distance is how far something is from equal: a share of ratios, or seconds of differences. Margins of equivalence and precisions are such
// distances.
type Distance struct {
	// Value is 0.03 for 3%, and for 0.03 s.
	Value float64
	// Difference marks a number of seconds. All metrics that are compared by differences have this unit.
	Difference bool
}

// Share returns a distance of ratios: 0.03 is 3%.
func Share(value float64) Distance { return Distance{Value: value} }

// Seconds returns a distance of differences.
func Seconds(value float64) Distance { return Distance{Value: value, Difference: true} }

// Scaled returns the distance on the scale of Estimate.Scaled.
func (d Distance) Scaled() float64 {
	if d.Difference {
		return d.Value
	}
	return math.Log1p(d.Value)
}

// Unscaled is the inverse of Scaled.
func Unscaled(place float64, difference bool) Distance {
	if difference {
		return Seconds(place)
	}
	return Share(math.Expm1(place))
}

// String formats the distance for people: 3%, or 0.1 s.
func (d Distance) String() string {
	if d.Difference {
		return shortest(d.Value) + " s"
	}
	return shortest(100*d.Value) + "%"
}

// shortest formats a number without trailing zeros, in at most four decimals.
func shortest(value float64) string {
	return strconv.FormatFloat(math.Round(1e4*value)/1e4, 'f', -1, 64)
}

// timePattern is the same as that of the API.
var timePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*(ms|s)$`)

// ParseDistance parses a share, as ParseShare, or a time in seconds or milliseconds: 0.1s and 100ms are the same.
func ParseDistance(text string) (Distance, error) {
	parts := timePattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		share, err := ParseShare(text)
		if err != nil {
			return Distance{}, fmt.Errorf("%w, or a time, as in 0.1s", err)
		}
		return Share(share), nil
	}
	value, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return Distance{}, fmt.Errorf("%q: use a time of a few seconds, as in 0.1s", text)
	}
	if parts[2] == "ms" {
		value /= 1000
	}
	return Seconds(value), nil
}
