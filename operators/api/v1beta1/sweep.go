package v1beta1

import "fmt"

// Point is one load of a phase: the only one, or one point of a sweep. Every round measures all points.
type Point struct {
	// Connections is 0 for one connection per thread; TargetRate is 0 for a closed loop.
	Threads, Connections int32
	TargetRate           int64
	// Suffix distinguishes the point from others of the phase in a name; empty if there are no others.
	Suffix string
}

// Points returns the points of the phase: every combination of its thread counts, connections and rates. An idle phase has one point with
// one thread, which reads counters.
func (p PhaseSpec) Points() []Point {
	if p.Type == PhaseIdle {
		return []Point{{Threads: 1}}
	}
	points := []Point{{Threads: p.Threads, Connections: p.Connections, TargetRate: p.TargetRate}}
	points = swept(points, "t", p.Sweep.Threads, func(point *Point, threads int32) { point.Threads = threads })
	points = swept(points, "c", p.Sweep.Connections, func(point *Point, connections int32) { point.Connections = connections })
	return swept(points, "o", p.Sweep.Rates, func(point *Point, rate int64) { point.TargetRate = rate })
}

// swept returns each of the points at each of the values, or the points themselves if there are no values.
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
