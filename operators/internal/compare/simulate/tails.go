package simulate

import (
	"bufio"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// reads are recorded latencies of a store; the file says where they come from.
//
//go:embed testdata/reads.txt
var reads string

// perOctave is the number of buckets per doubling of latency.
const perOctave = 32

// buckets reach four seconds.
const buckets = 12 * perOctave

// p999 is the share of reads beyond the percentile that is compared.
const p999 = 0.001

// Tail is a histogram of latencies: the number of reads in each bucket, and of all. Fast reads are in no bucket.
type Tail struct {
	counts [buckets]int64
	all    int64
	// from and to bound the buckets that hold any: to is the bucket after the last.
	from, to int
}

// count adds reads to a bucket.
func (t *Tail) count(bucket int, reads int64) {
	if t.to == 0 {
		t.from = bucket
	}
	t.from, t.to = min(t.from, bucket), max(t.to, bucket+1)
	t.counts[bucket] += reads
}

// add adds the reads of another tail, which are slower by a number of buckets.
func (t *Tail) add(other *Tail, slower int) {
	t.all += other.all
	if other.to == 0 {
		return
	}
	from, to := max(other.from+slower, 0), min(other.to+slower, buckets)
	if t.to == 0 {
		t.from = from
	}
	t.from, t.to = min(t.from, from), max(t.to, to)
	for b := from; b < to; b++ {
		t.counts[b] += other.counts[b-slower]
	}
}

// quantile returns the logarithm of the latency that a share of the reads exceeds.
func (t *Tail) quantile(beyond float64) float64 {
	left := beyond * float64(t.all)
	for b := t.to - 1; b >= t.from; b-- {
		count := float64(t.counts[b])
		if count > 0 && count >= left {
			return (float64(b) + 1 - left/count) * math.Ln2 / perOctave
		}
		left -= count
	}
	return 0
}

// above returns the number of reads in buckets from one on.
func (t *Tail) above(bucket int) float64 {
	sum := int64(0)
	for b := max(bucket, t.from); b < t.to; b++ {
		sum += t.counts[b]
	}
	return float64(sum)
}

// Recorded holds the rounds of a recorded phase: for each, the tails of similar servers that were measured in turn. The windows of a server
// in a round stay together, so that a long pause stays whole.
type Recorded [][]*Tail

// ReadRecorded returns the recorded rounds of a phase of testdata/reads.txt.
func ReadRecorded(phase string) (Recorded, error) {
	rounds := map[string][]*Tail{}
	var order []string
	lines := bufio.NewScanner(strings.NewReader(reads))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] != phase {
			continue
		}
		tail, err := parseTail(fields[3:])
		if err != nil {
			return nil, fmt.Errorf("read recorded latencies of %s in round %s: %w", fields[2], fields[1], err)
		}
		if rounds[fields[1]] == nil {
			order = append(order, fields[1])
		}
		rounds[fields[1]] = append(rounds[fields[1]], tail)
	}
	var recorded Recorded
	for _, round := range order {
		recorded = append(recorded, rounds[round])
	}
	return recorded, lines.Err()
}

func parseTail(fields []string) (*Tail, error) {
	all, err := strconv.Atoi(fields[0])
	if err != nil {
		return nil, err
	}
	t, bucket := &Tail{all: int64(all)}, 0
	for _, field := range fields[1:] {
		gap, times, several := strings.Cut(field, "*")
		if !several {
			times = "1"
		}
		distance, err := strconv.Atoi(gap)
		if err != nil {
			return nil, err
		}
		count, err := strconv.Atoi(times)
		if err != nil {
			return nil, err
		}
		bucket += distance
		t.count(bucket, int64(count))
	}
	return t, nil
}

// TailPlan describes experiments that compare the tails of servers with that of a baseline.
type TailPlan struct {
	Recorded Recorded
	// Slower holds, for each server but the baseline, by how many buckets its reads are slower: its true ratio is 2^(Slower/32).
	Slower []int
	// Rounds of the experiment, and how many recorded rounds each draws.
	Rounds, Draws int
	// Worse is the share of draws in which the last server has the slower one of two tails: it has long pauses more often, and is otherwise
	// the same.
	Worse float64
}

// rounds returns the tails of the baseline and of the servers in each round of an experiment. In each draw the recorded servers are assigned
// to the simulated ones in random order, so that all of them have the same distribution before they are made slower.
func (p TailPlan) rounds(rng *rand.Rand) [][]*Tail {
	rounds := make([][]*Tail, p.Rounds)
	for i := range rounds {
		rounds[i] = tails(len(p.Slower) + 1)
		for range p.Draws {
			recorded := p.Recorded[rng.IntN(len(p.Recorded))]
			order := rng.Perm(len(recorded))
			for server, sum := range rounds[i] {
				tail, slower := recorded[order[server]], 0
				if server > 0 {
					slower = p.Slower[server-1]
				}
				if server == len(p.Slower) && rng.Float64() < p.Worse {
					tail = worse(tail, recorded[order[server+1]])
				}
				sum.add(tail, slower)
			}
		}
	}
	return rounds
}

// worse returns the tail with the higher p99.9.
func worse(a, b *Tail) *Tail {
	if b.quantile(p999) > a.quantile(p999) {
		return b
	}
	return a
}

// truths returns the logarithms of the true ratios, which are those of the percentiles of all reads.
func (p TailPlan) truths() []float64 {
	out := make([]float64, len(p.Slower))
	for i, slower := range p.Slower {
		out[i] = float64(slower) * math.Ln2 / perOctave
	}
	if p.Worse > 0 {
		out[len(out)-1] += p.worseTruth()
	}
	return out
}

// worseTruth returns the logarithm of the ratio that Worse makes, from many draws of many pairs.
func (p TailPlan) worseTruth() float64 {
	p.Rounds, p.Draws, p.Slower = 1, 50_000, []int{0}
	all := p.rounds(rand.New(rand.NewPCG(1, 1)))[0]
	return all[1].quantile(p999) - all[0].quantile(p999)
}

// tails returns empty tails.
func tails(count int) []*Tail {
	out := make([]*Tail, count)
	for i := range out {
		out[i] = &Tail{}
	}
	return out
}

// merged returns the merged tail of each server over rounds.
func merged(rounds [][]*Tail) []*Tail {
	out := tails(len(rounds[0]))
	for _, round := range rounds {
		for i, tail := range round {
			out[i].add(tail, 0)
		}
	}
	return out
}
