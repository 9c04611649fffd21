package history

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// Nights are runs, each reduced to its figures and to what it is compared by as soon as it is read: with their histograms, the runs of a year take
// gigabytes.
type Nights struct {
	all []*night
	// kinds are the figures that are taken when a run is added.
	ratios, absolute bool
	places           *register
	// shared has one copy of what many measurements record alike, by its digest.
	shared map[[sha256.Size]byte]any
}

// night is a run without histograms, with one row and measurement of those that are alike.
type night struct {
	run                   *archive.Run
	measurements, invalid int
	// taken are the figures by the baseline that they are compared with; absolute ones by none.
	taken map[string]taken
	// again reads the run again.
	again func() (*archive.Run, error)
}

type taken struct {
	figures figures
	err     error
}

// absoluteFigures is the baseline of figures that are compared with none.
const absoluteFigures = ""

// NewNights returns an empty collection for a history with the options, and for its absolute figures if they are wanted, too.
func NewNights(o Options, absolute bool) *Nights {
	return &Nights{ratios: !o.Absolute, absolute: o.Absolute || absolute, places: &register{ids: map[place]int32{}}, shared: map[[sha256.Size]byte]any{}}
}

// Len returns the number of runs.
func (n *Nights) Len() int { return len(n.all) }

// Add takes what a history needs of a run, and keeps nothing else of it. The run is read again if the baseline of most runs is not its own.
func (n *Nights) Add(run *archive.Run, again func() (*archive.Run, error)) {
	one := &night{measurements: len(run.Rows), invalid: results.CountInvalid(run.Rows), taken: map[string]taken{}, again: again}
	if n.ratios {
		one.taken[baselineOf(run)] = n.take(run, baselineOf(run))
	}
	if n.absolute {
		one.taken[absoluteFigures] = n.take(run, absoluteFigures)
	}
	one.run = n.reduced(run)
	n.all = append(n.all, one)
}

func (n *Nights) take(run *archive.Run, baseline string) taken {
	if baseline == absoluteFigures {
		return taken{figures: absolute(run, n.places)}
	}
	found, err := ratios(run, baseline, n.places)
	return taken{found, err}
}

// figures returns the figures of a run compared with a baseline.
func (n *Nights) figures(one *night, baseline string) (figures, error) {
	found, there := one.taken[baseline]
	switch {
	case there:
	case baseline != absoluteFigures && !slices.Contains(compare.Servers(one.run), baseline):
		found = n.take(one.run, baseline) // the error that says so
	default:
		run, err := one.again()
		if err != nil {
			return newFigures(n.places), fmt.Errorf("reading run %s again, to compare it with %s: %w", one.run.ID(), baseline, err)
		}
		found = n.take(run, baseline)
	}
	return found.figures, found.err
}

// alike is what rows have in common of which one is kept.
type alike struct {
	server        string
	cell          compare.Cell
	warmup, valid bool
	keys          int64
	pods          int
	planned       results.Optional[int64]
	duration      string
	measured      bool
	image, proof  any
	environment   any
}

// reduced returns what runs are compared by, grouped by and described with: see compare.Differences, factsOf and loadsOf.
func (n *Nights) reduced(run *archive.Run) *archive.Run {
	small := &archive.Run{Measurements: map[string]*v1beta1.Measurement{}}
	if e := run.Experiment; e != nil {
		small.Experiment = &v1beta1.Experiment{Spec: *share(n, &e.Spec)}
		small.Experiment.Name, small.Experiment.Labels, small.Experiment.CreationTimestamp = e.Name, e.Labels, e.CreationTimestamp
	}
	seen := map[alike]bool{}
	for i := range run.Rows {
		row := &run.Rows[i]
		key := alike{server: row.Server, cell: compare.CellOf(row), warmup: row.Warmup, valid: row.Valid, keys: row.Keys, pods: row.Pods, planned: row.OpsPlanned,
			duration: row.Duration.Value.String()}
		var measured *v1beta1.Measurement
		if m := run.Measurements[row.Measurement]; m != nil {
			measured = &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{LoadImage: share(n, m.Status.LoadImage), Proof: share(n, provenOf(m.Status.Proof)),
				Environment: share(n, environmentOf(m.Status.Environment))}}
			key.measured, key.image, key.proof, key.environment = true, measured.Status.LoadImage, measured.Status.Proof, measured.Status.Environment
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		small.Rows = append(small.Rows, results.Row{Experiment: row.Experiment, Run: row.Run, Measurement: row.Measurement, Server: row.Server,
			Phase: row.Phase, Operation: row.Operation, Consistency: row.Consistency, Threads: row.Threads, TargetRate: row.TargetRate, Connections: row.Connections,
			LatencyKind: row.LatencyKind, Warmup: row.Warmup, Valid: row.Valid, Keys: row.Keys, Pods: row.Pods, OpsPlanned: row.OpsPlanned, Duration: row.Duration,
			StartedAt: row.StartedAt})
		if measured != nil {
			small.Measurements[row.Measurement] = measured
		}
	}
	return small
}

// provenOf returns what facts are taken from, without what differs between the pods of a server.
func provenOf(proof *v1beta1.Proof) *v1beta1.Proof {
	if proof == nil {
		return nil
	}
	return &v1beta1.Proof{ImageDigest: proof.ImageDigest, PluginSHA256: proof.PluginSHA256, Class: proof.Class, SettingsSHA256: proof.SettingsSHA256,
		Settings: proof.Settings, Environment: withoutFlags(proof.Environment)}
}

func environmentOf(environment *v1beta1.Environment) *v1beta1.Environment {
	if environment == nil {
		return nil
	}
	return &v1beta1.Environment{StoreNodes: environment.StoreNodes, LoadNodes: environment.LoadNodes, Store: withoutFlags(environment.Store)}
}

func withoutFlags(reported map[string]string) map[string]string {
	reported = maps.Clone(reported)
	delete(reported, compare.ReportedFlags)
	return reported
}

// share returns the copy that equal values share.
func share[T any](n *Nights, value *T) *T {
	if value == nil {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return value // kept as it is
	}
	key := sha256.Sum256(fmt.Appendf(text, "%T", value))
	if one, is := n.shared[key].(*T); is {
		return one
	}
	n.shared[key] = value
	return value
}
