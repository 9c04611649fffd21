package meter

import (
	"cmp"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/textfmt"
	"ringside.dev/ringside/operators/metrics"
)

// Collector holds the metrics of a load pod. It is updated with each interval and read at each scrape.
type Collector struct {
	desc    descriptions
	created time.Time

	mu          sync.Mutex
	share       orders.Share
	active      bool
	operations  int64
	errors      map[v1beta1.ErrorKind]int64
	first, last time.Time
	// turns is the sum of the server's windows in an interleaved load, lastTurn the start of the latest.
	turns     time.Duration
	lastTurn  time.Time
	latency   map[v1beta1.LatencyKind]*nativeHistogram
	window    window
	cpuRatio  float64
	throttled time.Duration
}

type descriptions struct {
	operations, errors, latency, interval, activeSeconds, targetRate, threads, info, active, cpu, throttled *prometheus.Desc
}

// NewCollector returns the collector for the pods of a measurement, which all have the same labels. The tag distinguishes a duet's baseline
// next to one server from that next to another.
func NewCollector(m *v1beta1.Measurement, attempt int32, share orders.Share, tag string) *Collector {
	s := m.Spec
	server := cmp.Or(tag, s.Server)
	labels := prometheus.Labels{}
	for i, value := range []string{s.Experiment, s.Run, s.Store, server, s.Operation, s.Phase, textfmt.Int(s.Round), textfmt.Int(s.Repeat)} {
		labels[metrics.CellLabels()[i]] = value
	}
	describe := func(name, help string, variable ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, variable, labels)
	}
	infoLabels := prometheus.Labels{
		metrics.LabelServerType: s.ServerType, metrics.LabelConsistency: s.Consistency,
		metrics.LabelMeasurement: m.Name, metrics.LabelAttempt: textfmt.Int(attempt),
	}
	for name, value := range labels {
		infoLabels[name] = value
	}
	return &Collector{
		created: time.Now(),
		share:   share,
		latency: map[v1beta1.LatencyKind]*nativeHistogram{},
		window:  window{length: metrics.LoadWindowSeconds * time.Second, turns: s.Interleave != nil || s.Capacity != nil},
		desc: descriptions{
			operations:    describe(metrics.LoadOperations, "Answered operations."),
			errors:        describe(metrics.LoadErrors, "Failed operations by kind; reported when the load tool ends.", metrics.LabelKind),
			latency:       describe(metrics.LoadLatency, "Latency by kind: service (send to reply), response (schedule to reply), wait (schedule to send).", metrics.LabelKind),
			interval:      describe(metrics.LoadIntervalLatency, "Latency at a quantile over the last seconds, by kind.", metrics.LabelKind, metrics.LabelQuantile),
			activeSeconds: describe(metrics.LoadActiveSeconds, "Time from the start of the first interval to the end of the last; in an interleaved phase, the sum of the server's windows."),
			targetRate:    describe(metrics.LoadTargetRate, "Constant rate of this pod in operations per second; 0 for a closed loop."),
			threads:       describe(metrics.LoadThreads, "Threads of this pod's load."),
			info:          prometheus.NewDesc(metrics.LoadPhaseInfo, "Further properties of the phase as labels; always 1.", nil, infoLabels),
			active:        describe(metrics.LoadPhaseActive, "1 while the load runs."),
			cpu:           describe(metrics.LoadCPUUsedRatio, "Share of the CPU available to the container that it used in the last seconds."),
			throttled:     describe(metrics.LoadThrottledSeconds, "Time in which the CPU limit throttled the container while it drove load."),
		},
	}
}

// Add adds an interval of the log.
func (c *Collector) Add(iv measure.Interval) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first.IsZero() {
		c.first = iv.Start
	}
	c.last = iv.End
	if !iv.Start.Equal(c.lastTurn) {
		c.turns += iv.End.Sub(iv.Start)
		c.lastTurn = iv.Start
	}
	if iv.Tag.Kind == v1beta1.LatencyService {
		c.operations += iv.Histogram.TotalCount()
	}
	if iv.Tag.Kind == measure.Failed { // counted when the tool ends
		return
	}
	h, ok := c.latency[iv.Tag.Kind]
	if !ok {
		h = &nativeHistogram{}
		c.latency[iv.Tag.Kind] = h
	}
	h.add(iv.Histogram)
	c.window.add(iv)
}

// SetActive sets whether the load runs.
func (c *Collector) SetActive(active bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.active = active
}

// SetErrors sets the errors that the tool counted.
func (c *Collector) SetErrors(counts []v1beta1.ErrorCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errors = map[v1beta1.ErrorKind]int64{}
	for _, count := range counts {
		c.errors[count.Kind] = count.Count
	}
}

// SetCPU sets the CPU use of the last seconds, and the throttled time since the load began.
func (c *Collector) SetCPU(ratio float64, throttled time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cpuRatio, c.throttled = ratio, throttled
}

// Latest returns the latest op rate and 95th percentile, of response times if there are any, for progress. ok is false before there is one.
func (c *Collector) Latest() (opRate float64, p95 int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return latestOf(&c.window)
}

func latestOf(w *window) (opRate float64, p95 int64, ok bool) {
	h, covered, err := w.latest(v1beta1.LatencyService)
	if err != nil || h.TotalCount() == 0 || covered <= 0 {
		return 0, 0, false
	}
	opRate, p95 = float64(h.TotalCount())/covered.Seconds(), measure.ValueAt(h, 95)
	if r, _, err := w.latest(v1beta1.LatencyResponse); err == nil && r.TotalCount() > 0 {
		p95 = measure.ValueAt(r, 95)
	}
	return opRate, p95, true
}

// Operations returns the number of operations so far.
func (c *Collector) Operations() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.operations
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	d := c.desc
	for _, desc := range []*prometheus.Desc{d.operations, d.errors, d.latency, d.interval, d.activeSeconds, d.targetRate, d.threads, d.info, d.active, d.cpu, d.throttled} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.desc
	gauge := func(desc *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, labels...)
	}
	counter := func(desc *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetricWithCreatedTimestamp(desc, prometheus.CounterValue, v, c.created, labels...)
	}
	counter(d.operations, float64(c.operations))
	for _, kind := range v1beta1.ErrorKinds() { // also kinds with 0: a series that starts above 0 shows no increase
		counter(d.errors, float64(c.errors[kind]), string(kind))
	}
	counter(d.throttled, c.throttled.Seconds())
	active := c.last.Sub(c.first)
	if c.window.turns {
		active = c.turns
	}
	gauge(d.activeSeconds, active.Seconds())
	gauge(d.targetRate, float64(c.share.TargetRate))
	gauge(d.threads, float64(c.share.Threads))
	gauge(d.info, 1)
	gauge(d.cpu, c.cpuRatio)
	running := 0.0
	if c.active {
		running = 1
	}
	gauge(d.active, running)
	for kind, h := range c.latency {
		buckets := make(map[int]int64, len(h.buckets))
		for k, n := range h.buckets {
			buckets[k] = n
		}
		m, err := prometheus.NewConstNativeHistogram(d.latency, h.count, h.sum, buckets, nil, h.zero, nativeSchema, nativeZeroThreshold, c.created, string(kind))
		if err != nil {
			m = prometheus.NewInvalidMetric(d.latency, err)
		}
		out <- m
		latest, _, err := c.window.latest(kind)
		if err != nil || latest.TotalCount() == 0 {
			continue
		}
		for _, q := range metrics.Quantiles() {
			gauge(d.interval, float64(measure.ValueAt(latest, q.Percentile))/1e9, string(kind), q.Label)
		}
	}
}
