package plan

// splitMix64 is Steele, Lea and Flood's SplitMix64 generator ("Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). It is
// implemented here, so that a seed in a published result gives the same order with any version of any library, and in any language.
type splitMix64 struct{ state uint64 }

func (g *splitMix64) next() uint64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// below returns a number in [0, n), each equally likely: it rejects draws from the incomplete last range.
func (g *splitMix64) below(n uint64) uint64 {
	limit := -n % n // 2^64 mod n
	for {
		if draw := g.next(); draw >= limit {
			return draw % n
		}
	}
}

// shuffles returns one random order of 0..n-1 per round, by Fisher-Yates from the last place down. One generator, which starts at the seed,
// serves all rounds.
func shuffles(n, rounds int, seed int64) [][]int {
	generator := splitMix64{state: uint64(seed)}
	orders := make([][]int, rounds)
	for round := range orders {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		for i := n - 1; i > 0; i-- {
			j := int(generator.below(uint64(i + 1)))
			order[i], order[j] = order[j], order[i]
		}
		orders[round] = order
	}
	return orders
}
