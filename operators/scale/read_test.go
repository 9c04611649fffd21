package scale

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
)

func TestCallsAreCountedByWhatTheyDoInTheirTime(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit.log")
	const operator, other = `"user":{"username":"ringside-operator"}`, `"user":{"username":"admin"}`
	require.NoError(t, os.WriteFile(log, []byte(`{"verb":"list",`+operator+`,"objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-11-21T00:00:00.999999Z"}
{"verb":"list",`+operator+`,"objectRef":{"resource":"pods"},"requestReceivedTimestamp":"2026-11-21T00:00:01.000000Z"}
{"verb":"patch",`+operator+`,"objectRef":{"resource":"measurements","subresource":"status"},"requestReceivedTimestamp":"2026-11-21T00:00:02.000000Z"}
{"verb":"patch",`+operator+`,"objectRef":{"resource":"measurements","subresource":"status"},"requestReceivedTimestamp":"2026-11-21T00:00:02.500000Z"}
{"verb":"patch",`+other+`,"objectRef":{"resource":"measurementparts","name":"p"},"requestReceivedTimestamp":"2026-11-21T00:00:02.500000Z"}
{"verb":"update",`+operator+`,"objectRef":{"resource":"leases"},"requestReceivedTimestamp":"2026-11-21T00:00:02.500000Z"}
{"verb":"list",`+operator+`,"objectRef":{"resource":"nodes"},"requestReceivedTimestamp":"2026-11-21T00:00:03.000000Z"}
`), 0o600))
	began := time.Date(2026, 11, 21, 0, 0, 1, 0, time.UTC)
	events, err := readAudit(log, began, began.Add(2*time.Second))
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"list pods": 1, "patch measurements/status": 2}, countCalls(events))
}

func TestTheTimeOfAMeasurementIsDividedByItsRequests(t *testing.T) {
	at := func(millis int) time.Time { return time.UnixMilli(int64(1_700_000_000_000 + millis)) }
	request := func(millis int, verb, resource, name string) auditEvent {
		e := auditEvent{Verb: verb, RequestReceivedTimestamp: at(millis - 5), StageTimestamp: at(millis)}
		e.ObjectRef.Resource, e.ObjectRef.Subresource, _ = strings.Cut(resource, "/")
		e.ObjectRef.Name = name
		return e
	}
	// measurement returns the requests of a measurement of two load pods, each of whose stages takes the given time.
	measurement := func(from, stage int) []auditEvent {
		return []auditEvent{
			request(from, "create", "measurements", "m"),
			request(from+1, "patch", "measurements/status", "m"),
			request(from+stage, "create", "jobs", "m-a1"),
			request(from+stage+1, "deletecollection", "measurementparts", ""),
			request(from+stage+2, "patch", "measurementparts", "p0"),
			request(from+2*stage, "patch", "measurementparts", "p1"),
			request(from+3*stage, "patch", "measurements/status", "m"),
			request(from+3*stage+1, "patch", "measurementparts", "p1"),
			request(from+4*stage, "patch", "measurementparts", "p0"),
			request(from+5*stage, "patch", "measurements/status", "m"),
		}
	}
	each := 100 * time.Millisecond
	want := division{Job: each, Ready: each, Announced: each, Delivered: each, Collected: each, Next: each, Deletion: 5 * time.Millisecond}
	for name, test := range map[string]struct {
		events []auditEvent
		want   division
	}{
		"nothing":                          {},
		"one measurement without a next":   {measurement(0, 100), division{Deletion: 5 * time.Millisecond}},
		"one measurement and the next":     {append(measurement(0, 100), request(600, "create", "measurements", "n")), want},
		"the median of three":              {slices.Concat(measurement(0, 10), measurement(60, 100), measurement(660, 500), measurement(3660, 100)), want},
		"without the first, which is half": {slices.Concat(measurement(0, 7)[4:], measurement(60, 100), measurement(660, 100)[:1]), want},
		"in another order":                 {append([]auditEvent{request(600, "create", "measurements", "n")}, measurement(0, 100)...), want},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, divide(test.events))
		})
	}
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
