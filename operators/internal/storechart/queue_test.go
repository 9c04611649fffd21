package storechart

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAChartSaysWhichCountersMakeItsQueue(t *testing.T) {
	for text, want := range map[string]string{"": "", "points_received - points": "points_received-points", "a+b-c": "a+b-c"} {
		queue, err := queueOf(map[string]string{annotationQueue: text})
		require.NoError(t, err)
		assert.Equal(t, want, queue)
	}
	for _, text := range []string{"-done", "received -", "received * 2", "Received - done", "done - done"} {
		_, err := queueOf(map[string]string{annotationQueue: text})
		assert.ErrorContains(t, err, "its annotation ringside.dev/queue is ", text)
	}
	java, err := os.ReadFile("../../../images/load-kit/src/main/java/dev/ringside/load/QueueTerms.java")
	require.NoError(t, err)
	assert.Contains(t, string(java), `ALL = Pattern.compile("`+strings.Trim(queueTerms.String(), "^$")+`")`, "loads read what charts may say")
	assert.Empty(t, open(t).Queue())
	trips, err := NewCatalogue("../../../charts").Open("trip-cache")
	require.NoError(t, err)
	assert.Equal(t, "points_received-points", trips.Queue())
}
