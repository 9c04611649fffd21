package main

import "math/big"

// token returns a node's token on the ring. Nodes are spread evenly over the 2^64 tokens of the Murmur3 partitioner, so that each has the
// same share of the keys and all can join at once without moving data.
func token(ordinal, nodes int) string {
	ring := new(big.Int).Lsh(big.NewInt(1), 64)
	place := ring.Mul(ring, big.NewInt(int64(ordinal)))
	place.Div(place, big.NewInt(int64(nodes)))
	first := new(big.Int).Lsh(big.NewInt(-1), 63)
	return place.Add(place, first).String()
}
