package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Summarize computes a measurement's figures from the logs of its load pods: it merges the histograms, then reads the figures. It returns
// an error if a log is empty, contradicts its pod's counts, or cannot be merged exactly.
func Summarize(pods []PodLog) (v1beta1.Result, error) {
	var total PodLog
	for i, p := range pods {
		if p.Log == nil || len(p.Log.Intervals) == 0 {
			return v1beta1.Result{}, fmt.Errorf("load pod %d: the log has no operation", i)
		}
		answered, err := p.answered()
		if err != nil {
			return v1beta1.Result{}, fmt.Errorf("load pod %d: %w", i, err)
		}
		total.Operations += answered
		total.Errors += p.Errors
		total.ErrorsByKind = v1beta1.AddErrors(total.ErrorsByKind, p.ErrorsByKind)
		total.Unanswered += p.Unanswered
		total.NotBegun += p.NotBegun
		total.Outcomes = v1beta1.AddOutcomes(total.Outcomes, p.Outcomes)
		if p.Keys > 0 {
			total.Keys += p.Keys
		} else {
			total.Keys += answered
		}
	}
	if len(pods) == 0 {
		return v1beta1.Result{}, errNoPod
	}
	io := storeIO(pods)
	if pods[0].Capacity != nil {
		result, err := summarizeSearch(pods)
		result.StoreIO = io
		return result, err
	}
	if io != nil {
		io.WrittenPerOp = writtenPerOperation(io, total.Operations)
	}
	merged, err := MergePods(pods)
	if err != nil {
		return v1beta1.Result{}, err
	}
	total.Log = merged
	logs := shifted(pods)
	common, err := commonOf(merged, logs)
	if err != nil {
		return v1beta1.Result{}, err
	}
	result, err := figures(total, common)
	if err != nil {
		return v1beta1.Result{}, err
	}
	result.StartSkewMillis = startSkew(logs).Milliseconds()
	result.Recovery = pods[0].Recovery
	result.StoreIO = io
	return result, nil
}

// figures returns the figures of the log. Op rates and latencies are those of the common part, if there is one. If operations were due and
// did not begin, their latencies are unknown but would be among the longest, so no latency is reported.
func figures(p PodLog, common *Log) (v1beta1.Result, error) {
	if p.Log.OperationCount() == 0 {
		return v1beta1.Result{}, errors.New("the log has no operation, only empty intervals")
	}
	l, timed := p.Log, p.Log
	if common != nil {
		l, timed = common, timedPart(p.Log, common)
	}
	middle, err := Middle(l)
	if err != nil {
		return v1beta1.Result{}, err
	}
	whole, mid := l.Length(), middle.Length()
	// A log does not show in which interval an operation failed. Failures are assumed to be distributed like answers.
	all := float64(p.Log.OperationCount())
	part, share := float64(l.OperationCount())/all, float64(middle.OperationCount())/all
	r := v1beta1.Result{
		Operations:       p.Operations,
		Errors:           p.Errors,
		ErrorsByKind:     p.ErrorsByKind,
		Unanswered:       p.Unanswered,
		NotBegun:         p.NotBegun,
		Outcomes:         p.Outcomes,
		OpRate:           Rate(part * perSecond(p.Operations, whole)),
		KeyRate:          Rate(part * perSecond(p.Keys, whole)),
		OpRateMid80:      Rate(share * perSecond(p.Operations, mid)),
		KeyRateMid80:     Rate(share * perSecond(p.Keys, mid)),
		OperationSeconds: Seconds(whole),
		Latencies:        []v1beta1.Latency{}, // the schema requires a list
		StartedAt:        metav1.NewMicroTime(p.Log.Start),
		FinishedAt:       metav1.NewMicroTime(p.Log.End),
	}
	if common != nil {
		r.Common = &v1beta1.CommonWindow{
			StartedAt: metav1.NewMicroTime(common.Start), FinishedAt: metav1.NewMicroTime(common.End), Operations: int64(math.Round(part * float64(p.Operations))),
		}
	}
	// The row's kind comes first: the printer columns read the first entry.
	kinds := l.Kinds()
	r.LatencyKind = kinds[0]
	if slices.Contains(kinds, v1beta1.LatencyResponse) {
		r.LatencyKind = v1beta1.LatencyResponse
		kinds = slices.DeleteFunc(kinds, func(k v1beta1.LatencyKind) bool { return k == v1beta1.LatencyResponse })
		kinds = slices.Insert(kinds, 0, v1beta1.LatencyResponse)
	}
	counted := l.OperationCount()
	r.StoreCPU = storeCPU(l)
	for _, kind := range kinds {
		if n := l.Count(kind); n != counted {
			return v1beta1.Result{}, fmt.Errorf("the log has %d operations but %d %s times", counted, n, kind)
		}
		if p.NotBegun > 0 {
			continue
		}
		latency, err := latencyOf(timed, middle, r.LatencyKind, kind)
		if err != nil {
			return v1beta1.Result{}, err
		}
		r.Latencies = append(r.Latencies, latency)
	}
	if p.NotBegun == 0 {
		if r.ByOperation, err = byOperation(l, timed, r.LatencyKind); err != nil {
			return v1beta1.Result{}, err
		}
	}
	if r.Intervals, err = intervalCounts(p.Log); err != nil {
		return v1beta1.Result{}, err
	}
	return r, nil
}

