package reference

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// operatorMetrics asks the operator's collector for the metrics of a run with a fault, which has all of them.
func operatorMetrics() ([]metric, error) {
	return gathered(controller.NewMetrics(oneRun{}, clock.RealClock{}))
}

// loadMetrics asks meter's collector for the metrics of a load that has answered an operation.
func loadMetrics() ([]metric, error) {
	histogram := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
	if err := histogram.RecordValue(int64(time.Millisecond)); err != nil {
		return nil, fmt.Errorf("record a latency: %w", err)
	}
	start := time.Now()
	collector := meter.NewCollector(&measured, 1, orders.Share{}, "")
	collector.Add(measure.Interval{Start: start, End: start.Add(time.Second), Tag: measure.Tag{Kind: v1alpha1.LatencyService}, Histogram: histogram})
	return gathered(collector)
}

// gathered reads the metrics of a collector as a scrape gets them, in the order of their names.
func gathered(collector prometheus.Collector) ([]metric, error) {
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(collector); err != nil {
		return nil, fmt.Errorf("register the collector: %w", err)
	}
	families, err := registry.Gather()
	if err != nil {
		return nil, fmt.Errorf("gather the metrics: %w", err)
	}
	var all []metric
	for _, family := range families {
		labels := map[string]bool{}
		for _, series := range family.GetMetric() {
			for _, pair := range series.GetLabel() {
				labels[pair.GetName()] = true
			}
		}
		all = append(all, metric{family.GetName(), strings.ToLower(family.GetType().String()), family.GetHelp(), slices.Sorted(maps.Keys(labels))})
	}
	return all, nil
}

var (
	runLabels = map[string]string{v1alpha1.LabelExperiment: "e", v1alpha1.LabelRun: "r"}
	present   = metav1.NewTime(time.Unix(0, 0))
	measured  = v1alpha1.Measurement{
		ObjectMeta: metav1.ObjectMeta{Name: "m", Labels: runLabels},
		Spec:       v1alpha1.MeasurementSpec{Faults: []v1alpha1.FaultSpec{{Kind: v1alpha1.FaultKill}}},
		Status:     v1alpha1.MeasurementStatus{Faults: []v1alpha1.FaultStatus{{AskedAt: metav1.NewMicroTime(present.Time)}}},
	}
	experiment = v1alpha1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "e-r", Labels: runLabels},
		Spec:       v1alpha1.ExperimentSpec{Servers: []v1alpha1.ServerSpec{{Name: "s"}}},
		Status:     v1alpha1.ExperimentStatus{Conditions: []metav1.Condition{{Type: v1alpha1.ConditionAccepted, Status: metav1.ConditionTrue, LastTransitionTime: present}}},
	}
)

// oneRun reads a cluster with one run and one measurement.
type oneRun struct{ client.Reader }

// List implements client.Reader.
func (oneRun) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	switch list := list.(type) {
	case *v1alpha1.ExperimentList:
		list.Items = []v1alpha1.Experiment{*experiment.DeepCopy()}
	case *v1alpha1.MeasurementList:
		list.Items = []v1alpha1.Measurement{*measured.DeepCopy()}
	}
	return nil
}
