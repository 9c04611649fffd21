package validation

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func threadCounts(phase v1beta1.PhaseSpec) []int32 {
	return countsOf(phase, func(p v1beta1.Point) int32 { return p.Threads })
}

// connectionCounts returns the numbers of connections that a server has: by default, one per thread.
func connectionCounts(phase v1beta1.PhaseSpec) []int32 {
	return countsOf(phase, func(p v1beta1.Point) int32 { return max(p.Connections, p.Threads) })
}

func ratesOf(phase v1beta1.PhaseSpec) []int64 {
	return countsOf(phase, func(p v1beta1.Point) int64 { return p.TargetRate })
}

func countsOf[T int32 | int64](phase v1beta1.PhaseSpec, of func(v1beta1.Point) T) []T {
	var counts []T
	for _, point := range phase.Points() {
		if count := of(point); !slices.Contains(counts, count) {
			counts = append(counts, count)
		}
	}
	return counts
}
