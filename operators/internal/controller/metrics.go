package controller

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/textfmt"
	"ringside.dev/ringside/operators/metrics"
)

// states lists the states of an experiment: the reasons of its Progressing condition.
var states = []string{
	v1beta1.ReasonAccepted, v1beta1.ReasonQueued, v1beta1.ReasonSuspended, v1beta1.ReasonInstallingStore,
	v1beta1.ReasonAwaitingStore, v1beta1.ReasonMeasuring, v1beta1.ReasonRemovingStore, v1beta1.ReasonFinished,
	v1beta1.ReasonFailed, v1beta1.ReasonRefused,
}

// scrapeTimeout bounds reading the cache for a scrape.
const scrapeTimeout = 5 * time.Second

// Metrics exports the experiments to Prometheus. It reads them from the cache at each scrape.
type Metrics struct {
	reader client.Reader
	clock  clock.PassiveClock

	state, accepted, finished, measurements, progress, baseline, fault *prometheus.Desc
}

// NewMetrics returns metrics that read experiments, measurements and their parts from the given reader.
func NewMetrics(reader client.Reader, clock clock.PassiveClock) *Metrics {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{metrics.LabelExperiment, metrics.LabelRun}, labels...), nil)
	}
	return &Metrics{
		reader:       reader,
		clock:        clock,
		state:        describe(metrics.ExperimentState, "1 for the state that the experiment is in.", metrics.LabelState),
		accepted:     describe(metrics.ExperimentAccepted, "When the run was accepted, as a Unix timestamp."),
		finished:     describe(metrics.ExperimentFinished, "When the run ended, as a Unix timestamp."),
		measurements: describe(metrics.ExperimentMeasurements, "Measurements of the run by outcome.", metrics.LabelOutcome),
		progress:     describe(metrics.ExperimentLastProgress, "Time of the run's last progress, as a Unix timestamp."),
		baseline:     describe(metrics.ExperimentBaseline, "1 for the server that ratios are taken against.", metrics.LabelServer),
		fault: prometheus.NewDesc(metrics.ExperimentFault, "When a node of the store was hit under a measurement, and when it was ready again.",
			append(metrics.CellLabels(), metrics.LabelMeasurement, metrics.LabelIndex, metrics.LabelFault, metrics.LabelNode, metrics.LabelEvent), nil),
	}
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{m.state, m.accepted, m.finished, m.measurements, m.progress, m.baseline, m.fault} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	var experiments v1beta1.ExperimentList
	if err := m.reader.List(ctx, &experiments); err != nil {
		out <- prometheus.NewInvalidMetric(m.state, err)
		return
	}
	var measurements v1beta1.MeasurementList
	// The objects are only read and need no copies.
	if err := m.reader.List(ctx, &measurements, client.UnsafeDisableDeepCopy); err != nil {
		out <- prometheus.NewInvalidMetric(m.state, err)
		return
	}
	var parts v1beta1.MeasurementPartList
	if err := m.reader.List(ctx, &parts, client.UnsafeDisableDeepCopy); err != nil {
		out <- prometheus.NewInvalidMetric(m.state, err)
		return
	}
	progress := progressByRun(measurements.Items, parts.Items, m.clock.Now())
	going := map[string]bool{}
	for i := range experiments.Items {
		m.collect(out, &experiments.Items[i], progress)
		going[experiments.Items[i].RunID()] = experiments.Items[i].Status.FinishedAt == nil
	}
	for i := range measurements.Items {
		if measurement := &measurements.Items[i]; going[measurement.Labels[v1beta1.LabelRun]] {
			m.collectFaults(out, measurement)
		}
	}
}

