package standard1

import (
	"bufio"
	"io"
)

const (
	// keySize is the length of a key in bytes.
	keySize = 10
	// keySalt is the first half of MurmurHash3 (x64, 128 bits) of "randomstrkey", the name of cassandra-stress' generator of keys.
	keySalt = -6294861599187687378
	// identities bounds the numbers that a generator draws; the lower bound is 1.
	identities = 100_000_000_000
)

// Key returns the key with that number, from 1, as cassandra-stress makes it (org.apache.cassandra.stress.generate.values.HexBytes): digits
// and the letters K to P.
func Key(number int64) string {
	random := newJavaRandom(number ^ keySalt)
	random.identity() // of the size, which is fixed
	letters := random.identity()
	key := make([]byte, keySize)
	for i := range key {
		letter := byte(letters & 15)
		if letter < 10 {
			key[i] = '0' + letter
		} else {
			key[i] = 'A' + letter
		}
		letters >>= 4
	}
	return string(key)
}

// WriteKeys writes the keys from 1 to count, each in a line.
func WriteKeys(to io.Writer, count int64) error {
	out := bufio.NewWriter(to)
	for number := int64(1); number <= count; number++ {
		_, _ = out.WriteString(Key(number))
		_ = out.WriteByte('\n')
	}
	return out.Flush() // has the first error
}

// javaRandom is java.util.Random, a linear congruential generator of 48 bits.
type javaRandom uint64

func newJavaRandom(seed int64) *javaRandom {
	r := javaRandom((uint64(seed) ^ 0x5DEECE66D) & (1<<48 - 1))
	return &r
}

func (r *javaRandom) next(bits uint) int64 {
	*r = (*r*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int64(*r >> (48 - bits))
}

// identity draws a number as cassandra-stress does for the seed of a value.
func (r *javaRandom) identity() int64 {
	drawn := float64(r.next(26)<<27+r.next(27)) / (1 << 53)
	return max(1, min(identities, int64(drawn*(identities+1)+(1-drawn))))
}
