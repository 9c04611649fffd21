package measure

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Point is a point of a percentile spectrum: Percentile of all values, Count of them, are at or below Nanos.
type Point struct {
	Percentile float64
	Nanos      int64
	Count      int64
}

// Spectrum returns the distribution in the form of HdrHistogram's percentile plots: a number of points for each halving of the distance to
// 100 percent, so that the tail gets as many points as the body. It ends with the maximum at 100.
func Spectrum(h *hdrhistogram.PackedHistogram, ticksPerHalfDistance int32) []Point {
	total := h.TotalCount()
	if total == 0 {
		return nil
	}
	ticks := float64(max(ticksPerHalfDistance, 1))
	var points []Point
	var below int64
	next := 0.0
	h.ForEachBucket(func(value, count int64) bool {
		below += count
		reached := 100 * float64(below) / float64(total)
		if next > reached && below < total {
			return true
		}
		points = append(points, Point{Percentile: reached, Nanos: valueAtRank(h, below), Count: below})
		for next <= reached && next < 100 {
			halvings := math.Floor(math.Log2(100/(100-next))) + 1
			step := 100 / (ticks * math.Exp2(halvings))
			if next+step == next {
				break
			}
			next += step
		}
		return true
	})
	return points
}