// collectFaults exports the requested faults of a measurement. It is called for runs that have not ended only:
// Prometheus has the figures of ended ones, and each scrape would grow with the history.
func (m *Metrics) collectFaults(out chan<- prometheus.Metric, measurement *v1beta1.Measurement) {
	s := &measurement.Spec
	for _, known := range measurement.Status.Faults {
		if int(known.Index) >= len(s.Faults) {
			continue
		}
		ordered := s.Faults[known.Index]
		if ordered.Kind.Timed() && known.BeganAt == nil {
			continue // requested in advance; the helper's termination message reports the instant
		}
		tell := func(at time.Time, event string) {
			out <- prometheus.MustNewConstMetric(m.fault, prometheus.GaugeValue, float64(at.UnixMicro())/1e6,
				s.Experiment, s.Run, s.Store, s.Server, s.Operation, s.Phase, textfmt.Int(s.Round), textfmt.Int(s.Repeat),
				measurement.Name, textfmt.Int(known.Index), ordered.Kind.String(), textfmt.Int(ordered.Node), event)
		}
		tell(known.Moment(), metrics.FaultHit)
		if known.ReadyAt != nil {
			tell(known.ReadyAt.Time, metrics.FaultReady)
		}
	}
}

func (m *Metrics) collect(out chan<- prometheus.Metric, experiment *v1beta1.Experiment, progress map[string]time.Time) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value,
			append([]string{experiment.DocumentName(), experiment.RunID()}, labels...)...)
	}
	present := ""
	if progressing := meta.FindStatusCondition(experiment.Status.Conditions, v1beta1.ConditionProgressing); progressing != nil {
		present = progressing.Reason
	}
	for _, state := range states {
		gauge(m.state, oneIf(state == present), state)
	}
	if accepted := meta.FindStatusCondition(experiment.Status.Conditions, v1beta1.ConditionAccepted); accepted != nil {
		gauge(m.accepted, float64(accepted.LastTransitionTime.Unix()))
	}
	if finished := experiment.Status.FinishedAt; finished != nil {
		gauge(m.finished, float64(finished.Unix()))
	}
	gauge(m.measurements, float64(experiment.Status.Planned), metrics.OutcomePlanned)
	gauge(m.measurements, float64(experiment.Status.Finished), metrics.OutcomeFinished)
	gauge(m.measurements, float64(experiment.Status.Invalid), metrics.OutcomeInvalid)
	gauge(m.progress, float64(lastProgress(experiment, progress[experiment.RunID()], m.clock.Now()).UnixMilli())/1000)
	for _, server := range experiment.Spec.Servers {
		gauge(m.baseline, oneIf(server.Name == experiment.Spec.BaselineName()), server.Name)
	}
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// lastProgress returns the latest known instant of progress of a run. measured is the latest one of its measurements. A store makes progress as long
// as it may take to answer.
func lastProgress(experiment *v1beta1.Experiment, measured, now time.Time) time.Time {
	last := later(experiment.CreationTimestamp.Time, measured)
	if store := experiment.Status.Store; store != nil {
		last = later(last, earlier(now, store.InstalledAt.Add(experiment.Spec.Store.ReadyTimeout.Duration)))
	}
	for _, condition := range experiment.Status.Conditions {
		last = later(last, condition.LastTransitionTime.Time)
	}
	return last
}

// progressByRun returns the last instant of progress in the measurements of each run. A phase makes progress as long as it was told to last, and until
// the last interval that a load pod reports, with the time that it may then wait for compactions.
func progressByRun(measurements []v1beta1.Measurement, parts []v1beta1.MeasurementPart, now time.Time) map[string]time.Time {
	last := map[string]time.Time{}
	await := map[string]time.Duration{}
	for i := range measurements {
		measurement := &measurements[i]
		run := measurement.Labels[v1beta1.LabelRun]
		for _, condition := range measurement.Status.Conditions {
			last[run] = later(last[run], condition.LastTransitionTime.Time)
		}
		if measurement.Finished() || measurement.Status.StartAt == nil {
			continue
		}
		until := measurement.Status.StartAt.Add(plan.Takes(&measurement.Spec))
		if compactions := measurement.Spec.AwaitCompactions; compactions != nil {
			await[measurement.Name] = compactions.Duration
		}
		last[run] = later(last[run], earlier(now, until.Add(await[measurement.Name])))
	}
	for i := range parts {
		if at := parts[i].Part.LastIntervalAt; at != nil {
			run := parts[i].Labels[v1beta1.LabelRun]
			last[run] = later(last[run], earlier(now, at.Add(await[parts[i].Labels[v1beta1.LabelMeasurement]])))
		}
	}
	return last
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
