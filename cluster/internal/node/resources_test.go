package node

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNodesTogetherPromiseNoMoreThanTheHostHas(t *testing.T) {
	for _, test := range []struct {
		name   string
		total  int64
		nodes  int
		offers int64 // MiB each
	}{
		{"24 GiB, four nodes", 24 * gibibyte, 4, (24*1024-2560)/4 - 100},
		{"24 GiB, one node", 24 * gibibyte, 1, 24*1024 - 1792 - 100},
		{"8 GiB, two nodes", 8 * gibibyte, 2, (8*1024-2048)/2 - 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			share, err := ShareOf(test.total, test.total, test.nodes)
			require.NoError(t, err)
			assert.Equal(t, test.offers, share.Offered/mebibyte)
			promised := int64(test.nodes) * (share.Offered + evictionMemory)
			assert.LessOrEqual(t, promised+HostReserve(test.nodes), test.total)
			// The kubelet's computation: all memory that it sees, minus the reserved memory and the eviction threshold.
			assert.Equal(t, share.Offered, test.total-share.Reserved-evictionMemory)
		})
	}
}

func TestAContainersNodesPromiseOnlyWhatItMayUse(t *testing.T) {
	host, err := ShareOf(16*gibibyte, 16*gibibyte, 4)
	require.NoError(t, err)
	limited, err := ShareOf(64*gibibyte, 16*gibibyte, 4)
	require.NoError(t, err)
	assert.Equal(t, host.Offered, limited.Offered)
	assert.Equal(t, 48*gibibyte, limited.Reserved-host.Reserved, "the kubelet sees the whole host")
}

func TestRefusesAShareThatIsNone(t *testing.T) {
	_, err := ShareOf(2*gibibyte, 2*gibibyte, 4)
	assert.ErrorContains(t, err, "2048 MiB of memory are too little for 4 nodes")
	_, err = ShareOf(24*gibibyte, 24*gibibyte, 0)
	assert.Error(t, err)
}

func TestWhatPreflightAsksForGivesUsefulNodes(t *testing.T) {
	for nodes := 1; nodes <= 8; nodes++ {
		share, err := ShareOf(MemoryNeeded(nodes), MemoryNeeded(nodes), nodes)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, share.Offered, podMemory)
	}
}
