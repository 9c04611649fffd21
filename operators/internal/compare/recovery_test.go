package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/results"
)

func TestServersThatWereKilledAreComparedByHowLongTheyWereAway(t *testing.T) {
	killed := func(server string, away ...time.Duration) []results.Row {
		rows := rates(server, server, 100, 100, 100, 100)
		for i := range rows {
			rows[i].Recovery.First = results.Some(away[i])
		}
		return rows
	}
	second := time.Second
	run := runOf(killed("rocksdb", 4*second, 4100*time.Millisecond, 4*second, 3900*time.Millisecond), killed("lmdb", 2*second, 2*second, 2100*time.Millisecond, 1900*time.Millisecond))
	result, err := Within(run, to("rocksdb"))
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		assert.Equal(t, c.Metric.Name == results.RecoveryTime, c.Primary, c.Metric.Name)
		if c.Primary {
			assert.InDelta(t, 0.5, c.Ratio, 0.05)
			assert.Equal(t, "faster", string(c.Verdict))
		}
	}
	mean, err := Figure(run, []*results.Row{&run.Rows[0], &run.Rows[1]}, metric(t, results.RecoveryTime))
	require.NoError(t, err)
	assert.InDelta(t, 4.05, mean, 1e-9)
}
