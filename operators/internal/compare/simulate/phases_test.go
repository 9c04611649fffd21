package simulate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// threePhases returns phases of little, medium and much noise, the second of which has its own precision.
func threePhases() []Phase {
	plan := Plan{Arms: arms(), Margin: ratio.Share(0.03)}
	return []Phase{
		{Plan: plan, Name: "quiet", Noise: 0.5, Time: time.Minute},
		{Plan: plan, Name: "medium", Noise: 0.8, Time: time.Minute},
		{Plan: plan, Name: "loud", Noise: 1.2, Time: time.Minute},
	}
}

func TestIntervalsOfPhasesThatSettleHoldTheTruth(t *testing.T) {
	for _, model := range Models() {
		run := Run{Model: model, Phases: threePhases(), Rounds: 100,
			Stop: precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"medium": ratio.Share(0.025)}, Budget: 5 * time.Hour}}
		for i, o := range Runs(run, fewer(), seed+15) {
			check(t, model.Name+", "+run.Phases[i].Name, o)
		}
	}
}

// thriftServers is make compare-servers with the noise of 25 November 2026 on two cores, by docs/results/thrift-cassandra.md. Half-widths of
// 12% for op rates and of 2% for CPU time in 15 rounds, corrected for five servers, are standard deviations of a round's log ratio of
// 0.156 and 0.026, by which the noise of each of its two figures is the square root of 2 smaller. That of p95 in duets is 0.16 by
// docs/results/thrift-designs.csv. Here the baseline has one figure in a round, where each duet has its own.
func thriftServers(quieter float64) Run {
	rates := Plan{Arms: []Arm{{1, true}, {1, false}, {1.12, false}, {1.18, false}, {0.75, false}, {0.67, false}}, Margin: ratio.Share(0.03)}
	costs := Plan{Arms: []Arm{{1, true}, {1, false}, {0.97, false}, {0.95, false}, {0.947, false}, {1.313, false}}, Margin: ratio.Share(0.03)}
	percentiles := Plan{Arms: []Arm{{1, true}, {1, false}, {1 / 0.9, false}, {1 / 0.8, false}, {0.5, false}, {0.83, false}}, Margin: ratio.Share(0.03)}
	return Run{Model: Model{"Thrift servers", independent(0.11 / quieter), 0}, Rounds: 60,
		Phases: []Phase{
			{Plan: rates, Name: "write", Noise: 1, Time: 14 * time.Second},
			{Plan: rates, Name: "read", Noise: 1, Time: 14 * time.Second},
			{Plan: costs, Name: "read-rate", Noise: 0.167, Time: 38 * time.Second},
			{Plan: percentiles, Name: "read-latency", Noise: 1.03, Time: 21 * time.Second},
		},
		Stop: precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"read-rate": ratio.Share(0.015), "read-latency": ratio.Share(0.08)}, Budget: 20 * time.Minute},
	}
}

func TestThePrecisePhasesTimeNarrowsTheIntervalsOfTheOthers(t *testing.T) {
	for name, quieter := range map[string]float64{"two noisy cores": 1, "a machine with half the noise": 2, "a machine with a quarter of the noise": 4} {
		divided := thriftServers(quieter)
		whole := divided
		whole.Whole = true
		before, after := Runs(whole, fewer(), seed+16), Runs(divided, fewer(), seed+16)
		for i, phase := range divided.Phases {
			check(t, name+", "+phase.Name+", all rounds", before[i])
			check(t, name+", "+phase.Name+", until precise", after[i])
		}
		if quieter == 2 {
			assert.Less(t, after[0].HalfWidth, 0.9*before[0].HalfWidth, "writes")
			assert.Less(t, after[2].Rounds, before[2].Rounds, "the CPU time is measured until it is precise")
		}
	}
}
