package plan

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Plan is all a run does, in order.
type Plan struct {
	Stores []Store
}

// Store is one installation of the chart, and what is measured on it.
type Store struct {
	// Release is the Helm release's name.
	Release string
	// Round it is installed for; 0 when it serves all rounds.
	Round int32
	// Servers (names of arms) it hosts, and their Types without doubles, both in the order of the spec.
	Servers []string
	Types   []string
	Cells   []Cell
}

// Cell is one measurement to take.
type Cell struct {
	// Name of the Measurement object.
	Name string
	// Phase the cell comes from.
	Phase v1alpha1.PhaseSpec
	Spec  v1alpha1.MeasurementSpec
}

// Cells in the order in which they are measured.
func (p Plan) Cells() []Cell {
	var cells []Cell
	for _, store := range p.Stores {
		cells = append(cells, store.Cells...)
	}
	return cells
}

// Store that has the given release, and whether there is one.
func (p Plan) Store(release string) (Store, bool) {
	for _, store := range p.Stores {
		if store.Release == release {
			return store, true
		}
	}
	return Store{}, false
}

// Build lays out the run. Rounds go one after the other, servers within a round in the random order of the seed.
// With dedicated hosting every server of every round gets a store of its own, thus fresh data, and all phases run on it;
// with shared hosting one store serves the whole run, and prepare phases run once, on the first server.
func Build(experiment *v1alpha1.Experiment, seed int64) Plan {
	spec := experiment.Spec
	orders := shuffles(len(spec.Servers), int(spec.Rounds), seed)
	if spec.Store.Hosting == v1alpha1.HostingShared {
		return Plan{Stores: []Store{sharedStore(experiment, orders, seed)}}
	}
	var stores []Store
	for i, order := range orders {
		round := int32(i + 1)
		for _, index := range order {
			server := spec.Servers[index]
			stores = append(stores, Store{
				Release: releaseName(string(experiment.UID), round, server.Name),
				Round:   round,
				Servers: []string{server.Name},
				Types:   []string{server.ServerType()},
				Cells:   cells(experiment, round, server, spec.Phases, func(v1alpha1.PhaseSpec) bool { return true }),
			})
		}
	}
	return Plan{Stores: stores}
}

// sharedStore hosts all servers. Interleaved phases are measured on all of them together; before and after such a phase the servers
// go through the others one after the other.
func sharedStore(experiment *v1alpha1.Experiment, orders [][]int, seed int64) Store {
	var store Store
	for _, server := range experiment.Spec.Servers {
		store.Servers = append(store.Servers, server.Name)
		if !slices.Contains(store.Types, server.ServerType()) {
			store.Types = append(store.Types, server.ServerType())
		}
	}
	store.Release = releaseName(string(experiment.UID), 0, store.Servers...)
	for i, order := range orders {
		round := int32(i + 1)
		for _, stage := range stages(experiment.Spec.Phases) {
			if stage[0].Interleave != nil {
				store.Cells = append(store.Cells, interleaved(experiment, round, order, stage[0], seed)...)
				continue
			}
			for place, index := range order {
				first := i == 0 && place == 0
				server := experiment.Spec.Servers[index]
				store.Cells = append(store.Cells, cells(experiment, round, server, stage,
					func(phase v1alpha1.PhaseSpec) bool { return !phase.Prepare || first })...)
			}
		}
	}
	return store
}

// cells of one server in one round: phases in their order, each over its sweep and its repeats.
func cells(experiment *v1alpha1.Experiment, round int32, server v1alpha1.ServerSpec, phases []v1alpha1.PhaseSpec, wanted func(v1alpha1.PhaseSpec) bool) []Cell {
	var out []Cell
	for _, phase := range phases {
		if !wanted(phase) {
			continue
		}
		if len(phase.SweepThreads) == 0 {
			out = append(out, repeats(experiment, round, server, phase, nil)...)
		}
		for _, threads := range phase.SweepThreads {
			out = append(out, repeats(experiment, round, server, phase, &threads)...)
		}
	}
	return out
}

func repeats(experiment *v1alpha1.Experiment, round int32, server v1alpha1.ServerSpec, phase v1alpha1.PhaseSpec, sweep *int32) []Cell {
	var out []Cell
	for repeat := int32(1); repeat <= phase.Repeats; repeat++ {
		out = append(out, Cell{
			Name:  measurementName(experiment.Name, round, server.Name, phase.Name, sweep, repeat),
			Phase: phase,
			Spec:  measurementSpec(experiment, round, server, phase, sweep, repeat),
		})
	}
	return out
}

func measurementSpec(experiment *v1alpha1.Experiment, round int32, server v1alpha1.ServerSpec, phase v1alpha1.PhaseSpec, sweep *int32, repeat int32) v1alpha1.MeasurementSpec {
	spec := v1alpha1.MeasurementSpec{
		Experiment:  experiment.DocumentName(),
		Run:         experiment.RunID(),
		Store:       experiment.Spec.Store.Chart,
		Server:      server.Name,
		ServerType:  server.ServerType(),
		Round:       round,
		Warmup:      phase.Prepare || round <= experiment.Spec.WarmupRounds,
		Phase:       phase.Name,
		Operation:   phase.OperationName(),
		Repeat:      repeat,
		Threads:     phase.Threads,
		TargetRate:  phase.TargetRate,
		Consistency: phase.Consistency,
		Pods:        experiment.Spec.Load.Pods,
		Keys:        experiment.Spec.KeyCount(),
	}
	if sweep != nil {
		spec.Threads = *sweep
	}
	if phase.Duration != nil {
		spec.Duration = phase.Duration
	} else {
		spec.Operations = experiment.Spec.OperationCount(phase)
	}
	return spec
}
