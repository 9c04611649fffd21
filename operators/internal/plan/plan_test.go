package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestOrders_areThoseOfTheSeed(t *testing.T) {
	// SplitMix64's published reference output for the seed 1234567.
	generator := splitMix64{state: 1234567}
	assert.Equal(t, uint64(6457827717110365317), generator.next())
	assert.Equal(t, uint64(3203168211198807973), generator.next())
	assert.Equal(t, drawn(NewOrders(5, 42), 30), drawn(NewOrders(5, 42), 30))
	assert.NotEqual(t, drawn(NewOrders(5, 42), 30), drawn(NewOrders(5, 43), 30))
}

func drawn(orders *Orders, rounds int) [][]int {
	var out [][]int
	for range rounds {
		out = append(out, orders.Next())
	}
	return out
}

// Independent shuffles of three rounds have one of two servers first in all of them in a quarter of runs.
func TestOrders_areBalancedOverABlock(t *testing.T) {
	for n := 1; n <= 8; n++ {
		block := 2 * n
		if n%2 == 0 {
			block = n
		}
		rounds := drawn(NewOrders(n, int64(n)), 3*block)
		for from := 0; from < len(rounds); from += block {
			places, follows := map[[2]int]int{}, map[[2]int]int{}
			if from > 0 {
				assert.Equal(t, rounds[from-1][n-1], rounds[from][0], "a block begins with the server with which the last one ended")
			}
			for i, order := range rounds[from : from+block] {
				if i%2 == 1 {
					mirrored := slices.Clone(order)
					slices.Reverse(mirrored)
					assert.Equal(t, rounds[from+i-1], mirrored, "each second round mirrors the one before")
				}
				for place, server := range order {
					places[[2]int{server, place}]++
					if place > 0 {
						follows[[2]int{order[place-1], server}]++
					}
				}
			}
			assert.Len(t, places, n*n)
			assert.Len(t, follows, n*(n-1))
			for what, count := range places {
				assert.Equal(t, block/n, count, "%d servers: server and place %v", n, what)
			}
			for what, count := range follows {
				assert.Equal(t, block/n, count, "%d servers: a server after another %v", n, what)
			}
		}
	}
}

func TestOrders_haveEachServerAtEachPlaceEquallyOften(t *testing.T) {
	counts := map[[3]int]int{}
	const draws = 60000
	for seed := range draws {
		counts[[3]int(NewOrders(3, int64(seed)).Next())]++
	}
	require.Len(t, counts, 6)
	for order, count := range counts {
		// 10,000 expected, standard deviation 91.
		assert.InDelta(t, draws/6, count, 460, "order %v", order)
	}
}

// The first compared round begins a pair of rounds, whatever warms up before it, and the next installation continues the sequence.
func TestOrders_countComparedRoundsOnly(t *testing.T) {
	spec := v1beta1.ExperimentSpec{Servers: make([]v1beta1.ServerSpec, 4), Rounds: 4, WarmupRounds: 1}
	installations := ordersOf(&spec, 2, 7)
	require.Len(t, installations, 2)
	want := drawn(NewOrders(4, 7), 6)
	assert.Equal(t, want[:3], installations[0][1:])
	assert.Equal(t, want[3:], installations[1][1:])
}

func TestDedicatedHostingInstallsAStorePerServerAndRound(t *testing.T) {
	experiment := example()
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 4)
	for i, store := range built.Stores {
		assert.Equal(t, int32(i/2+1), store.Round)
		assert.Len(t, store.Servers, 1)
		assert.Equal(t, []string{"write 1", "read 1", "read 2", "read 3"}, phasesOf(store))
	}
	assert.ElementsMatch(t, []string{"disruptor", "hsha"}, []string{built.Stores[0].Servers[0], built.Stores[1].Servers[0]})
	assert.Equal(t, built, Build(experiment, 1), "a plan is rebuilt after a restart")
	assert.Len(t, releases(built), 4, "every installation has a release of its own")
}

func TestSharedHostingInstallsOneStoreAndPreparesOnce(t *testing.T) {
	experiment := example()
	experiment.Spec.Store.Hosting = v1beta1.HostingShared
	experiment.Spec.Phases[0].Type = v1beta1.PhasePrepare
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 1)
	store := built.Stores[0]
	assert.Zero(t, store.Round)
	assert.Equal(t, []string{"disruptor", "hsha"}, store.Servers)
	assert.Len(t, store.Cells, 1+2*2*3)
	assert.Equal(t, "write", store.Cells[0].Phase.Name)
	assert.True(t, store.Cells[0].Spec.Warmup, "a prepare phase is never compared")
}

