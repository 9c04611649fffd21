package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/results"
)

func withP95(rows []results.Row, p95 time.Duration) []results.Row {
	for i := range rows {
		rows[i].P95 = results.Some(p95 + time.Duration(i)*time.Microsecond)
	}
	return rows
}

// The 95th percentiles of closed loops at 14,530 and 31,295 operations per second belong to different loads.
func TestLatenciesOfClosedLoopsAtUnlikeRatesSaySo(t *testing.T) {
	for name, test := range map[string]struct {
		rates  []float64
		edit   func(r *results.Row)
		noted  bool
		metric string
	}{
		"unlike rates":         {rates: []float64{31295, 31300, 31310, 31200}, noted: true, metric: "latency_p95_ms"},
		"the rates themselves": {rates: []float64{31295, 31300, 31310, 31200}, metric: "op_rate"},
		"rates that are alike": {rates: []float64{15000, 14900, 15100, 15050}, metric: "latency_p95_ms"},
		"at a constant rate":   {rates: []float64{31295, 31300, 31310, 31200}, metric: "latency_p95_ms", edit: func(r *results.Row) { r.TargetRate, r.LatencyKind = 40000, "response" }},
	} {
		t.Run(name, func(t *testing.T) {
			run := runOf(withP95(rates("hsha", "hsha", 14530, 14500, 14560, 14540), 2*time.Millisecond), withP95(rates("x", "x", test.rates...), time.Millisecond))
			for i := range run.Rows {
				if test.edit != nil {
					test.edit(&run.Rows[i])
				}
			}
			result, err := Within(run, to("hsha"))
			require.NoError(t, err)
			var shown []Comparison
			for _, c := range result.Comparisons {
				if c.Metric.Name == test.metric {
					shown = append(shown, c)
				}
			}
			require.Len(t, shown, 1)
			said := strings.Join(Caveats(shown), "\n")
			assert.Equal(t, test.noted, strings.Contains(said, "x, read: latencies are at 31276.2 ops/s, and those of hsha at 14532.5 ops/s: a closed loop offers each server another load"), said)
		})
	}
}

func TestCaveatsCountWhatIsShown(t *testing.T) {
	result, err := Within(runOf(withP95(rates("hsha", "hsha", 14530, 14500, 14560, 14540), 2*time.Millisecond), withP95(rates("x", "x", 14530, 14510, 14530, 14500), time.Millisecond)), to("hsha"))
	require.NoError(t, err)
	require.Len(t, result.Comparisons, 2)
	rate, p95 := result.Comparisons[:1], result.Comparisons[1:]
	assert.Equal(t, []string{"verdicts use one primary metric per load, corrected for its servers (up to 1): about 1 in 20 loads has a false verdict or interval"}, Caveats(rate))
	assert.Equal(t, []string{"1 comparison is descriptive, with an uncorrected 95% interval: it shows a difference by chance in 1 of 20 runs if the servers are equal"}, Caveats(p95))
	assert.Equal(t, "2 comparisons are descriptive, with uncorrected 95% intervals: about 0.1 would show a difference by chance if all servers were equal", Caveats(append(p95, p95...))[0])
	assert.Empty(t, Caveats(nil))
}
