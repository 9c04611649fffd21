package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// interleavedExample fills a shared store, and then reads from its three servers in windows, in two rounds.
func interleavedExample() *v1beta1.Experiment {
	experiment := example()
	experiment.Spec.Store.Hosting = v1beta1.HostingShared
	experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}, {Name: "disruptor"}}
	operations := int64(100)
	experiment.Spec.Phases = []v1beta1.PhaseSpec{
		{Name: "fill", Operation: "write", Repeats: 1, Threads: 8, Type: v1beta1.PhasePrepare, Operations: &operations},
		{Name: "read", Repeats: 1, Threads: 8, Duration: &metav1.Duration{Duration: 2 * time.Minute}, Interleave: &v1beta1.Interleave{
			Window: metav1.Duration{Duration: time.Second}, Warmup: metav1.Duration{Duration: 10 * time.Second}, Mode: v1beta1.InterleaveWindows}},
	}
	return experiment
}

func TestInterleavedPhaseIsOneGroupPerRound(t *testing.T) {
	built := Build(interleavedExample(), 1)
	require.Len(t, built.Stores, 1)
	cells := built.Cells()
	require.Len(t, cells, 1+2*3)
	assert.Equal(t, "fill", cells[0].Spec.Phase)
	assert.Len(t, built.Group(cells[0]), 1, "an ordinary cell is a group of its own")
	seeds := map[int64]bool{}
	for round := range 2 {
		group := cells[1+3*round : 4+3*round]
		lead := group[0]
		assert.Empty(t, lead.Spec.Lead)
		assert.Equal(t, namesOf(group), namesOf(built.Group(lead)))
		require.Len(t, lead.Spec.Arms, 3)
		for i, server := range []string{"hsha", "hsha-again", "disruptor"} { // in the order of the spec
			arm := lead.Spec.Arms[i]
			assert.Equal(t, server, arm.Server)
			assert.Equal(t, server, arm.Tag)
			assert.Contains(t, namesOf(group), arm.Measurement)
		}
		for _, cell := range group {
			assert.Equal(t, int32(round+1), cell.Spec.Round)
			assert.Equal(t, time.Second, cell.Spec.Interleave.Window.Duration)
			assert.Equal(t, lead.Spec.Seed, cell.Spec.Seed)
			assert.Equal(t, 2*time.Minute, cell.Spec.Duration.Duration)
			if cell.Name != lead.Name {
				assert.Equal(t, lead.Name, cell.Spec.Lead)
				assert.Empty(t, cell.Spec.Arms)
			}
		}
		seeds[lead.Spec.Seed] = true
	}
	assert.Len(t, seeds, 2, "each round has an order of its own")
	assert.Equal(t, built, Build(interleavedExample(), 1), "a plan is rebuilt after a restart")
	other := Build(interleavedExample(), 2).Cells()
	assert.NotContains(t, seeds, other[1].Spec.Seed)
}

// A server's code is compiled only through its own requests, so each server needs its own.
func TestAnInterleavedPrepareGoesThroughAllServersOnceOnEachInstallation(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Installations = 2
	warm := experiment.Spec.Phases[1]
	warm.Name, warm.Operation, warm.Type = "warm", "read", v1beta1.PhasePrepare
	experiment.Spec.Phases = slices.Insert(experiment.Spec.Phases, 1, warm)
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 2)
	for _, store := range built.Stores {
		phases := map[string]int{}
		for _, cell := range store.Cells {
			phases[cell.Spec.Phase]++
		}
		assert.Equal(t, map[string]int{"fill": 1, "warm": 3, "read": 2 * 3}, phases)
		lead := store.Cells[1]
		assert.Equal(t, "warm", lead.Spec.Phase)
		assert.Len(t, lead.Spec.Arms, 3)
		for _, cell := range built.Group(lead) {
			assert.True(t, cell.Spec.Warmup, cell.Name)
			assert.Equal(t, int32(1), cell.Spec.Round)
		}
	}
}

func namesOf(cells []Cell) []string {
	var names []string
	for _, cell := range cells {
		names = append(names, cell.Name)
	}
	return names
}

func TestWindowsOfEachInstallationHaveAnOrderOfTheirOwn(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Installations = 2
	seeds := map[int64]bool{}
	for _, cell := range Build(experiment, 1).Cells() {
		if len(cell.Spec.Arms) > 0 {
			seeds[cell.Spec.Seed] = true
			assert.Equal(t, cell.Spec.Installation, Build(experiment, 1).Group(cell)[1].Spec.Installation)
		}
	}
	assert.Len(t, seeds, 2*2, "one for each round of each")
}

