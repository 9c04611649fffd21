package v1alpha1

import "fmt"

// Point is one load of a phase: the only one, or one of those that the phase sweeps over. Every round measures all of them.
type Point struct {
	// Connections are 0 where there are as many as threads; TargetRate is 0 for a closed loop.
	Threads, Connections int32
	TargetRate           int64
	// Suffix tells the point from the phase's others in a name; empty where there are none.
	Suffix string
}

// Points of the phase: every combination of the thread counts, connections and rates that it sweeps over. An idle one has none of these,
// and one who looks.
func (p PhaseSpec) Points() []Point {
	if p.Idle {
		return []Point{{Threads: 1}}
	}
	points := []Point{{Threads: p.Threads, Connections: p.Connections, TargetRate: p.TargetRate}}
	points = swept(points, "t", p.SweepThreads, func(point *Point, threads int32) { point.Threads = threads })
	points = swept(points, "c", p.SweepConnections, func(point *Point, connections int32) { point.Connections = connections })
	return swept(points, "o", p.SweepRates, func(point *Point, rate int64) { point.TargetRate = rate })
}

// swept is each of the points at each of the values; the points alone where there are none.
func swept[T int32 | int64](points []Point, letter string, values []T, set func(*Point, T)) []Point {
	if len(values) == 0 {
		return points
	}
	var out []Point
	for _, point := range points {
		for _, value := range values {
			at := point
			set(&at, value)
			at.Suffix += fmt.Sprintf("-%s%d", letter, value)
			out = append(out, at)
		}
	}
	return out
}
