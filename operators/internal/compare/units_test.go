package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func TestAMetricIsToldInAStoresOwnUnits(t *testing.T) {
	in := textfmt.UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}}})
	rows := []*results.Row{{OpRate: results.Some(10.52), P95: results.Some(1234567 * time.Nanosecond)}}
	told := map[string][]string{}
	for _, metric := range Metrics() {
		own := metric.In(in)
		told[metric.Name] = []string{metric.Text(&archive.Run{}, rows), metric.Unit(), own.Text(&archive.Run{}, rows), own.Unit(), own.Title}
	}
	assert.Equal(t, []string{"10.5", "1/s", "10.5", "1/s", "packets"}, told["op_rate"])
	assert.Equal(t, []string{"1.235", "ms", "1234.6", "µs", "95th"}, told["latency_p95_ms"])
	assert.InDelta(t, 500, Metrics()[1].In(in).Shown(0.5), 0)
}
