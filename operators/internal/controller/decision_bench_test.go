package controller

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	cachetesting "k8s.io/client-go/tools/cache/testing"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
)

// BenchmarkDecision measures a decision of a large run while its load pods start, as in the last column of docs/design/scale.md: 2,000 measurements of the run,
// 10,000 of earlier runs, a store of 100 nodes, and 64 load pods for each of the last twenty measurements.
func BenchmarkDecision(b *testing.B) {
	r, request := largeRun(b)
	b.ReportAllocs()
	for b.Loop() {
		var experiment v1alpha1.Experiment
		require.NoError(b, r.Client.Get(b.Context(), request, &experiment))
		o, err := r.observe(b.Context(), &experiment)
		require.NoError(b, err)
		require.IsType(b, wait{}, nextStep(o))
	}
}

// largeRun returns a Reconciler with a cache that holds a large run, and the run's name.
func largeRun(b *testing.B) (*Reconciler, client.ObjectKey) {
	b.Helper()
	const rounds, repeats, earlier, storePods, loadPods = 50, 20, 10_000, 100, 64
	operations, seed := int64(64_000), int64(7)
	e := &v1alpha1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "large", Name: "scale", UID: "e", Finalizers: []string{v1alpha1.Finalizer},
			Labels: map[string]string{v1alpha1.LabelExperiment: "scale", v1alpha1.LabelRun: "20261121-001500"}},
		Spec: v1alpha1.ExperimentSpec{
			Store:   v1alpha1.StoreSpec{Chart: "stub", Hosting: v1alpha1.HostingDedicated, ReadyTimeout: metav1.Duration{Duration: 10 * time.Minute}},
			Servers: []v1alpha1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}},
			Load:    v1alpha1.LoadSpec{Image: "ycsb", Pods: loadPods, Timeout: metav1.Duration{Duration: time.Hour}},
			Phases:  []v1alpha1.PhaseSpec{{Name: "read", Repeats: repeats, Threads: 64}}, Operations: &operations, Rounds: rounds, MaxAttempts: 3, Seed: &seed,
		},
	}
	accepted, err := acceptedSpec(e.Spec)
	require.NoError(b, err)
	stores := plan.Build(e, seed).Stores
	last := stores[len(stores)-1]
	owned := []metav1.OwnerReference{*metav1.NewControllerRef(e, v1alpha1.GroupVersion.WithKind("Experiment"))}
	labels := func(measurement string) map[string]string {
		return map[string]string{v1alpha1.LabelExperiment: "scale", v1alpha1.LabelRun: e.RunID(), v1alpha1.LabelMeasurement: measurement}
	}
	lean := leaner()
	var objects []runtime.Object
	add := func(object runtime.Object) {
		kept, err := lean(object)
		require.NoError(b, err)
		objects = append(objects, kept.(runtime.Object))
	}
	finished := func(name, run string) *v1alpha1.Measurement {
		m := &v1alpha1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: "large", Name: name, UID: types.UID("m-" + name), OwnerReferences: owned, Labels: map[string]string{v1alpha1.LabelRun: run}}}
		m.Status.Attempt, m.Status.Valid, m.Status.Result = 1, true, &v1alpha1.Result{}
		setConditions(&m.Status.Conditions, conditionsOfMeasurement(m), 1, noon)
		return m
	}
	for i := range earlier {
		add(finished(fmt.Sprintf("run-%d-m%d", i/200, i), fmt.Sprintf("run-%d", i/200)))
	}
	var current *v1alpha1.Measurement
	for _, store := range stores {
		for i, cell := range store.Cells {
			m := finished(cell.Name, e.RunID())
			if cell.Name == last.Cells[repeats-1].Name {
				m.Spec, m.Status = cell.Spec, v1alpha1.MeasurementStatus{Attempt: 1}
				current = m
			}
			add(m)
			if store.Release == last.Release {
				addLoad(add, m, i < repeats-1, labels(m.Name), loadPods)
			}
		}
	}
	storeLabels := map[string]string{v1alpha1.LabelExperiment: "scale", v1alpha1.LabelRun: e.RunID(), instanceLabel: last.Release, "app.kubernetes.io/component": v1alpha1.StoreComponent}
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "large", Name: last.Release, UID: "set", Labels: storeLabels}, Spec: appsv1.StatefulSetSpec{Replicas: ptr.To[int32](storePods)}}
	add(set)
	e.Status = v1alpha1.ExperimentStatus{AcceptedSpec: accepted, Seed: &seed, StartedAt: &metav1.Time{Time: noon}, Planned: 2000, Finished: 1999,
		Conditions: []metav1.Condition{{Type: v1alpha1.ConditionAccepted, Status: metav1.ConditionTrue}},
		Store:      &v1alpha1.StoreStatus{Release: last.Release, Round: rounds, Servers: last.Servers, InstalledAt: metav1.Time{Time: noon}, ReadyAt: &metav1.Time{Time: noon}, Nodes: storePods}}
	for i := range storePods {
		pod := runningPod(fmt.Sprintf("%s-%d", last.Release, i), storeLabels, metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet")))
		add(pod)
		e.Status.Store.Proofs = append(e.Status.Store.Proofs, v1alpha1.Proof{Pod: pod.Name, Server: "hsha", Class: "org.example.Server", PluginSHA256: "b",
			Environment: map[string]string{"jvm": "OpenJDK", "jvm_flags": fmt.Sprintf("%01000d", 1)}})
		e.Status.Store.Pods = append(e.Status.Store.Pods, v1alpha1.StorePod{Name: pod.Name, UID: string(pod.UID), ReadySince: &metav1.Time{Time: noon}})
	}
	add(e)
	for i := range loadPods / 2 { // the others are not ready yet
		pod := fmt.Sprintf("%s-%d-abcde", plan.JobName(current.Name, 1), i)
		add(&v1alpha1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Namespace: "large", Name: pod, Labels: labels(current.Name), OwnerReferences: []metav1.OwnerReference{{UID: current.UID}}},
			Part: v1alpha1.Part{Index: int32(i), Attempt: 1, State: v1alpha1.PartReady, Pod: pod}})
	}
	cached := cacheOf(b, objects)
	reading, err := client.New(&rest.Config{Host: "nowhere.example"}, client.Options{Scheme: cached.scheme, Mapper: cached.mapper, Cache: &client.CacheOptions{Reader: cached}})
	require.NoError(b, err)
	return &Reconciler{Client: reading, Reader: reading, Clock: clocktesting.NewFakePassiveClock(noon)}, client.ObjectKeyFromObject(e)
}

