package scale

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// scrape is a scrape of the operator's metrics, and its duration.
type scrape struct {
	took    time.Duration
	bytes   int64
	heap    float64
	latency map[int32]float64 // number of reconciles by bucket of the native histogram
	schema  int32
}

// scrapeOperator scrapes like a Prometheus with native histograms.
func scrapeOperator(ctx context.Context, address string) (scrape, error) {
	out := scrape{latency: map[int32]float64{}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return out, fmt.Errorf("scrape the operator: %w", err)
	}
	request.Header.Set("Accept", string(expfmt.NewFormat(expfmt.TypeProtoDelim)))
	before := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return out, fmt.Errorf("scrape the operator: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	counted := &counter{Reader: response.Body}
	decoder := expfmt.NewDecoder(counted, expfmt.ResponseFormat(response.Header))
	for {
		var family dto.MetricFamily
		err := decoder.Decode(&family)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, fmt.Errorf("scrape the operator: %w", err)
		}
		out.take(&family)
	}
	out.took, out.bytes = time.Since(before), counted.n
	return out, nil
}

type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (s *scrape) take(family *dto.MetricFamily) {
	for _, metric := range family.Metric {
		switch family.GetName() {
		case "go_memstats_heap_alloc_bytes":
			s.heap = metric.GetGauge().GetValue()
		case "controller_runtime_reconcile_time_seconds":
			s.schema = metric.GetHistogram().GetSchema()
			at, count := int32(0), int64(0)
			deltas := metric.GetHistogram().GetPositiveDelta()
			for _, span := range metric.GetHistogram().GetPositiveSpan() {
				at += span.GetOffset()
				for range span.GetLength() {
					count += deltas[0]
					deltas = deltas[1:]
					s.latency[at] += float64(count)
					at++
				}
			}
		}
	}
}

// quantile returns a quantile of the reconciles between two scrapes: the upper bound of its bucket, which is within a
// tenth of the value. If the buckets were merged in between, those of the later scrape are used.
func quantile(before, after scrape, q float64) time.Duration {
	counts := map[int32]float64{}
	all := 0.0
	for bucket, n := range after.latency {
		if before.schema == after.schema {
			n -= before.latency[bucket]
		}
		if n > 0 {
			counts[bucket], all = n, all+n
		}
	}
	buckets := make([]int32, 0, len(counts))
	for bucket := range counts {
		buckets = append(buckets, bucket)
	}
	slices.Sort(buckets)
	seen := 0.0
	for _, bucket := range buckets {
		if seen += counts[bucket]; seen >= q*all {
			return time.Duration(math.Exp2(float64(bucket)*math.Exp2(-float64(after.schema))) * float64(time.Second))
		}
	}
	return 0
}
