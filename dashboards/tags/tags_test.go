package tags

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAPageIsForEveryStoreUnlessItNamesSome(t *testing.T) {
	assert.True(t, For(Of(), "a"))
	assert.True(t, For(nil, "a"), "somebody else's page")
	assert.True(t, For(Of("a", "b"), "b"))
	assert.False(t, For(Of("a", "b"), "c"))
	assert.False(t, For(Of("a"), ""))
	assert.False(t, For(append(Of(), History), "a"), "it shows many runs")
	assert.Equal(t, []string{Ringside}, Of())
	assert.Equal(t, []string{"a", "b"}, Stores(Of("a", "b")))
}
