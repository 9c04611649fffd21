package plan

import (
	"iter"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Plan is all that a run does, in order.
type Plan struct {
	Stores []Store
}

// Store is one installation, with the measurements on it: a release or, side by side, one for each of its servers.
type Store struct {
	// Release is the name of the installation, and of its only release.
	Release string
	// Round for which the store is installed; 0 if it serves all rounds.
	Round int32
	// Installation is the number of a store that serves all rounds, from 1; else 0.
	Installation int32
	// Servers are the names of the arms that the store hosts, in the order of the spec.
	Servers  []string
	Releases []Release
	Cells    []Cell
}

// Release is one installation of a chart.
type Release struct {
	// Name of the Helm release.
	Name string
	// Chart is its name or reference.
	Chart string
	// Servers are the names of the arms that the release hosts, Types their distinct types, and Instances the further servers that arms have
	// for themselves, all in the order of the spec.
	Servers   []string
	Types     []string
	Instances []Hosted
}

// Hosted is a server under its name in the store, with its own options.
type Hosted struct {
	Name, Type string
	Options    map[string]string
}

// Hosted returns all servers of the release: one of each type, under the type's name, and the instances.
func (r Release) Hosted() []Hosted {
	var hosted []Hosted
	for _, serverType := range r.Types {
		hosted = append(hosted, Hosted{Name: serverType, Type: serverType})
	}
	return append(hosted, r.Instances...)
}

// ReleaseOf returns the release that hosts an arm.
func (s Store) ReleaseOf(server string) Release {
	for _, release := range s.Releases {
		if slices.Contains(release.Servers, server) {
			return release
		}
	}
	return Release{}
}

// Cell is a planned measurement.
type Cell struct {
	// Name of the Measurement object.
	Name string
	// Phase of the measurement.
	Phase v1beta1.PhaseSpec
	Spec  v1beta1.MeasurementSpec
}

// All iterates over the cells in the order of measurement, without copying: a run may have thousands of cells, and is checked often.
func (p Plan) All() iter.Seq[*Cell] {
	return func(yield func(*Cell) bool) {
		for _, store := range p.Stores {
			for i := range store.Cells {
				if !yield(&store.Cells[i]) {
					return
				}
			}
		}
	}
}

// Cells returns copies of all cells.
func (p Plan) Cells() []Cell {
	var cells [][]Cell
	for _, store := range p.Stores {
		cells = append(cells, store.Cells)
	}
	return slices.Concat(cells...)
}

// OfRun returns the plan of an accepted run: all rounds, or those after which it had measured enough, each without the phases that had
// reached their precision before.
func OfRun(experiment *v1beta1.Experiment) Plan {
	last, settled := experiment.Spec.Rounds, map[string]int32{}
	if experiment.Status.Enough() {
		last = experiment.Status.Precision.Rounds
	}
	if judged := experiment.Status.Precision; judged != nil {
		for _, s := range judged.Settled {
			settled[s.Phase] = s.Rounds
		}
	}
	return build(experiment, *experiment.Status.Seed, last, settled)
}

// without returns the plan without the rounds of phases after those in which they reached their precision.
func (p Plan) without(settled map[string]int32) Plan {
	if len(settled) == 0 {
		return p
	}
	for i := range p.Stores {
		p.Stores[i].Cells = slices.DeleteFunc(p.Stores[i].Cells, func(c Cell) bool {
			rounds, is := settled[c.Phase.Name]
			return is && c.Spec.Round > rounds
		})
	}
	return p
}

// until returns the plan up to the end of a round.
func (p Plan) until(round int32) Plan {
	var out Plan
	for _, store := range p.Stores {
		cells := store.Cells
		if after := slices.IndexFunc(cells, func(c Cell) bool { return c.Spec.Round > round }); after >= 0 {
			cells = cells[:after]
		}
		if store.Cells = slices.Clip(cells); len(cells) > 0 {
			out.Stores = append(out.Stores, store)
		}
	}
	return out
}

// Store returns the store with a release.
func (p Plan) Store(release string) (Store, bool) {
	for _, store := range p.Stores {
		if store.Release == release {
			return store, true
		}
	}
	return Store{}, false
}

// Build returns the plan of all rounds.
func Build(experiment *v1beta1.Experiment, seed int64) Plan {
	return build(experiment, seed, experiment.Spec.Rounds, nil)
}

// build returns the plan up to a last round, after which profiles are taken, without the rounds of phases that have settled earlier.
func build(experiment *v1beta1.Experiment, seed int64, last int32, settled map[string]int32) Plan {
	measured := measurements(experiment, seed)
	if last < experiment.Spec.Rounds {
		measured = measured.until(last)
	}
	return measured.without(settled).withProfiles(experiment, last).seeded(seed)
}

// measurements plans the measurements. Rounds follow each other; servers within a round are in the balanced order of the seed. With dedicated
// hosting, every server of every round has its own store with new data, on which all phases run. Otherwise one installation hosts all servers
// for all rounds. If there are several installations, each has all rounds. Prepare phases run once for each set of data: in a shared store on
// the first server, side by side on each, and on all servers if they are interleaved.
func measurements(experiment *v1beta1.Experiment, seed int64) Plan {
	spec := experiment.Spec
	if spec.Store.Hosting.AtOnce() {
		return Plan{Stores: sharedStores(experiment, seed)}
	}
	var stores []Store
	for i, order := range ordersOf(&spec, 1, seed)[0] {
		at := place{round: int32(i + 1)}
		for _, index := range order {
			server := spec.Servers[index]
			name := dedicatedRelease(string(experiment.UID), at.round, server.Name)
			stores = append(stores, Store{
				Release:  name,
				Round:    at.round,
				Servers:  []string{server.Name},
				Releases: []Release{release(&spec, name, server)},
				Cells:    cells(experiment, at, server, spec.Phases, func(v1beta1.PhaseSpec) bool { return true }),
			})
		}
	}
	return Plan{Stores: stores}
}

// release returns a release of servers with one chart.
func release(spec *v1beta1.ExperimentSpec, name string, servers ...v1beta1.ServerSpec) Release {
	out := Release{Name: name, Chart: spec.Store.Chart}
	for _, server := range servers {
		out.Chart = spec.StoreOf(server).Chart
		out.Servers = append(out.Servers, server.Name)
		if !slices.Contains(out.Types, server.ServerType()) {
			out.Types = append(out.Types, server.ServerType())
		}
		if instance := server.InstanceName(); instance != "" {
			out.Instances = append(out.Instances, Hosted{Name: instance, Type: server.ServerType(), Options: server.Options})
		}
	}
	return out
}

// place of a cell in the run: its installation, 0 if rounds have their own stores, and its round on it.
type place struct{ installation, round int32 }

// sharedStores returns the installations that host all servers, each with its rounds.
func sharedStores(experiment *v1beta1.Experiment, seed int64) []Store {
	var stores []Store
	for i, orders := range ordersOf(&experiment.Spec, int(experiment.Spec.InstallationCount()), seed) {
		stores = append(stores, sharedStore(experiment, int32(i+1), orders, seed))
	}
	return stores
}

// sharedStore plans one installation that hosts all servers. An interleaved phase measures all of them together. In the phases before and
// after it, servers are measured one after the other.
func sharedStore(experiment *v1beta1.Experiment, installation int32, orders [][]int, seed int64) Store {
	spec := &experiment.Spec
	store := Store{Installation: installation}
	for _, server := range spec.Servers {
		store.Servers = append(store.Servers, server.Name)
	}
	store.Release = sharedRelease(string(experiment.UID), installation, store.Servers)
	beside := spec.Store.Hosting == v1beta1.HostingSideBySide
	if beside {
		for _, server := range spec.Servers {
			store.Releases = append(store.Releases, release(spec, releaseBeside(store.Release, server.Name), server))
		}
	} else {
		store.Releases = []Release{release(spec, store.Release, spec.Servers...)}
	}
	for i, order := range orders {
		at := place{installation, int32(i + 1)}
		for _, stage := range stages(experiment.Spec.Phases) {
			if stage[0].Interleave != nil {
				if stage[0].Type == v1beta1.PhasePrepare && i > 0 {
					continue
				}
				store.Cells = append(store.Cells, interleaved(experiment, at, order, stage[0], seed)...)
				continue
			}
			for n, index := range order {
				server := experiment.Spec.Servers[index]
				first := i == 0 && (n == 0 || beside)
				store.Cells = append(store.Cells, cells(experiment, at, server, stage,
					func(phase v1beta1.PhaseSpec) bool { return phase.Type != v1beta1.PhasePrepare || first })...)
			}
		}
	}
	return store
}

// cells returns the cells of one server in one round: phases in order, each with its sweep points and repeats.
func cells(experiment *v1beta1.Experiment, at place, server v1beta1.ServerSpec, phases []v1beta1.PhaseSpec, wanted func(v1beta1.PhaseSpec) bool) []Cell {
	var out []Cell
	for _, phase := range phases {
		if !wanted(phase) {
			continue
		}
		for _, point := range phase.Points() {
			out = append(out, repeats(experiment, at, server, phase, point)...)
		}
	}
	return out
}

func repeats(experiment *v1beta1.Experiment, at place, server v1beta1.ServerSpec, phase v1beta1.PhaseSpec, point v1beta1.Point) []Cell {
	var out []Cell
	for repeat := int32(1); repeat <= phase.Repeats; repeat++ {
		out = append(out, Cell{
			Name:  measurementName(experiment.Name, at, server.Name, phase.Name, point.Suffix, repeat),
			Phase: phase,
			Spec:  measurementSpec(experiment, at, server, phase, point, repeat),
		})
	}
	return out
}

func measurementSpec(experiment *v1beta1.Experiment, at place, server v1beta1.ServerSpec, phase v1beta1.PhaseSpec, point v1beta1.Point, repeat int32) v1beta1.MeasurementSpec {
	spec := v1beta1.MeasurementSpec{
		Experiment:   experiment.DocumentName(),
		Run:          experiment.RunID(),
		Store:        experiment.Spec.Store.Name(),
		Server:       server.Name,
		ServerType:   server.ServerType(),
		Instance:     server.InstanceName(),
		Installation: at.installation,
		Round:        at.round,
		Warmup:       phase.Type == v1beta1.PhasePrepare || at.round <= experiment.Spec.WarmupRounds,
		Phase:        phase.Name,
		Operation:    phase.OperationName(),
		Repeat:       repeat,
		Idle:         phase.Type == v1beta1.PhaseIdle,
		Threads:      point.Threads,
		Connections:  point.Connections,
		TargetRate:   point.TargetRate,
		Consistency:  phase.Consistency,
		Pods:         experiment.Spec.PodCount(phase),
		Keys:         experiment.Spec.KeyCount(),
		Capacity:     phase.Capacity,
		Recovery:     phase.Recovery,
		Faults:       phase.Faults,
	}
	spec.AwaitCompactions = phase.AwaitCompactions
	if phase.Duration != nil {
		spec.Duration = phase.Duration
	} else {
		spec.Operations = experiment.Spec.OperationCount(phase)
	}
	return spec
}
