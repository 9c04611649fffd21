package validation

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a search is refused for here is what the load would make of it.
func TestAQueuesTrendTakesAsManyOperationsAsTheLoadWaitsFor(t *testing.T) {
	number := func(file, before string) int {
		source, err := os.ReadFile("../../../images/load-kit/src/main/java/dev/ringside/load/" + file)
		require.NoError(t, err)
		found := regexp.MustCompile(before + ` = (\d+)`).FindSubmatch(source)
		require.NotNil(t, found, "%s in %s", before, file)
		n, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, leastOfQueue, number("QueueObjective.java", "OPERATIONS")*number("QueueTrend.java", "PIECES"))
}
