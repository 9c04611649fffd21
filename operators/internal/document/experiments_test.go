package document

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

const house = "../../.."

var readAPI = sync.OnceValues(func() (*API, error) { return ReadAPI(source.Dir(filepath.Join(house, "charts"))) })

// theAPI returns the API of the generated CRD, as in a cluster.
func theAPI(t *testing.T) *API {
	t.Helper()
	api, err := readAPI()
	require.NoError(t, err)
	require.NotNil(t, api, "charts/ringside/files/crds has no Experiment")
	return api
}

// shipped reads an experiment file of the repository, completed and checked, with the given profile or without.
func shipped(t *testing.T, path string, profile *Profile) *v1beta1.ExperimentSpec {
	t.Helper()
	d := only(t, path)
	if profile != nil {
		skipped, err := profile.Apply(d, source.Dir(filepath.Join(house, "experiments")))
		require.NoError(t, err)
		require.Empty(t, skipped, "elements of lists that the experiment does not have")
	}
	charts := filepath.Join(house, "charts")
	problems, err := theAPI(t).Complete(t.Context(), d)
	require.NoError(t, err)
	require.Empty(t, problems)
	e, err := d.Experiment()
	require.NoError(t, err)
	chart, err := storechart.NewCatalogue(charts).Open(e.Spec.Store.Chart)
	require.NoError(t, err)
	require.Empty(t, validation.Check(e, validation.Charts{e.Spec.Store.Chart: chart}, loadgen.NewCatalogue(house+"/images"), storechart.SomeImages()))
	return &e.Spec
}

// embedded is the profile of the embedded cluster.
func embedded(t *testing.T) *Profile {
	t.Helper()
	profile, err := ReadProfile(filepath.Join(house, "cluster/experiment-profile.yaml"), source.Dir(house+"/charts/profiles"))
	require.NoError(t, err)
	return profile
}

// The profile shortens phases and lowers their rates; it does not change what they do.
func TestTheEmbeddedClustersProfileChangesOnlyHowLongPhasesTakeAndHowMuchIsOffered(t *testing.T) {
	profile := embedded(t)
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			fitted := shipped(t, path, profile)
			own := shipped(t, path, nil)
			assert.Equal(t, boundless(own.Phases), boundless(fitted.Phases))
			for i, phase := range fitted.Phases {
				assert.LessOrEqual(t, phase.TargetRate, own.Phases[i].TargetRate, phase.Name)
				if turns := own.Phases[i].Interleave; turns != nil {
					assert.LessOrEqual(t, phase.Interleave.Window.Duration, turns.Window.Duration, phase.Name)
				}
				assert.Equal(t, own.Phases[i].TargetRate > 0, phase.TargetRate > 0, "%s: at a constant rate or as fast as can be", phase.Name)
			}
			assert.Equal(t, own.Servers, fitted.Servers)
			if own.Store.Hosting != v1beta1.HostingShared || !slices.ContainsFunc(own.Phases, func(p v1beta1.PhaseSpec) bool { return p.Interleave != nil }) {
				return
			}
			for i, server := range own.Servers {
				again := slices.ContainsFunc(own.Servers[:i], func(s v1beta1.ServerSpec) bool { return s.ServerType() == server.ServerType() })
				assert.Equal(t, again, again && server.InstanceName() != "", "%s: two names of one process get twice the load of the others", server.Name)
			}
		})
	}
}

// Without a margin, servers that lose the same to a fault are never called equivalent. Half of it as precision makes that likely.
func TestPhasesWithFaultsSayWhatIsEquivalent(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	found := 0
	for _, path := range paths {
		for _, phase := range shipped(t, path, nil).Phases {
			if len(phase.Faults) == 0 {
				continue
			}
			found++
			margin, err := ratio.ParseDistance(phase.Equivalent)
			require.NoError(t, err, "%s, %s", path, phase.Name)
			precision, err := ratio.ParseDistance(phase.Precision)
			require.NoError(t, err, "%s, %s", path, phase.Name)
			assert.True(t, margin.Difference, "%s, %s: %s", path, phase.Name, margin)
			assert.InDelta(t, margin.Value/2, precision.Value, 1e-9, "%s, %s", path, phase.Name)
		}
	}
	assert.Equal(t, 14, found)
}