// latencyOf returns the latencies of a kind. Failed operations count among those of the main kind, which the measurement reports.
func latencyOf(l, middle *Log, main, kind v1beta1.LatencyKind) (v1beta1.Latency, error) {
	kinds := []v1beta1.LatencyKind{kind}
	if kind == main {
		kinds = append(kinds, Failed)
	}
	all, err := l.Total(kinds...)
	if err != nil {
		return v1beta1.Latency{}, err
	}
	mid, err := middle.Total(kinds...)
	if err != nil {
		return v1beta1.Latency{}, err
	}
	encoded, err := EncodeHistogram(all)
	if err != nil {
		return v1beta1.Latency{}, err
	}
	at := func(h *hdrhistogram.PackedHistogram, percentile float64) v1beta1.Decimal {
		return Millis(ValueAt(h, percentile))
	}
	// supported leaves out a percentile with too few values.
	supported := func(percentile float64) v1beta1.Decimal {
		if !Supported(all.TotalCount(), percentile) {
			return ""
		}
		return at(all, percentile)
	}
	return v1beta1.Latency{
		MeanMillis:      Millis(int64(math.Round(all.Mean()))),
		StdDevMillis:    Millis(int64(math.Round(all.StdDev()))),
		P75Millis:       supported(75),
		P90Millis:       supported(90),
		P9999Millis:     supported(99.99),
		P99999Millis:    supported(99.999),
		Kind:            kind,
		MedianMillis:    at(all, 50),
		P95Millis:       at(all, 95),
		P99Millis:       at(all, 99),
		P999Millis:      at(all, 99.9),
		MaxMillis:       at(all, 100),
		MedianMid80:     at(mid, 50),
		P95Mid80Millis:  at(mid, 95),
		P999Mid80Millis: at(mid, 99.9),
		Histogram:       encoded,
	}, nil
}

func intervalCounts(l *Log) (*v1beta1.Intervals, error) {
	short, err := Coalesce(l, MaxIntervals)
	if err != nil {
		return nil, err
	}
	cells, err := Cells(short, short.countedKind())
	if err != nil {
		return nil, err
	}
	counts := &v1beta1.Intervals{LengthMillis: stepOf(short).Milliseconds(), Operations: make([]int64, len(cells))}
	for i, c := range cells {
		if c.Histogram != nil {
			counts.Operations[i] = c.Histogram.TotalCount()
		}
		if l.Windowed {
			counts.WindowMicros = append(counts.WindowMicros, c.End.Sub(c.Start).Microseconds())
		}
	}
	if l.Windowed {
		counts.StoreCounters = countersOf(l.Counters, cells)
	}
	return counts, nil
}

// startSkew returns the time between the first and the last start of a pod's log.
func startSkew(logs []*Log) time.Duration {
	first, last := logs[0].Start, logs[0].Start
	for _, l := range logs[1:] {
		first, last = earliest(first, l.Start), latest(last, l.Start)
	}
	return last.Sub(first)
}
