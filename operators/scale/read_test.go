package scale

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
)

func TestCallsAreCountedByWhatTheyDoInTheirTime(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit.log")
	require.NoError(t, os.WriteFile(log, []byte(`{"verb":"list","objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-11-21T00:00:00.999999Z"}
{"verb":"list","objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-11-21T00:00:01.000000Z"}
{"verb":"patch","objectRef":{"resource":"measurements","subresource":"status"},"requestReceivedTimestamp":"2026-11-21T00:00:02.000000Z"}
{"verb":"patch","objectRef":{"resource":"measurements","subresource":"status"},"requestReceivedTimestamp":"2026-11-21T00:00:02.500000Z"}
{"verb":"update","objectRef":{"resource":"leases"},"requestReceivedTimestamp":"2026-11-21T00:00:02.500000Z"}
{"verb":"list","objectRef":{"resource":"nodes"},"requestReceivedTimestamp":"2026-11-21T00:00:03.000000Z"}
`), 0o600))
	began := time.Date(2026, 11, 21, 0, 0, 1, 0, time.UTC)
	calls, err := countCalls(log, began, began.Add(2*time.Second))
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"list pods": 1, "patch measurements/status": 2}, calls)
}

func TestQuantilesAreOfTheReconcilesBetweenTwoScrapes(t *testing.T) {
	// Buckets of schema 0 end at powers of two.
	before := scrape{latency: map[int32]float64{-4: 100}}
	after := scrape{latency: map[int32]float64{-4: 102, -3: 7, 0: 1}}
	assert.Equal(t, 125*time.Millisecond, quantile(before, after, 0.5))
	assert.Equal(t, time.Second, quantile(before, after, 0.99))
	assert.Zero(t, quantile(after, after, 0.5))
}

func TestANativeHistogramIsReadByItsSpans(t *testing.T) {
	s := scrape{latency: map[int32]float64{}}
	s.take(&dto.MetricFamily{Name: ptr.To("controller_runtime_reconcile_time_seconds"), Metric: []*dto.Metric{{Histogram: &dto.Histogram{Schema: ptr.To[int32](3),
		PositiveSpan:  []*dto.BucketSpan{{Offset: ptr.To[int32](-8), Length: ptr.To[uint32](2)}, {Offset: ptr.To[int32](3), Length: ptr.To[uint32](1)}},
		PositiveDelta: []int64{5, -2, 1}}}}})
	assert.Equal(t, map[int32]float64{-8: 5, -7: 3, -3: 4}, s.latency)
	assert.EqualValues(t, 3, s.schema)
}

func TestTheTableHasAColumnForEachSize(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, WriteTable(&text, []*Figures{
		{Size: Sizes()[0], Resident: 60 << 20, CPU: 12345 * time.Microsecond, Calls: map[string]float64{"list pods": 1}},
		{Size: Sizes()[2], Resident: 70 << 20, CPU: 2345 * time.Millisecond, Calls: map[string]float64{"list pods": 2, "get jobs": 0.5}},
	}))
	for _, line := range []string{"| nodes | 10 | 1000 |\n|---|---|---|\n", "| load pods | 1 | 64 |\n", "| measurements of the run | 40 | 2000 |\n", "| operator: memory | 60 MiB | 70 MiB |\n",
		"| operator: CPU per measurement | 12.3ms | 2.35s |\n", "| calls per measurement | 1.0 | 2.5 |\n", "| calls: get jobs | 0.0 | 0.5 |\n"} {
		assert.Contains(t, text.String(), line)
	}
}
