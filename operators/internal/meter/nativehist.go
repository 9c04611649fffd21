package meter

import (
	"math"
	"sort"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// nativeSchema is the resolution of the native histograms: each bucket's upper bound is 2^(1/16), or 4.4 percent, above the previous one.
// HdrHistogram's own resolution is 0.1 percent. Between 0.1 ms and 10 s there are at most 270 buckets.
const nativeSchema = 4

// nativeZeroThreshold is client_golang's default: values at or below it count as zero.
const nativeZeroThreshold = 0x1p-128

// nativeBounds are the bounds of the buckets within one power of two, as fractions from 0.5 up, by Prometheus' definition.
var nativeBounds = func() [1 << nativeSchema]float64 {
	var b [1 << nativeSchema]float64
	for i := range b {
		b[i] = 0.5 * math.Exp2(float64(i)/float64(len(b)))
	}
	return b
}()

// nativeHistogram adds HdrHistogram buckets to Prometheus' exponential buckets. Adding an interval's histogram costs one step per filled
// bucket, a few hundred, independent of the number of operations.
type nativeHistogram struct {
	count   uint64
	sum     float64
	zero    uint64
	buckets map[int]int64
}

// add adds an interval. A bucket's values count as its middle, which is within 0.05 percent of each of them.
func (n *nativeHistogram) add(h *hdrhistogram.PackedHistogram) {
	if n.buckets == nil {
		n.buckets = map[int]int64{}
	}
	middle := bucketMiddles(h)
	h.ForEachBucket(func(lowest, count int64) bool {
		seconds := float64(middle(lowest)) / 1e9
		n.count += uint64(count)
		n.sum += seconds * float64(count)
		if seconds <= nativeZeroThreshold {
			n.zero += uint64(count)
		} else {
			n.buckets[nativeKey(seconds)] += count
		}
		return true
	})
}

// bucketMiddles returns a function for the middle of the HdrHistogram bucket that begins at a value. With d significant digits, values are
// exact to the unit up to 2·10^d, rounded up to a power of two. Beyond it, each doubling doubles a bucket's width.
func bucketMiddles(h *hdrhistogram.PackedHistogram) func(lowest int64) int64 {
	single := int64(1)
	for single < 2*int64(math.Pow10(int(h.SignificantFigures()))) {
		single <<= 1
	}
	unit := int64(1)
	for unit<<1 <= h.LowestTrackableValue() {
		unit <<= 1
	}
	return func(lowest int64) int64 {
		width := unit
		for lowest/width >= single {
			width <<= 1
		}
		return lowest + width/2
	}
}

// nativeKey returns the index of the bucket of a positive value. The bucket with index 0 ends at 1.
func nativeKey(v float64) int {
	fraction, exponent := math.Frexp(v)
	return sort.SearchFloat64s(nativeBounds[:], fraction) + (exponent-1)*len(nativeBounds)
}
