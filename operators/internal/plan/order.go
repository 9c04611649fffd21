package plan

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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

// Orders gives the order of the servers in each round. A server's figure depends on its place in the round, and on the server before it: heat, page
// cache, compactions that another server left behind. So each second round mirrors the round before, and over a whole block of 2n rounds (n if
// even) each server has each place, and follows each other server, equally often: the rows of a Williams design (E. J. Williams, Australian
// Journal of Scientific Research A 2, 1949). The labels of each block and the order of its pairs of rounds are random. But a block begins with the
// server with which the last one ended: two servers alternate, A B, B A, A B. Else one of them would follow the other more often than itself.
type Orders struct {
	servers   int
	generator splitMix64
	block     [][]int
	// last is the last server of the last block, -1 before the first.
	last int
}

// NewOrders returns the orders of n servers by a seed. Equal seeds give equal orders.
func NewOrders(n int, seed int64) *Orders {
	return &Orders{servers: n, generator: splitMix64{state: uint64(seed)}, last: -1}
}

// Next returns the order of the next round, as indexes of the servers.
func (o *Orders) Next() []int {
	if len(o.block) == 0 {
		o.block = o.newBlock()
	}
	order := o.block[0]
	o.block = o.block[1:]
	return order
}

func (o *Orders) newBlock() [][]int {
	n := o.servers
	labels, pairs := o.shuffled(n), n
	if n%2 == 0 {
		pairs = n / 2 // the mirrored rows are the others of the square
	}
	rows := o.shuffled(pairs)
	if first := rows[0] % n; o.last >= 0 {
		at := slices.Index(labels, o.last)
		labels[first], labels[at] = labels[at], labels[first]
	}
	var block [][]int
	for _, row := range rows {
		order := make([]int, n)
		for i := range order {
			place := i / 2 // 0, n-1, 1, n-2, 2, ...: neighbours have all distances
			if i%2 == 1 {
				place = n - 1 - i/2
			}
			order[i] = labels[(place+row)%n]
		}
		mirrored := slices.Clone(order)
		slices.Reverse(mirrored)
		block = append(block, order, mirrored)
	}
	o.last = block[len(block)-1][n-1]
	return block
}

// shuffled returns 0..n-1 in random order, by Fisher-Yates from the last place down.
func (o *Orders) shuffled(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := int(o.generator.below(uint64(i + 1)))
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// ordersOf returns the orders of the rounds of each installation. Warm-up rounds are not compared, so they have a sequence of their own.
func ordersOf(spec *v1beta1.ExperimentSpec, installations int, seed int64) [][][]int {
	compared, warmup := NewOrders(len(spec.Servers), seed), NewOrders(len(spec.Servers), ^seed)
	orders := make([][][]int, installations)
	for i := range orders {
		for round := range spec.Rounds {
			next := compared
			if round < spec.WarmupRounds {
				next = warmup
			}
			orders[i] = append(orders[i], next.Next())
		}
	}
	return orders
}
