package history

import (
	"maps"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/metrics"
)

// Absolute returns the history of the figures themselves, of the servers and their baseline. Changes are not looked for.
func (h *History) Absolute(nights *Nights, servers []string) (*History, error) {
	if len(servers) > 0 && h.Baseline != "" {
		servers = append([]string{h.Baseline}, servers...)
	}
	b, err := build(nights, Options{Servers: servers, Absolute: true})
	if err != nil {
		return nil, err
	}
	return b.history, nil
}

// Samples returns the runs, figures and judged changes of the history as series of Prometheus, and the figures of another one. The time of a
// sample is when its run began.
func (h *History) Samples(others *History) []MetricSeries {
	e := exporter{at: map[string]int{}}
	for _, run := range h.Runs {
		e.add(metrics.HistoryRun, run.At, seconds(run.At), map[string]string{metrics.LabelExperiment: h.Experiment})
	}
	e.figures(h)
	if others != nil {
		e.figures(others)
	}
	e.changes(h)
	return e.series
}

type exporter struct {
	series []MetricSeries
	// at has the index of each series.
	at map[string]int
}

func (e *exporter) add(metric string, at time.Time, value float64, labels map[string]string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	key := metric
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		key += "\x00" + name + "\x00" + labels[name]
	}
	i, known := e.at[key]
	if !known {
		i = len(e.series)
		e.at[key] = i
		e.series = append(e.series, MetricSeries{Metric: metric, Labels: labels})
	}
	s := &e.series[i]
	if n := len(s.Samples); n > 0 && !at.After(s.Samples[n-1].At) {
		return // two runs began at the same time: Prometheus has one sample of a time
	}
	s.Samples = append(s.Samples, Sample{At: at, Value: value})
}

func (e *exporter) figures(h *History) {
	for i := range h.Series {
		s := &h.Series[i]
		labels := h.labels(s)
		kind := with(labels, metrics.LabelKind, kindOf(s))
		for _, p := range s.Points {
			at := h.Runs[p.Run].At
			if h.Baseline == "" {
				e.add(metrics.HistoryFigure, at, p.Value, labels)
				continue
			}
			e.add(metrics.HistoryComparison, at, p.Value, kind)
			e.add(metrics.HistoryComparisonLow, at, p.Low, kind)
			e.add(metrics.HistoryComparisonHigh, at, p.High, kind)
		}
	}
}

func (e *exporter) changes(h *History) {
	latest := h.Runs[len(h.Runs)-1].At
	for i := range h.Series {
		s := &h.Series[i]
		labels := h.labels(s)
		e.add(metrics.HistoryJudged, latest, oneIf(s.Judged), labels)
		if !s.Judged {
			continue
		}
		for j := range s.Changes {
			c := &s.Changes[j]
			change := with(with(labels, metrics.LabelRun, h.Runs[c.After].ID), metrics.LabelIs, s.Word(c))
			e.add(metrics.HistoryChange, latest, c.Ratio, with(change, metrics.LabelKind, kindOf(s)))
			e.add(metrics.HistoryChangeTime, latest, seconds(h.Runs[c.After].At), change)
			e.add(metrics.HistoryChangeSeen, latest, seconds(latest), change)
		}
	}
}

// labels returns the labels of a series.
func (h *History) labels(s *Series) map[string]string {
	first := s.Points[0].Run
	if len(s.Missing) > 0 {
		first = min(first, s.Missing[0])
	}
	labels := map[string]string{metrics.LabelExperiment: h.Experiment, metrics.LabelServer: s.Server, metrics.LabelLoad: s.Load,
		metrics.LabelMetric: s.Metric.Name, metrics.LabelFirstRun: h.Runs[first].ID}
	if h.Baseline != "" {
		labels[metrics.LabelBaseline] = h.Baseline
	}
	return labels
}

func with(labels map[string]string, name, value string) map[string]string {
	labels = maps.Clone(labels)
	labels[name] = value
	return labels
}

func kindOf(s *Series) string {
	if s.Metric.Difference {
		return metrics.KindDifference
	}
	return metrics.KindRatio
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }
