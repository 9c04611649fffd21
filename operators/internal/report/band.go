package report

import (
	"math"
	"slices"
)

// band is what several lines of one server have in common: at each place the lowest, the middle and the highest of them.
type band struct{ x, low, mid, high []float64 }

// bandPoints is how many places of a band are drawn.
const bandPoints = 60

// bandOf reads lines at common places from 0 to their longest end. Between two of its points a line is straight;
// before its first and after its last one it has no value, and neither does it where it is broken. Where fewer than half of them have
// something there is no band: its middle would jump as they end one after the other.
func bandOf(lines []series) band {
	var b band
	end := longest(lines)
	for i := range bandPoints {
		x := end * float64(i) / (bandPoints - 1)
		var values []float64
		for _, line := range lines {
			if y := line.at(x); !math.IsNaN(y) {
				values = append(values, y)
			}
		}
		if 2*len(values) < len(lines) || len(values) == 0 {
			continue
		}
		slices.Sort(values)
		b.x = append(b.x, x)
		b.low, b.high = append(b.low, values[0]), append(b.high, values[len(values)-1])
		b.mid = append(b.mid, middle(values))
	}
	return b
}

// at is the line's value at a place, NaN where it has none. Its points are in the order of their places.
func (s series) at(x float64) float64 {
	after := slices.IndexFunc(s.x, func(place float64) bool { return place >= x })
	switch {
	case after < 0:
		return math.NaN()
	case s.x[after] == x:
		return s.y[after]
	case after == 0:
		return math.NaN()
	}
	before := after - 1
	part := (x - s.x[before]) / (s.x[after] - s.x[before])
	return s.y[before] + part*(s.y[after]-s.y[before])
}

// middle of sorted values: the median.
func middle(sorted []float64) float64 {
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
