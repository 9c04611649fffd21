package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tailDesign is a way to spend the time of a run.
type tailDesign struct {
	name string
	// seconds that count, of each server in each round, and the pieces into which they are cut
	seconds float64
	pieces  int
	method  TailMethod
	// covers marks designs whose intervals must hold the truth.
	covers bool
}

// What cassandra-tails takes besides, in seconds, measured on two cores: to install and fill the store, between two rounds, and for each server
// to warm up in a round, which is one window.
const setUp, between, warmUp = 180.0, 10.0, 3.0

var (
	longRounds  = tailDesign{"rounds of 24 s", 24, 1, ofRounds(p999), true}
	rounds12    = tailDesign{"rounds of 12 s", 12, 1, ofRounds(p999), true}
	shortRounds = tailDesign{"rounds of 6 s", 6, 1, ofRounds(p999), true}
	inPieces    = tailDesign{"rounds of 24 s, pieces of 6 s", 24, 4, ofPieces(4), true}
	bySections  = tailDesign{"all reads, sections of 12 s", 12, 1, sectioned, false}
)

func tailDesigns() []tailDesign {
	return []tailDesign{
		longRounds, rounds12, shortRounds, inPieces,
		{"signed ranks, rounds of 6 s", 6, 1, signedRanks, true},
		bySections,
		{"all reads, bootstrap of rounds of 6 s", 6, 1, bootstrapped(399), false},
		{"all reads, quantile regression, rounds of 6 s", 6, 1, ranked, false},
		{"p99, rounds of 6 s", 6, 1, ofRounds(0.01), true},
	}
}

// rounds returns how many compared rounds fit, besides one that warms up.
func (d tailDesign) rounds(minutes float64, servers int) int {
	return int((60*minutes-setUp)/(between+float64(servers)*(warmUp+d.seconds))) - 1
}

// plan returns the plan of a design for servers that are slower by some buckets, besides the baseline and, unless there is only one, an A/A
// arm, which takes time but is not simulated.
func (d tailDesign) plan(phase tailPhase, minutes float64, slower []int) TailPlan {
	servers := len(slower) + 1
	if len(slower) > 1 {
		servers++
	}
	return TailPlan{Recorded: phase.recorded, Slower: slower, Rounds: d.rounds(minutes, servers) * d.pieces,
		Draws: int(math.Round(d.seconds / float64(d.pieces) / phase.seconds))}
}

// tailPhase is a recorded phase, with the seconds that a server took in a recorded round.
type tailPhase struct {
	name     string
	seconds  float64
	recorded Recorded
}

func tailPhases(t *testing.T) []tailPhase {
	t.Helper()
	phases := []tailPhase{{"rate", 5.5, nil}, {"closed", 1, nil}}
	for i := range phases {
		var err error
		phases[i].recorded, err = ReadRecorded(phases[i].name)
		require.NoError(t, err)
		require.Len(t, phases[i].recorded, 15)
	}
	return phases
}

// tailOutcome holds shares of experiments.
type tailOutcome struct {
	// covered: all intervals contain the truth. different: a server that equals the baseline is called different. found: share of the servers
	// that differ which are called different. half: mean half-width. bias: mean of the last interval's middle, less the truth.
	covered, different, found, half, bias float64
}

func (o tailOutcome) String() string {
	return fmt.Sprintf("covered %.1f%%, half-width ±%.0f%%, equals called different %.1f%%, found %.0f%%, middle %+.0f%%",
		100*o.covered, 100*math.Expm1(o.half), 100*o.different, 100*o.found, 100*math.Expm1(o.bias))
}

func tailExperiments(plan TailPlan, method TailMethod, count int) tailOutcome {
	var o tailOutcome
	truths, differing := plan.truths(), 0
	for _, truth := range truths {
		if truth != 0 {
			differing++
		}
	}
	share := 1 / float64(count)
	for number := range count {
		rng := rand.New(rand.NewPCG(seed+40, uint64(number)))
		covered, different := true, false
		for i, in := range method(plan.rounds(rng), rng) {
			covered = covered && in.Low <= truths[i] && truths[i] <= in.High
			o.half += share * (in.High - in.Low) / 2 / float64(len(truths))
			switch differs := in.Low > 0 || in.High < 0; {
			case truths[i] == 0:
				different = different || differs
			case differs:
				o.found += share / float64(max(differing, 1))
			}
			if i == len(truths)-1 {
				o.bias += share * ((in.Low+in.High)/2 - truths[i])
			}
		}
		o.covered += share * one(covered)
		o.different += share * one(different)
	}
	return o
}

// severalServers are equal to the baseline, 1.24 and 1.51 times slower.
var severalServers = []int{0, 0, 0, 10, 19}

func checkTails(t *testing.T, name string, d tailDesign, o tailOutcome, count int) {
	t.Helper()
	t.Logf("%s, %s: %s", name, d.name, o)
	if d.covers {
		assert.GreaterOrEqual(t, o.covered, leastCovered-slack(count), "%s, %s: intervals that hold the truth", name, d.name)
		assert.LessOrEqual(t, o.different, mostDifferent+slack(count), "%s, %s: equal servers called different", name, d.name)
	}
}

// The table of docs/design/measurement.md is of 1,000 experiments of each kind, as in make simulate.
func TestDesignsForTails(t *testing.T) {
	if *count < full {
		t.Skip("takes minutes: make simulate runs it")
	}
	experiments := *count / 2
	for _, phase := range tailPhases(t) {
		for _, slower := range [][]int{{0}, {0, 10}, severalServers} {
			for _, minutes := range []float64{25, 60} {
				for _, d := range tailDesigns() {
					plan := d.plan(phase, minutes, slower)
					name := fmt.Sprintf("%s, slower %v, %g min, %d units", phase.name, slower, minutes, plan.Rounds)
					checkTails(t, name, d, tailExperiments(plan, d.method, experiments), experiments)
				}
			}
		}
		for _, d := range tailDesigns() {
			plan := d.plan(phase, 60, []int{0})
			plan.Worse = 0.3
			t.Logf("%s, more often slow, true %.2f, %s: %s", phase.name, math.Exp(plan.truths()[0]), d.name, tailExperiments(plan, d.method, experiments))
		}
	}
}

// Where pauses are rare, many short rounds resolve more than few long ones in the same time, although each of them has fewer reads beyond the
// percentile: a round's percentile is that of its worst pause.
func TestShortRoundsResolveRarePausesBest(t *testing.T) {
	const experiments = 30
	for _, phase := range tailPhases(t) {
		width := map[string]float64{}
		for _, d := range []tailDesign{longRounds, rounds12, shortRounds, inPieces} {
			o := tailExperiments(d.plan(phase, 60, severalServers), d.method, experiments)
			checkTails(t, phase.name, d, o, experiments)
			width[d.name] = o.half
		}
		if phase.name == "rate" {
			assert.Less(t, width[shortRounds.name], 0.9*width[rounds12.name])
			assert.Less(t, width[inPieces.name], width[shortRounds.name])
		}
	}
}

// The percentile of all reads depends on the worst pauses alone, of which few sections have any.
func TestSectionsUnderstateTheErrorOfThePercentileOfAllReads(t *testing.T) {
	phase := tailPhases(t)[0]
	o := tailExperiments(bySections.plan(phase, 60, severalServers), bySections.method, 30)
	assert.Less(t, o.covered, 0.8, o.String())
}
