package windows

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/compare"
)

// machine describes the noise of a simulated machine.
type machine struct {
	name string
	// memory is the autocorrelation of the level that windows share, level its deviation, and own that of each window.
	memory, level, own float64
	// pauses is the number of windows of 100 with a pause; counted reports whether the store's counters show pauses.
	pauses  float64
	counted bool
}

func machines() []machine {
	return []machine{
		{name: "independent", own: 0.2},
		{name: "autocorrelation", memory: 0.8, level: 0.15, own: 0.1},
		{name: "a little autocorrelation, as measured", memory: 0.4, level: 0.12, own: 0.14},
		{name: "pauses", own: 0.1, pauses: 25, counted: true},
		{name: "pauses and autocorrelation", memory: 0.6, level: 0.1, own: 0.1, pauses: 20, counted: true},
	}
}

// simulate returns a load with each arm's speed, in rounds of blocks in random order.
func (m machine) simulate(rng *rand.Rand, speeds []float64, rounds, blocks int) Load {
	names := []string{"hsha", "hsha-again", "x", "y", "z", "u", "v"}[:len(speeds)]
	load := Load{Cell: compare.Cell{Phase: "read", Threads: 50}}
	for _, name := range names[1:] {
		load.Pairs = append(load.Pairs, Pair{Server: name, Arm: name, Base: names[0]})
	}
	at := time.Unix(1e9, 0)
	for range rounds {
		level := m.level * rng.NormFloat64()
		var round []Window
		for range blocks {
			for _, arm := range rng.Perm(len(speeds)) {
				level = m.memory*level + m.level*math.Sqrt(1-m.memory*m.memory)*rng.NormFloat64()
				w := Window{Arm: names[arm], Start: at, Seconds: 1 + 0.05*rng.Float64()}
				rate := 2000 * speeds[arm] * math.Exp(level+m.own*rng.NormFloat64())
				if m.counted {
					paused := 0.0
					if rng.Float64()*100 < m.pauses {
						paused = min(0.1*rng.ExpFloat64()+0.1, 0.8)
					}
					rate *= 1 - paused
					w.Counters = map[string]float64{"gc_pause_ms": 1000 * paused * w.Seconds, "gc_count": w.Seconds}
				}
				w.Operations = math.Round(rate * w.Seconds)
				round = append(round, w)
				at = at.Add(time.Duration(w.Seconds * float64(time.Second)))
			}
		}
		load.Rounds = append(load.Rounds, round)
	}
	return load
}

// reckoned is the result of one way on many loads: the coverage and the width of its intervals.
type reckoned struct {
	covered, halfWidth float64
	known              int
}

func (m machine) reckon(way Way, count, arms, rounds, blocks int) reckoned {
	var r reckoned
	speeds := slices.Repeat([]float64{1}, arms)
	speeds[len(speeds)-1] = 0.8
	for i := range count {
		load := m.simulate(rand.New(rand.NewPCG(7, uint64(i))), speeds, rounds, blocks)
		pair := load.Pairs[len(load.Pairs)-1]
		interval, ok := Estimate(load, Metrics()[0], way, pair)
		if !ok {
			continue
		}
		r.known++
		if interval.Holds(math.Log(0.8)) {
			r.covered++
		}
		r.halfWidth += interval.HalfWidth
	}
	r.covered /= float64(r.known)
	r.halfWidth /= float64(r.known)
	return r
}