// Clusters of others have neither the storage class local-ssd nor a label for disks, and some reject fixed
// user ids.
func TestNoProfileAsksForWhatOnlyTheEmbeddedClusterHas(t *testing.T) {
	profiles, err := filepath.Glob(filepath.Join(house, "charts/profiles/*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, profiles)
	experiments, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	for _, path := range profiles {
		profile, err := ReadProfile(path)
		require.NoError(t, err)
		if profile.Metadata.Name == "one-machine" { // which others extend
			continue
		}
		for _, experiment := range experiments {
			t.Run(profile.Metadata.Name+" "+filepath.Base(experiment), func(t *testing.T) {
				store := shipped(t, experiment, profile).Store
				if store.Values == nil {
					return
				}
				var values struct {
					Storage *struct {
						ClassName string  `json:"className"`
						Disk      *string `json:"disk"`
					} `json:"storage"`
				}
				require.NoError(t, json.Unmarshal(store.Values.Raw, &values))
				if values.Storage == nil { // it stores nothing
					return
				}
				assert.NotEqual(t, "local-ssd", values.Storage.ClassName)
				require.NotNil(t, values.Storage.Disk)
				assert.Empty(t, *values.Storage.Disk)
			})
		}
	}
}

func boundless(phases []v1beta1.PhaseSpec) []v1beta1.PhaseSpec {
	var out []v1beta1.PhaseSpec
	for _, phase := range phases {
		phase.Operations, phase.Duration, phase.Sweep.Rates = nil, nil, nil
		phase.TargetRate = min(phase.TargetRate, 1) // a constant rate is a share of a cluster's capacity
		if phase.Interleave != nil {
			turns := *phase.Interleave
			turns.Window, turns.Warmup = metav1.Duration{}, metav1.Duration{} // of a shorter phase
			phase.Interleave = &turns
		}
		if phase.Capacity != nil {
			objective := *phase.Capacity
			objective.From, objective.To = 0, 0
			phase.Capacity = &objective
		}
		out = append(out, phase)
	}
	return out
}

// The duration of an interleaved run is known in advance: the load, and about 3 s around each phase.
func TestStubExperimentsTakeMinutesOnTheEmbeddedCluster(t *testing.T) {
	const around = 3 * time.Second
	profile := embedded(t)
	for _, name := range []string{"stub-clients"} {
		spec := shipped(t, filepath.Join(house, "experiments", name+".yaml"), profile)
		total := time.Duration(0)
		for _, cell := range plan.Build(&v1beta1.Experiment{Spec: *spec}, 1).Cells() {
			total += around
			if cell.Spec.Duration != nil {
				total += cell.Spec.Duration.Duration
			}
		}
		assert.Less(t, total, 12*time.Minute, name)
	}
}

// The duration of a run of all servers is known in advance: installation and removal of stores, phases, and some
// seconds around each.
func TestExperimentsOfOurOwnStoresTakeMinutesOnTheEmbeddedCluster(t *testing.T) {
	profile := embedded(t)
	for name, most := range map[string]time.Duration{
		"http-rate": 10 * time.Minute, "http-workers": 13 * time.Minute,
		"udp-threads": 20 * time.Minute, "udp-idle": 10 * time.Minute,
	} {
		spec := shipped(t, filepath.Join(house, "experiments", name+".yaml"), profile)
		assert.Less(t, runTime(spec), most, name)
	}
	workers := shipped(t, filepath.Join(house, "experiments/http-workers.yaml"), profile)
	workers.Servers = workers.Servers[:2]
	assert.Less(t, runTime(workers), 10*time.Minute, "two servers, and what they are seen to do")
}

// runTime returns the duration of all rounds, with observed overheads around the loads.
func runTime(spec *v1beta1.ExperimentSpec) time.Duration {
	const (
		around  = 8 * time.Second  // a load's JVM starts, connects and delivers
		install = 30 * time.Second // installation, readiness and removal of a store
		filled  = 5000             // keys per second
	)
	loads, prepare := 0, install
	for _, phase := range spec.Phases {
		switch {
		case phase.Type != v1beta1.PhasePrepare && phase.Interleave != nil:
			loads += len(phase.Points())
		case phase.Type != v1beta1.PhasePrepare:
			loads += len(spec.Servers) * len(phase.Points())
		case phase.Duration != nil:
			prepare += phase.Duration.Duration + around
		default:
			prepare += time.Duration(spec.OperationCount(phase))*time.Second/filled + around
		}
	}
	rounds := time.Duration(spec.Rounds)
	if spec.Store.Hosting == v1beta1.HostingDedicated {
		prepare *= rounds * time.Duration(len(spec.Servers))
	}
	profiles := time.Duration(0)
	for _, cell := range plan.Build(&v1beta1.Experiment{Spec: *spec}, 1).Cells() {
		if cell.Spec.Profile != nil {
			profiles += cell.Spec.Duration.Duration + around
		}
	}
	return prepare + rounds*(precision.LeastRoundTime(spec)+time.Duration(loads)*around) + profiles
}

// Three stores in turn, each installed again in each round.
func TestTheCapacitiesOfTheTripCachesAreFoundWithinHalfAnHourOnTheEmbeddedCluster(t *testing.T) {
	const installed, around = 45 * time.Second, 3 * time.Second
	profile := embedded(t)
	spec := shipped(t, filepath.Join(house, "experiments/trip-capacity.yaml"), profile)
	var servers []v1beta1.ServerSpec
	for _, server := range spec.Servers {
		if server.Name == server.ServerType() {
			servers = append(servers, server)
		}
	}
	spec.Servers = servers
	assert.Len(t, servers, 3, "RocksDB, LMDB and the floor")
	total := time.Duration(spec.Rounds) * time.Duration(len(servers)) * installed
	for _, cell := range plan.Build(&v1beta1.Experiment{Spec: *spec}, 1).Cells() {
		total += around + cell.Spec.Duration.Duration
	}
	assert.Less(t, total, 30*time.Minute)
}

// The comparison of the servers takes at most 25 minutes: about three for store and data, then a warm-up round and the
// minimum number of rounds.
func TestTheLeastRoundsOfComparingTheServersFitTheirBudgetOnTheEmbeddedCluster(t *testing.T) {
	const (
		around   = 4 * time.Second // a load's JVM starts next to four others on two cores, connects, and delivers: 3.5 s in rounds of 75 s (25 November 2026)
		reopened = 2 * time.Second // 50 connections to each of seven servers, and a read on each of them; as reported by the load
	)
	profile := embedded(t)
	path := filepath.Join(house, "experiments/cassandra-interleaved.yaml")
	spec := shipped(t, path, profile)
	var servers []string
	for _, server := range spec.Servers {
		servers = append(servers, server.ServerType())
	}
	assert.Equal(t, []string{"hsha", "hsha", "disruptor", "xedin", "threadedselector", "threadpool", "nonblocking"}, servers, "all but simple, and an A/A arm")
	round := precision.LeastRoundTime(spec)
	for _, phase := range spec.Phases {
		if phase.Type != v1beta1.PhasePrepare {
			round += around + time.Duration(len(plan.Reconnects(phase.Interleave, phase.Duration.Duration, len(spec.Servers))))*reopened
		}
	}
	least := precision.LeastRounds + time.Duration(spec.WarmupRounds)
	assert.LessOrEqual(t, least*round, 20*time.Minute)
	for _, spec := range []*v1beta1.ExperimentSpec{spec, shipped(t, path, nil)} { // on any cluster
		rule := precision.Rule{Precision: 0.03, Budget: 20 * time.Minute}
		assert.NoError(t, rule.Check(precision.LeastRoundTime(spec)))
	}
}