func TestBuild_sideBySideEachServerIsAReleaseAndPreparedOnce(t *testing.T) {
	experiment := example()
	experiment.Spec.Store.Hosting, experiment.Spec.Store.Chart = v1beta1.HostingSideBySide, "shelf"
	const long, longer = "concurrent-reads-of-sixty-four", "concurrent-reads-of-sixty-four2"
	experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "old"}, {Name: "old-again", Type: "old"}, {Name: long, Type: "old", Chart: "rack"}, {Name: longer, Type: "old"}}
	experiment.Spec.Phases[0].Type = v1beta1.PhasePrepare
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 1)
	names, charts := map[string]bool{}, []string{}
	for i, release := range built.Stores[0].Releases {
		server := experiment.Spec.Servers[i]
		assert.Equal(t, []string{server.Name}, release.Servers)
		assert.Equal(t, []string{"old"}, release.Types)
		assert.Equal(t, release, built.Stores[0].ReleaseOf(server.Name))
		assert.LessOrEqual(t, len(release.Name), maxRelease)
		names[release.Name], charts = true, append(charts, release.Chart)
	}
	assert.Len(t, names, 4)
	assert.True(t, names[built.Stores[0].Release+"-old-again"])
	assert.Equal(t, []string{"shelf", "shelf", "rack", "shelf"}, charts)
	prepared := map[string]int{}
	for cell := range built.All() {
		if cell.Phase.Type == v1beta1.PhasePrepare {
			assert.EqualValues(t, 1, cell.Spec.Round)
			prepared[cell.Spec.Server]++
		}
	}
	assert.Equal(t, map[string]int{"old": 1, "old-again": 1, long: 1, longer: 1}, prepared)
	assert.LessOrEqual(t, int64(len(built.Cells())), experiment.Spec.MeasurementCount())
}

func TestEachInstallationOfASharedStoreHasItsRoundsAndItsPreparation(t *testing.T) {
	experiment := example()
	experiment.Spec.Store.Hosting = v1beta1.HostingShared
	experiment.Spec.Phases[0].Type = v1beta1.PhasePrepare
	experiment.Spec.WarmupRounds = 1
	once := Build(experiment, 1)
	experiment.Spec.Installations = 3
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 3)
	assert.Equal(t, once.Stores[0], built.Stores[0], "the first is what it is alone")
	assert.Equal(t, built, Build(experiment, 1), "a plan is rebuilt after a restart")
	assert.Len(t, releases(built), 3)
	assert.LessOrEqual(t, int64(len(built.Cells())), experiment.Spec.MeasurementCount())
	names, orders := map[string]bool{}, map[string]bool{}
	for i, store := range built.Stores {
		assert.Equal(t, int32(i+1), store.Installation)
		require.Len(t, store.Cells, 1+2*2*3)
		assert.Equal(t, "write", store.Cells[0].Phase.Name, "each is filled again")
		order := ""
		for _, cell := range store.Cells {
			assert.Equal(t, int32(i+1), cell.Spec.Installation)
			assert.Equal(t, cell.Phase.Type == v1beta1.PhasePrepare || cell.Spec.Round == 1, cell.Spec.Warmup)
			assert.LessOrEqual(t, cell.Spec.Round, int32(2), "rounds are counted on each")
			names[cell.Name] = true
			order += cell.Spec.Server
		}
		orders[order] = true
	}
	assert.Len(t, names, 3*(1+2*2*3), "no name is used twice")
	assert.Greater(t, len(orders), 1, "the order is random over all installations")
	assert.Equal(t, "quorum-r1-"+built.Stores[0].Cells[0].Spec.Server+"-write-1", built.Stores[0].Cells[0].Name)
	assert.Equal(t, "quorum-i2-r1-"+built.Stores[1].Cells[0].Spec.Server+"-write-1", built.Stores[1].Cells[0].Name)
}

func TestARunThatHasMeasuredEnoughHasNoMoreRounds(t *testing.T) {
	for _, hosting := range []v1beta1.Hosting{v1beta1.HostingDedicated, v1beta1.HostingShared} {
		experiment := example()
		experiment.Spec.Store.Hosting, experiment.Spec.Rounds, experiment.Spec.Precision = hosting, 5, "3%"
		seed := int64(1)
		experiment.Status.Seed = &seed
		whole := Build(experiment, seed)
		assert.Equal(t, whole, OfRun(experiment))
		experiment.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 2}
		assert.Equal(t, whole, OfRun(experiment), "a judgement to go on ends nothing")
		experiment.Status.Precision.Reason = v1beta1.ReasonPrecisionReached
		cut := OfRun(experiment)
		assert.Equal(t, whole.Cells()[:2*2*4], cut.Cells(), hosting)
		assert.Equal(t, whole.Stores[0].Release, cut.Stores[0].Release)
		assert.Equal(t, whole, Build(experiment, seed), "the whole plan is as it was")
	}
}

