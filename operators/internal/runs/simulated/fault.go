package simulated

import (
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// away is the time that a node needs to be ready again.
const away = 20 * time.Second

// lasts returns the duration of a measurement: with faults, that of its phase.
func lasts(m *v1beta1.Measurement) time.Duration {
	if len(m.Spec.Faults) > 0 && m.Spec.Duration != nil {
		return m.Spec.Duration.Duration
	}
	return Seconds * time.Second
}

// hitNodes records the faults of the plan, each slightly late.
func hitNodes(m *v1beta1.Measurement, start time.Time) {
	m.Status.StartAt = &metav1.MicroTime{Time: start}
	m.Status.Faults = nil
	for i, ordered := range m.Spec.Faults {
		asked := start.Add(ordered.At.Duration + 40*time.Millisecond)
		gone, ready := metav1.NewMicroTime(asked.Add(time.Second)), metav1.NewMicroTime(asked.Add(away))
		m.Status.Faults = append(m.Status.Faults, v1beta1.FaultStatus{Index: int32(i), Pod: "simulated-1", UID: "uid-1", AskedAt: metav1.NewMicroTime(asked),
			GoneAt: &gone, ReadyAt: &ready, Successor: "uid-2"})
	}
}

// cost returns the share of the load that is answered in each second. After a fault, it is a fifth for some seconds, fewer for a faster
// server, then three fifths for a while, and otherwise nearly all.
func cost(m *v1beta1.Measurement, rate float64) func(second int) float64 {
	rng := rand.New(rand.NewPCG(seedOf(m.Name), 3))
	noise := make([]float64, int(lasts(m).Seconds())+1)
	for i := range noise {
		noise[i] = 1 - 0.02*rng.Float64()
	}
	var ends []float64
	for range m.Spec.Faults {
		ends = append(ends, 6/rate+2*rng.NormFloat64())
	}
	return func(second int) float64 {
		share := noise[second]
		for i, ordered := range m.Spec.Faults {
			since := float64(second) - ordered.At.Seconds()
			switch {
			case since < 0:
			case since < ends[i]:
				share = min(share, 0.2)
			case since < ends[i]+3:
				share = min(share, 0.6)
			}
		}
		return share
	}
}