// addLoad adds the Job and the load pods of a measurement.
func addLoad(add func(runtime.Object), m *v1alpha1.Measurement, ended bool, labels map[string]string, pods int) {
	name := plan.JobName(m.Name, 1)
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: name, UID: types.UID("j-" + name), Labels: labels, CreationTimestamp: metav1.Time{Time: noon},
		Annotations:     map[string]string{v1alpha1.AnnotationReports: "MeasurementPart"},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(m, v1alpha1.GroupVersion.WithKind("Measurement"))}}}
	if ended {
		job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	}
	job.Spec.Template = corev1.PodTemplateSpec{Spec: runningPod("", nil, nil).Spec}
	add(job)
	for i := range pods {
		podLabels := map[string]string{batchv1.ControllerUidLabel: string(job.UID), v1alpha1.LabelComponent: loadgen.Component}
		for k, v := range labels {
			podLabels[k] = v
		}
		pod := runningPod(fmt.Sprintf("%s-%d-abcde", name, i), podLabels, metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job")))
		if ended {
			pod.Status.Phase = corev1.PodSucceeded
		}
		add(pod)
	}
}

// runningPod returns a pod of about the size of a real one.
func runningPod(name string, labels map[string]string, owner *metav1.OwnerReference) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "large", Name: name, UID: types.UID("p-" + name), Labels: labels, CreationTimestamp: metav1.Time{Time: noon}},
		Spec: corev1.PodSpec{NodeName: "node-1"}, Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}}
	if owner != nil {
		pod.OwnerReferences = []metav1.OwnerReference{*owner}
	}
	for i := range 2 {
		container := corev1.Container{Name: fmt.Sprintf("c%d", i), Image: "registry.example/image:tag", Args: []string{"a", "b", "c"}}
		for v := range 20 {
			container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", v), Value: "value"})
		}
		pod.Spec.Containers = append(pod.Spec.Containers, container)
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: fmt.Sprintf("v%d", i), VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: container.Name, Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}})
	}
	return pod
}

// stillCache is a cache that reads its objects from memory.
type stillCache struct {
	cache.Cache
	scheme *runtime.Scheme
	mapper meta.RESTMapper
}

// cacheOf returns the operator's cache with objects that do not change.
func cacheOf(b *testing.B, objects []runtime.Object) stillCache {
	b.Helper()
	all := runtime.NewScheme()
	require.NoError(b, scheme.AddToScheme(all))
	require.NoError(b, v1alpha1.AddToScheme(all))
	mapper := meta.NewDefaultRESTMapper(nil)
	kinds := append(Watched(), &v1alpha1.Experiment{}, &v1alpha1.Measurement{}, &v1alpha1.MeasurementPart{})
	for _, kind := range kinds {
		gvks, _, err := all.ObjectKinds(kind)
		require.NoError(b, err)
		mapper.Add(gvks[0], meta.RESTScopeNamespace)
		mapper.Add(gvks[0].GroupVersion().WithKind(gvks[0].Kind+"List"), meta.RESTScopeNamespace)
	}
	namespaces, _, err := all.ObjectKinds(&corev1.Namespace{})
	require.NoError(b, err)
	mapper.Add(namespaces[0], meta.RESTScopeRoot)
	options := CacheOptions("large")
	options.Scheme, options.Mapper = all, mapper
	options.NewInformer = func(_ toolscache.ListerWatcher, kind runtime.Object, _ time.Duration, indexers toolscache.Indexers) toolscache.SharedIndexInformer {
		source := cachetesting.NewFakeControllerSource()
		for _, object := range objects {
			if reflect.TypeOf(object) == reflect.TypeOf(kind) {
				source.Add(object)
			}
		}
		return toolscache.NewSharedIndexInformer(source, kind, 0, indexers)
	}
	cached, err := cache.New(&rest.Config{Host: "nowhere.example"}, options)
	require.NoError(b, err)
	go func() { _ = cached.Start(b.Context()) }()
	for _, kind := range append(kinds, &corev1.Namespace{}) {
		_, err := cached.GetInformer(b.Context(), kind)
		require.NoError(b, err)
	}
	require.True(b, cached.WaitForCacheSync(b.Context()))
	return stillCache{cached, all, mapper}
}