func TestServersGoThroughOrdinaryPhasesAroundAnInterleavedOneByThemselves(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Rounds = 1
	operations := int64(100)
	experiment.Spec.Phases = append(experiment.Spec.Phases, v1beta1.PhaseSpec{Name: "write", Repeats: 1, Threads: 8, Operations: &operations})
	experiment.Spec.Phases = slices.Insert(experiment.Spec.Phases, 1, v1beta1.PhaseSpec{Name: "warm", Operation: "read", Repeats: 1, Threads: 8, Operations: &operations})
	var phases []string
	for _, cell := range Build(experiment, 1).Cells() {
		phases = append(phases, cell.Spec.Phase)
	}
	assert.Equal(t, []string{"fill", "warm", "warm", "warm", "read", "read", "read", "write", "write", "write"}, phases)
}

func TestArmsWithAnInstanceOfTheirOwnAreHostedBesideTheirType(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "hsha-again", Type: "hsha", OwnInstance: true},
		{Name: "slowed", Type: "hsha", Options: map[string]string{"hold": "0.05"}}, {Name: "as-hsha", Type: "hsha"}}
	built := Build(experiment, 1)
	require.Len(t, built.Stores, 1)
	assert.Equal(t, []Hosted{{Name: "hsha", Type: "hsha"}, {Name: "hsha-again", Type: "hsha"},
		{Name: "hsha-slowed", Type: "hsha", Options: map[string]string{"hold": "0.05"}}}, built.Stores[0].Releases[0].Hosted())
	want := map[string]string{"hsha": "hsha", "hsha-again": "hsha-again", "slowed": "hsha-slowed", "as-hsha": "hsha"}
	for _, cell := range built.Cells() {
		assert.Equal(t, want[cell.Spec.Server], cell.Spec.HostedAs())
	}
}

func TestSweepAndRepeatsOfAnInterleavedPhaseAreGroupsOfTheirOwn(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Rounds = 1
	experiment.Spec.Phases = experiment.Spec.Phases[1:]
	experiment.Spec.Phases[0].Repeats, experiment.Spec.Phases[0].Sweep.Threads = 2, []int32{4, 16}
	cells := Build(experiment, 1).Cells()
	require.Len(t, cells, 2*2*3)
	seeds := map[int64]bool{}
	for i := 0; i < len(cells); i += 3 {
		assert.Len(t, cells[i].Spec.Arms, 3)
		seeds[cells[i].Spec.Seed] = true
	}
	assert.Len(t, seeds, 4)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(namesOf(cells)))), 12)
}

func TestDuetMeasuresTheBaselineBesideEachOther(t *testing.T) {
	experiment := interleavedExample()
	experiment.Spec.Rounds = 1
	experiment.Spec.Phases = experiment.Spec.Phases[1:]
	experiment.Spec.Phases[0].Interleave.Mode = v1beta1.InterleaveDuet
	experiment.Spec.Baseline = "hsha"
	cells := Build(experiment, 1).Cells()
	assert.Equal(t, int64(len(cells)), experiment.Spec.MeasurementCount())
	peers := map[string]string{}
	for _, cell := range cells {
		peers[cell.Name] = cell.Spec.Server + " beside " + cell.Spec.Peer
		assert.Equal(t, cells[0].Spec.Seed, cell.Spec.Seed)
	}
	assert.Equal(t, map[string]string{
		"quorum-r1-hsha-vs-hsha-again-read-1": "hsha beside hsha-again", "quorum-r1-hsha-again-read-1": "hsha-again beside hsha",
		"quorum-r1-hsha-vs-disruptor-read-1": "hsha beside disruptor", "quorum-r1-disruptor-read-1": "disruptor beside hsha",
	}, peers)
	var tags []string
	for _, arm := range cells[0].Spec.Arms {
		tags = append(tags, arm.Tag)
	}
	assert.Equal(t, []string{"hsha@hsha-again", "hsha@disruptor", "hsha-again", "disruptor"}, tags)
	assert.Equal(t, "read, 2 servers beside hsha in windows of 1s", Describe(experiment, &cells[0].Spec))
}

func TestReconnects_areEvenlyDistributedOverTheRound(t *testing.T) {
	for _, test := range []struct {
		name     string
		mode     v1beta1.InterleaveMode
		duration time.Duration
		want     []int
	}{
		{"one block", v1beta1.InterleaveWindows, 3 * time.Second, nil},
		{"three blocks", v1beta1.InterleaveWindows, 10 * time.Second, []int{1, 2}},
		{"twelve blocks", v1beta1.InterleaveWindows, 36 * time.Second, []int{3, 6, 9}},
		{"eleven blocks", v1beta1.InterleaveWindows, 35 * time.Second, []int{2, 5, 8}},
		{"a duet has fewer windows in a block", v1beta1.InterleaveDuet, 24 * time.Second, []int{3, 6, 9}},
	} {
		t.Run(test.name, func(t *testing.T) {
			turns := &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Mode: test.mode}
			assert.Empty(t, Reconnects(turns, test.duration, 3), "connections stay")
			turns.Reconnect = true
			assert.Equal(t, test.want, Reconnects(turns, test.duration, 3))
		})
	}
}
