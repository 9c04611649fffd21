package published

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLaysThePublishedServerBesideItsSuccessor(t *testing.T) {
	for _, server := range []string{"disruptor", "xedin"} {
		rows := For(Store, server, "read")
		require.Len(t, rows, 3)
		assert.Equal(t, "23530", rows[1].OpRate)
		assert.Equal(t, "2:25", rows[1].Time)
	}
	require.Len(t, For(Store, "hsha", "write"), 1)
	assert.Equal(t, "135.6", For(Store, "hsha", "write")[0].P999Millis)
}

func TestKnowsNoFiguresForServersThatWereNotPublished(t *testing.T) {
	assert.Empty(t, For(Store, "threadpool", "read"))
	assert.Empty(t, For(Store, "hsha", "scan"))
	assert.Empty(t, ServerOf("threadedselector"))
}

func TestLaysNothingBesideAnotherStore(t *testing.T) {
	assert.Empty(t, For("stub", "disruptor", "read"))
}