func TestAPhaseThatHasSettledIsInNoLaterRound(t *testing.T) {
	for _, hosting := range []v1beta1.Hosting{v1beta1.HostingDedicated, v1beta1.HostingShared} {
		experiment := example()
		experiment.Spec.Store.Hosting, experiment.Spec.Rounds, experiment.Spec.Precision = hosting, 5, "3%"
		seed := int64(1)
		experiment.Status.Seed = &seed
		experiment.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 3, Settled: []v1beta1.SettledPhase{{Phase: "read", Rounds: 2}}}
		var want []Cell
		for cell := range Build(experiment, seed).All() {
			if cell.Phase.Name != "read" || cell.Spec.Round <= 2 {
				want = append(want, *cell)
			}
		}
		assert.Equal(t, want, OfRun(experiment).Cells(), "the others are the same, in the same order")
		experiment.Status.Precision.Reason = v1beta1.ReasonBudgetUsed
		assert.Equal(t, want[:len(want)-2*2], OfRun(experiment).Cells(), "two rounds fewer, of writes on two servers")
	}
}

// Companions are found by the name of their lead, which a phase that is left out must not change.
func TestGroupsOfOtherPhasesAreTheSameWithoutOneThatHasSettled(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Rounds, experiment.Spec.Precision = 4, "3%"
	seed := int64(7)
	experiment.Status.Seed = &seed
	again := experiment.Spec.Phases[1]
	again.Name = "again"
	experiment.Spec.Phases = append(experiment.Spec.Phases, again)
	const first = "read"
	experiment.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 2, Settled: []v1beta1.SettledPhase{{Phase: first, Rounds: 2}}}
	whole, left := Build(experiment, seed), OfRun(experiment)
	assert.Less(t, len(left.Cells()), len(whole.Cells()))
	for cell := range left.All() {
		assert.False(t, cell.Phase.Name == first && cell.Spec.Round > 2, cell.Name)
		assert.Equal(t, whole.Group(*cell), left.Group(*cell))
	}
}

func TestArmsOfOneTypeShareAPortButNotAName(t *testing.T) {
	experiment := example()
	experiment.Spec.Store.Hosting = v1beta1.HostingShared
	experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}}
	built := Build(experiment, 1)
	assert.Equal(t, []string{"hsha"}, built.Stores[0].Releases[0].Types)
	assert.Equal(t, []string{"hsha", "hsha-again"}, built.Stores[0].Servers)
}

func TestSweepMeasuresEveryThreadCount(t *testing.T) {
	experiment := example()
	experiment.Spec.Rounds = 1
	experiment.Spec.Servers = experiment.Spec.Servers[:1]
	experiment.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Repeats: 2, Threads: 50, Sweep: v1beta1.Sweep{Threads: []int32{1, 8}}}}
	var names []string
	var threads []int32
	for _, cell := range Build(experiment, 1).Cells() {
		names = append(names, cell.Name)
		threads = append(threads, cell.Spec.Threads)
	}
	assert.Equal(t, []string{
		"quorum-r1-disruptor-read-t1-1", "quorum-r1-disruptor-read-t1-2",
		"quorum-r1-disruptor-read-t8-1", "quorum-r1-disruptor-read-t8-2",
	}, names)
	assert.Equal(t, []int32{1, 1, 8, 8}, threads)
}

func TestSweepsAreCombinedAndNamedByTheirValues(t *testing.T) {
	experiment := example()
	experiment.Spec.Rounds = 1
	experiment.Spec.Servers = experiment.Spec.Servers[:1]
	experiment.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 4, Sweep: v1beta1.Sweep{Connections: []int32{16, 64}, Rates: []int64{500, 1000}}}}
	var loads []string
	for _, cell := range Build(experiment, 1).Cells() {
		loads = append(loads, fmt.Sprintf("%s: %d threads, %d connections, %d/s", cell.Name, cell.Spec.Threads, cell.Spec.Connections, cell.Spec.TargetRate))
	}
	assert.Equal(t, []string{
		"quorum-r1-disruptor-read-c16-o500-1: 4 threads, 16 connections, 500/s", "quorum-r1-disruptor-read-c16-o1000-1: 4 threads, 16 connections, 1000/s",
		"quorum-r1-disruptor-read-c64-o500-1: 4 threads, 64 connections, 500/s", "quorum-r1-disruptor-read-c64-o1000-1: 4 threads, 64 connections, 1000/s",
	}, loads)
	assert.Equal(t, int64(4), experiment.Spec.MeasurementCount())
}

