package simulate

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// reads are recorded latencies of a store; the file says where they come from.
//
//go:embed testdata/reads.txt
var reads string

const (
	// perOctave is the number of buckets per doubling of latency; buckets reach four seconds.
	perOctave = 32
	buckets   = 12 * perOctave
	// p999 is the share of reads beyond the percentile that is compared.
	p999 = 0.001
)

// tail is a histogram of latencies: the number of reads in each bucket, and of all. Fast reads are in no bucket.
type tail struct {
	counts [buckets]int64
	all    int64
}

// add adds the reads of another tail, which are slower by a number of buckets.
func (t *tail) add(other *tail, slower int) {
	t.all += other.all
	for b, count := range other.counts {
		if count > 0 {
			t.counts[min(b+slower, buckets-1)] += count
		}
	}
}

// quantile returns the logarithm of the latency that a share of the reads exceeds.
func (t *tail) quantile(beyond float64) float64 {
	left := beyond * float64(t.all)
	for b := buckets - 1; b >= 0; b-- {
		count := float64(t.counts[b])
		if count > 0 && count >= left {
			return (float64(b) + 1 - left/count) * math.Ln2 / perOctave
		}
		left -= count
	}
	return 0
}

// recordedRounds returns the tails of similar servers that were measured in turn, by round of a phase of testdata/reads.txt. The windows of a server in
// a round stay together, so that a long pause stays whole.
func recordedRounds(t *testing.T, phase string) [][]*tail {
	t.Helper()
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	var rounds [][]*tail
	last := ""
	for line := range strings.Lines(reads) {
		fields := strings.Fields(line)
		if fields[0] != phase {
			continue
		}
		if fields[1] != last {
			rounds, last = append(rounds, nil), fields[1]
		}
		recorded, bucket := &tail{all: int64(number(fields[3]))}, 0
		for _, field := range fields[4:] {
			gap, times, several := strings.Cut(field, "*")
			if !several {
				times = "1"
			}
			bucket += number(gap)
			recorded.counts[bucket] += int64(number(times))
		}
		rounds[len(rounds)-1] = append(rounds[len(rounds)-1], recorded)
	}
	require.Len(t, rounds, 15)
	return rounds
}

// tailRounds returns the log ratios of the p99.9 of servers to that of a baseline, in rounds of some recorded ones each. slower holds by how many
// buckets the reads of each server are slower: its true ratio is 2^(slower/32). In each draw the recorded servers are assigned to the simulated ones in
// random order, so that all of them have the same distribution before they are made slower.
func tailRounds(recorded [][]*tail, slower []int, rounds, draws int, rng *rand.Rand) [][]float64 {
	logs := make([][]float64, len(slower))
	for range rounds {
		sums := make([]tail, len(slower)+1)
		for range draws {
			drawn := recorded[rng.IntN(len(recorded))]
			order := rng.Perm(len(drawn))
			sums[0].add(drawn[order[0]], 0)
			for i, by := range slower {
				sums[i+1].add(drawn[order[i+1]], by)
			}
		}
		for i := range logs {
			logs[i] = append(logs[i], sums[i+1].quantile(p999)-sums[0].quantile(p999))
		}
	}
	return logs
}

// What cassandra-tails takes besides, in seconds, measured on two cores: to install and fill the store, between two rounds, and for each server
// to warm up in a round, which is one window.
const setUp, between, warmUp = 180.0, 10.0, 3.0

// severalServers are equal to the baseline, 1.24 and 1.51 times slower.
var severalServers = []int{0, 0, 0, 10, 19}

// The table of docs/design/measurement.md is of 1,000 experiments of each kind, as in make simulate. Daily tests have one cell of it. Where pauses are
// rare, many short rounds resolve more than few long ones in the same time, although each of them has fewer reads beyond the percentile: a round's
// percentile is that of its worst pause.
func TestIntervalsOfTails_holdTheTruthAndShortRoundsResolveMost(t *testing.T) {
	servers, minutes, n := [][]int{severalServers}, []float64{60}, 30
	if *count >= full {
		servers, minutes, n = [][]int{{0}, severalServers}, []float64{25, 60}, *count/2
	}
	for phase, recordedSeconds := range map[string]float64{"rate": 5.5, "closed": 1} {
		recorded := recordedRounds(t, phase)
		for _, slower := range servers {
			for _, minutes := range minutes {
				widths := map[float64]float64{}
				for _, seconds := range []float64{6, 12, 24} {
					measured := len(slower) + 1
					if len(slower) > 1 {
						measured++ // the A/A arm takes time, but is not simulated
					}
					rounds := int((60*minutes-setUp)/(between+float64(measured)*(warmUp+seconds))) - 1
					covered, different, half := 0.0, 0.0, 0.0
					for number := range n {
						rng := rand.New(rand.NewPCG(seed+40, uint64(number)))
						var family []ratio.Estimate
						for _, logs := range tailRounds(recorded, slower, rounds, int(math.Round(seconds/recordedSeconds)), rng) {
							family = append(family, ratio.OfLogs([][]float64{logs}, ratio.Bootstrap))
						}
						held, called := true, false
						for i, e := range ratio.Simultaneous(family) {
							truth := math.Exp2(float64(slower[i]) / perOctave)
							held = held && e.Low <= truth && truth <= e.High
							called = called || truth == 1 && e.Differs()
							half += e.HalfWidth() / float64(len(slower)*n)
						}
						covered += one(held) / float64(n)
						different += one(called) / float64(n)
					}
					name := fmt.Sprintf("%s, %d servers, %g minutes, %d rounds of %g s", phase, measured, minutes, rounds, seconds)
					t.Logf("%s: covered %.1f%%, half-width ±%.0f%%, equals called different %.1f%%", name, 100*covered, 100*math.Expm1(half), 100*different)
					assert.GreaterOrEqual(t, covered, leastCovered-slack(n), "%s: intervals that hold the truth", name)
					assert.LessOrEqual(t, different, mostDifferent+slack(n), "%s: equal servers called different", name)
					widths[seconds] = half
				}
				if phase == "rate" {
					assert.Less(t, widths[6], 0.95*widths[12])
				}
			}
		}
	}
}
