package measure

import (
	"errors"
	"fmt"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Geometry of empty histograms: one nanosecond to an hour, with three significant digits.
const (
	lowestValue       = 1
	highestValue      = int64(3_600_000_000_000)
	significantDigits = 3
)

// Combine adds histograms bucket by bucket. The sum has the widest range of its parts, so that no count is lost. It rejects histograms of
// different resolutions, which cannot be added exactly.
func Combine(parts ...*hdrhistogram.PackedHistogram) (*hdrhistogram.PackedHistogram, error) {
	lowest, highest, digits := int64(lowestValue), int64(0), int64(significantDigits)
	seen := false
	for _, p := range parts {
		if p == nil {
			continue
		}
		if !seen {
			seen, lowest, digits = true, p.LowestTrackableValue(), p.SignificantFigures()
		}
		if p.LowestTrackableValue() != lowest || p.SignificantFigures() != digits {
			return nil, fmt.Errorf("histograms of %d and %d significant digits (units %d and %d ns) cannot be merged exactly; let the load tool keep one resolution",
				digits, p.SignificantFigures(), lowest, p.LowestTrackableValue())
		}
		highest = max(highest, p.HighestTrackableValue())
	}
	if !seen {
		highest = highestValue
	}
	sum := hdrhistogram.NewPacked(lowest, highest, int(digits))
	for _, p := range parts {
		if p == nil {
			continue
		}
		if dropped := sum.Merge(p); dropped != 0 {
			return nil, fmt.Errorf("%d values do not fit into the merged histogram", dropped)
		}
	}
	sum.Compact()
	return sum, nil
}

// ValueAt returns the value at or below which the given percentage of all values lie, by nearest rank rounded up: the rule of
// HdrHistogram's Java library since 2.1.10. (The Go library rounds the rank to the nearest integer, which differs by one value.) It is 0
// for an empty histogram.
func ValueAt(h *hdrhistogram.PackedHistogram, percentile float64) int64 {
	total := h.TotalCount()
	if total == 0 {
		return 0
	}
	// One ulp less, as in Java, so that a product such as 99.9/100*1000 does not round up to the next rank.
	asked := math.Min(math.Max(math.Nextafter(percentile, math.Inf(-1)), 0), 100)
	return valueAtRank(h, int64(math.Ceil(asked*float64(total)/100)))
}

// leastBeyond is the least number of values beyond a percentile. With fewer, the percentile depends on chance.
const leastBeyond = 10

// Supported reports whether enough of a number of values lie beyond a percentile.
func Supported(values int64, percentile float64) bool {
	// In thousandths of a percent, of which all percentiles here are whole multiples.
	beyond := int64(math.Round((100 - percentile) * 1000))
	return values*beyond >= leastBeyond*100_000
}

// LeastValues returns the least number of values that support a percentile.
func LeastValues(percentile float64) int64 {
	beyond := int64(math.Round((100 - percentile) * 1000))
	return (leastBeyond*100_000 + beyond - 1) / beyond
}

// valueAtRank returns the highest value equivalent to the rank-th smallest, counted from 1.
func valueAtRank(h *hdrhistogram.PackedHistogram, rank int64) int64 {
	total := h.TotalCount()
	rank = min(max(rank, 1), total)
	// The library takes a percentage and rounds to the nearest rank. A float error never reaches half a rank.
	return h.ValueAtPercentile(100 * float64(rank) / float64(total))
}

// EncodeHistogram returns the V2 compressed encoding in base64, as in HdrHistogram logs.
func EncodeHistogram(h *hdrhistogram.PackedHistogram) (string, error) {
	b, err := h.Encode()
	if err != nil {
		return "", fmt.Errorf("encode histogram: %w", err)
	}
	return string(b), nil
}

// DecodeHistogram reads the encoding of EncodeHistogram or of any HdrHistogram library of format V2.
func DecodeHistogram(base64 string) (*hdrhistogram.PackedHistogram, error) {
	if base64 == "" {
		return nil, errors.New("decode histogram: nothing there")
	}
	h, err := hdrhistogram.DecodePacked([]byte(base64))
	if err != nil {
		return nil, fmt.Errorf("decode histogram: %w", err)
	}
	if n := h.Populated(); n > maxBuckets {
		return nil, fmt.Errorf("decode histogram: it has %d different values, but at most %d are supported; use fewer significant digits", n, maxBuckets)
	}
	return h, nil
}
