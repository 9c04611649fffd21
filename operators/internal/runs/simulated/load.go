// Package simulated replaces cluster, operator and load in tests: its runs leave the same objects as real ones, with figures drawn from
// known distributions. Only tests import it.
package simulated

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// Load describes what a load pod measured.
type Load struct {
	Operation string
	Start     time.Time
	// Intervals of one second each, with PerInterval operations, and one more with Rest operations.
	Intervals, PerInterval, Rest int
	// MedianMillis and Sigma of the log-normal service time.
	MedianMillis, Sigma float64
	// Answered returns the share of a second's operations that were answered; nil for all.
	Answered func(second int) float64
	// Constant adds response and wait times, as for a constant rate.
	Constant bool
}

// Log draws the load's log. Equal seeds give equal logs.
func (l Load) Log(seed uint64) (*measure.Log, error) {
	rng := rand.New(rand.NewPCG(seed, 7))
	var intervals []measure.Interval
	for i := range l.Intervals + min(l.Rest, 1) {
		operations := l.PerInterval
		if i == l.Intervals {
			operations = l.Rest
		}
		if l.Answered != nil {
			operations = int(math.Round(float64(operations) * l.Answered(i)))
		}
		start := l.Start.Add(time.Duration(i) * time.Second)
		kinds := []v1beta1.LatencyKind{v1beta1.LatencyService}
		if l.Constant {
			kinds = append(kinds, v1beta1.LatencyResponse, v1beta1.LatencyWait)
		}
		for k, kind := range kinds {
			h := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
			for range operations {
				nanos := l.MedianMillis * 1e6 * math.Exp(l.Sigma*rng.NormFloat64()) * (1 + float64(k)/10)
				if err := h.RecordValue(int64(nanos)); err != nil {
					return nil, fmt.Errorf("recording %f ns: %w", nanos, err)
				}
			}
			intervals = append(intervals, measure.Interval{
				Start: start, End: start.Add(time.Second), Histogram: h,
				Tag: measure.Tag{Operation: strings.ToUpper(l.Operation), Kind: kind},
			})
		}
	}
	return measure.NewLog(intervals), nil
}

// speed returns the speed of a server type relative to hsha, roughly as measured on one small machine.
func speed(serverType string) float64 {
	known := map[string]float64{"disruptor": 1.3, "xedin": 0.78, "threadpool": 1.22, "threadedselector": 0.98, "nonblocking": 0.6}
	if s, there := known[serverType]; there {
		return s
	}
	return 1
}

func seedOf(name string) uint64 {
	hash := fnv.New64a()
	hash.Write([]byte(name)) // never fails
	return hash.Sum64()
}