func TestWarmupRoundsAreMarked(t *testing.T) {
	experiment := example()
	experiment.Spec.WarmupRounds = 1
	for _, cell := range Build(experiment, 1).Cells() {
		assert.Equal(t, cell.Spec.Round == 1, cell.Spec.Warmup)
	}
}

func TestPhaseInheritsOperationsUnlessItSaysOtherwise(t *testing.T) {
	experiment := example()
	own := int64(7)
	experiment.Spec.Phases = []v1beta1.PhaseSpec{
		{Name: "write", Repeats: 1, Threads: 1},
		{Name: "read", Repeats: 1, Threads: 1, Operations: &own},
		{Name: "scan", Operation: "range", Repeats: 1, Threads: 1, Duration: &metav1.Duration{Duration: time.Minute}},
	}
	cells := Build(experiment, 1).Stores[0].Cells
	assert.Equal(t, int64(1000), cells[0].Spec.Operations)
	assert.Equal(t, int64(7), cells[1].Spec.Operations)
	assert.Zero(t, cells[2].Spec.Operations)
	assert.Equal(t, time.Minute, cells[2].Spec.Duration.Duration)
	assert.Equal(t, "range", cells[2].Spec.Operation)
	assert.Equal(t, int64(1000), cells[2].Spec.Keys)
}

func TestNamesStayUsableWhateverTheirParts(t *testing.T) {
	for _, test := range []struct{ experiment, server, phase string }{
		{"quorum", "disruptor", "write"},
		{"cassandra-quorum-20261121-001500", "threadedselector", "write"},
		{strings.Repeat("x", 200), "threadedselector", "read"},
		{strings.Repeat("x", 63), strings.Repeat("s", 31), strings.Repeat("p", 21)},
	} {
		const point = "-t10000-c100000-o100000000"
		seen := map[string]bool{}
		for _, installation := range []int32{1, 2, 20} {
			for round := int32(1); round <= 100; round += 33 {
				for repeat := int32(1); repeat <= 100; repeat += 33 {
					name := measurementName(test.experiment, place{installation, round}, test.server, test.phase, point, repeat)
					assert.Empty(t, validation.IsDNS1123Label(name), name)
					assert.False(t, seen[name], "%s names two cells", name)
					seen[name] = true
					job := JobName(name, 10)
					assert.Empty(t, validation.IsDNS1123Label(job+"-63"), "host names of an indexed Job's pods: %s", job)
				}
			}
		}
		shared := sharedRelease("0b5e", 20, []string{test.server})
		assert.Empty(t, validation.IsDNS1123Label(shared))
		assert.LessOrEqual(t, len(shared), 28)
		release := dedicatedRelease("0b5e", 100, test.server)
		assert.Empty(t, validation.IsDNS1123Label(release))
		assert.LessOrEqual(t, len(release), 28)
	}
	assert.Equal(t, "quorum-r1-disruptor-write-1", measurementName("quorum", place{1, 1}, "disruptor", "write", "", 1))
	assert.Equal(t, "quorum-r1-disruptor-write-1-a2", JobName("quorum-r1-disruptor-write-1", 2))
}

func example() *v1beta1.Experiment {
	operations := int64(1000)
	return &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum", UID: "6f1c"},
		Spec: v1beta1.ExperimentSpec{
			Store:      v1beta1.StoreSpec{Chart: "cassandra", Hosting: v1beta1.HostingDedicated},
			Servers:    []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}},
			Load:       v1beta1.LoadSpec{Image: "stress", Pods: 1},
			Operations: &operations,
			Rounds:     2,
			Phases: []v1beta1.PhaseSpec{
				{Name: "write", Repeats: 1, Threads: 50},
				{Name: "read", Repeats: 3, Threads: 50},
			},
		},
	}
}

func phasesOf(store Store) []string {
	var out []string
	for _, cell := range store.Cells {
		out = append(out, cell.Phase.Name+" "+string(rune('0'+cell.Spec.Repeat)))
	}
	return out
}

func releases(p Plan) map[string]bool {
	out := map[string]bool{}
	for _, store := range p.Stores {
		out[store.Release] = true
	}
	return out
}
