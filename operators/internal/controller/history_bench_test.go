package controller_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/storechart"
)

// BenchmarkHistory measures the cost of earlier runs' measurements in the namespace: memory of the operator, time of a
// reconcile of a waiting run, and time of a scrape. A measurement is a real one, of 100 s in 50 intervals
// (testdata/measurement.yaml). docs/design/scale.md has the table.
func BenchmarkHistory(b *testing.B) {
	if cluster == nil {
		b.Skip(whyAbsent)
	}
	scheme, err := operator.Scheme()
	require.NoError(b, err)
	plain, err := client.New(cluster, client.Options{Scheme: scheme})
	require.NoError(b, err)
	for _, size := range []int{10, 100, 1000, 10_000} {
		namespace := fmt.Sprintf("history-%d", size)
		require.NoError(b, plain.Create(b.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
		waiting := fillHistory(b, plain, namespace, size)

		before := heap()
		ctx, cancel := context.WithCancel(b.Context())
		options := controller.CacheOptions(namespace)
		options.Scheme = scheme
		cached, err := cache.New(cluster, options)
		require.NoError(b, err)
		go func() { _ = cached.Start(ctx) }()
		for _, object := range append(controller.Watched(), &v1alpha1.Experiment{}, &v1alpha1.Measurement{}, &v1alpha1.MeasurementPart{}) {
			_, err := cached.GetInformer(ctx, object)
			require.NoError(b, err)
		}
		require.True(b, cached.WaitForCacheSync(ctx))
		holds := float64(heap() - before)
		reading, err := client.New(cluster, client.Options{Scheme: scheme, Cache: &client.CacheOptions{Reader: cached}})
		require.NoError(b, err)
		r := &controller.Reconciler{Client: reading, Reader: plain, Catalogue: storechart.NewCatalogue(testCharts), Clock: clock.RealClock{},
			Recorder: events.NewFakeRecorder(1000)}

		b.Run(fmt.Sprintf("reconcile/%d", size), func(b *testing.B) {
			for b.Loop() {
				_, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(waiting)})
				require.NoError(b, err)
			}
			b.ReportMetric(holds/(1<<20), "MiB-held")
		})
		b.Run(fmt.Sprintf("scrape/%d", size), func(b *testing.B) {
			registry := prometheus.NewRegistry()
			registry.MustRegister(controller.NewMetrics(cached, clock.RealClock{}))
			for b.Loop() {
				_, err := registry.Gather()
				require.NoError(b, err)
			}
		})
		cancel()
	}
}

// fillHistory creates that many measurements in runs of 200 each, and returns the suspended experiment that follows
// them.
func fillHistory(b *testing.B, c client.Client, namespace string, size int) *v1alpha1.Experiment {
	const perRun = 200
	text, err := os.ReadFile("testdata/measurement.yaml")
	require.NoError(b, err)
	var measured v1alpha1.Measurement
	require.NoError(b, yaml.UnmarshalStrict(text, &measured))
	var group errgroup.Group
	group.SetLimit(8)
	for i := range size {
		group.Go(func() error {
			m := measured.DeepCopy()
			run := fmt.Sprintf("run-%d", i/perRun)
			m.ObjectMeta = metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("%s-m%d", run, i), Labels: map[string]string{}}
			for name, value := range measured.Labels {
				m.Labels[name] = value
			}
			m.Labels[v1alpha1.LabelRun] = run
			if err := c.Create(b.Context(), m); err != nil {
				return err
			}
			measured.Status.DeepCopyInto(&m.Status)
			return c.Status().Update(b.Context(), m)
		})
	}
	now := metav1.Now()
	for i := range (size + perRun - 1) / perRun {
		earlier := historic(namespace, fmt.Sprintf("run-%d", i))
		require.NoError(b, c.Create(b.Context(), earlier))
		earlier.Status.FinishedAt = &now
		require.NoError(b, c.Status().Update(b.Context(), earlier))
	}
	require.NoError(b, group.Wait())
	waiting := historic(namespace, "waiting")
	waiting.Spec.Suspend = true
	require.NoError(b, c.Create(b.Context(), waiting))
	accepted, err := json.Marshal(waiting.Spec)
	require.NoError(b, err)
	waiting.Status = v1alpha1.ExperimentStatus{AcceptedSpec: &apiextensionsv1.JSON{Raw: accepted}, Seed: ptr.To(int64(1)), StartedAt: &now,
		Conditions: []metav1.Condition{{Type: v1alpha1.ConditionAccepted, Status: metav1.ConditionTrue, Reason: "Accepted", LastTransitionTime: now}}}
	require.NoError(b, c.Status().Update(b.Context(), waiting))
	return waiting
}

func historic(namespace, run string) *v1alpha1.Experiment {
	operations := int64(1000)
	return &v1alpha1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: strings.ToLower(run), Labels: map[string]string{v1alpha1.LabelExperiment: "history", v1alpha1.LabelRun: run}},
		Spec: v1alpha1.ExperimentSpec{
			Store:   v1alpha1.StoreSpec{Chart: "toy", Hosting: v1alpha1.HostingDedicated, ReadyTimeout: metav1.Duration{Duration: time.Minute}},
			Servers: []v1alpha1.ServerSpec{{Name: "hsha"}}, Rounds: 1, MaxAttempts: 1, Operations: &operations,
			Load:   v1alpha1.LoadSpec{Image: "stress", Pods: 1, Timeout: metav1.Duration{Duration: time.Minute}},
			Phases: []v1alpha1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 2}},
		},
	}
}

// heap returns the bytes of the live heap.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
