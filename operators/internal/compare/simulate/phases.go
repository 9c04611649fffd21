package simulate

import (
	"math/rand/v2"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/precision"
)

// Phase is a phase of a run of several. Its plan's model, rounds and rule are those of the run.
type Phase struct {
	Plan
	Name string
	// Noise multiplies the noise of the run's model.
	Noise float64
	// Time of a round of this phase.
	Time time.Duration
}

// Run describes runs of several phases, which share rounds, machine and budget.
type Run struct {
	Model  Model
	Phases []Phase
	Rounds int
	Stop   precision.Rule
	// Whole ends all phases at once, when the last of them is precise enough.
	Whole bool
}

// Runs runs a number of them, and returns the outcome of each phase. Equal seeds give equal results.
func Runs(run Run, count int, seed uint64) []Outcome {
	outcomes := make([]Outcome, len(run.Phases))
	for i := range outcomes {
		outcomes[i].Experiments = count
	}
	for number := range count {
		for i, x := range run.once(rand.New(rand.NewPCG(seed, uint64(number)))) {
			outcomes[i].add(&x)
		}
	}
	return outcomes
}

// once runs the rounds. A phase that is precise enough is left out of the later ones.
func (r Run) once(rng *rand.Rand) []experiment {
	machine := r.Model.New(rng)
	all := make([]experiment, len(r.Phases))
	for i, phase := range r.Phases {
		all[i] = experiment{plan: phase.Plan, logs: make([][][]float64, len(phase.Arms))}
		for arm := range all[i].logs {
			all[i].logs[arm] = make([][]float64, 1)
		}
	}
	var settled []string
	used := time.Duration(0)
	for range r.Rounds {
		var samples []compare.Sample
		for i, phase := range r.Phases {
			if r.Whole || !slices.Contains(settled, phase.Name) {
				all[i].round(phase.on(machine), make([]float64, len(phase.Arms)+1), rng)
				used += phase.Time
			}
			for _, sample := range all[i].samples() {
				sample.Phase, sample.Load = phase.Name, phase.Name
				samples = append(samples, sample)
			}
		}
		if r.Whole {
			settled = nil
		}
		decision := precision.Decide(samples, r.Stop, settled, used)
		if settled = decision.Reached; decision.Stop() {
			break
		}
	}
	return all
}

// on returns the machine with the noise of the phase.
func (p Phase) on(machine Machine) Machine {
	return func() (float64, bool) {
		noise, lost := machine()
		return p.Noise * noise, lost
	}
}
