package standard1

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The keys were printed by cassandra-stress 3.11.5.
func TestKeysAreThoseOfCassandraStress(t *testing.T) {
	for number, key := range map[int64]string{1: "0P37709P21", 2: "O8LK79LO61", 1000000: "0PMNL82P31"} {
		assert.Equal(t, key, Key(number), "key %d", number)
	}
}

func TestKeysAreWrittenInLines(t *testing.T) {
	var out strings.Builder
	require.NoError(t, WriteKeys(&out, 2))
	assert.Equal(t, "0P37709P21\nO8LK79LO61\n", out.String())
}
