package scale

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// loads plays the containers of load pods: meter's requests to the API server, with its own client, for a load that
// ends at once.
type loads struct {
	cluster   *cluster
	namespace string
	pods      int32
	done      sync.WaitGroup
	failed    chan error
}

// loadOf returns the load of one pod.
func loadOf(start time.Time) simulated.Load {
	return simulated.Load{Operation: "read", Start: start, Intervals: 10, PerInterval: 100, MedianMillis: 8, Sigma: 0.6}
}

// watch plays each load pod that runs, until ctx ends. It uses an informer, because a plain watch ends when the API
// server closes it.
func (l *loads) watch(ctx context.Context) error {
	clients, err := kubernetes.NewForConfig(l.cluster.config)
	if err != nil {
		return fmt.Errorf("watch the load pods: %w", err)
	}
	pods := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(l.namespace), informers.WithTweakListOptions(func(options *metav1.ListOptions) {
		options.LabelSelector = v1alpha1.LabelComponent + "=" + loadgen.Component
	})).Core().V1().Pods().Informer()
	known := map[types.UID]bool{} // only used by the informer's goroutine
	begin := func(object any) {
		pod, is := object.(*corev1.Pod)
		if !is || pod.Status.Phase != corev1.PodRunning || known[pod.UID] {
			return
		}
		known[pod.UID] = true
		l.done.Go(func() {
			if err := l.play(ctx, pod); err != nil && ctx.Err() == nil {
				select {
				case l.failed <- fmt.Errorf("load pod %s: %w", pod.Name, err):
				default: // one signal is enough
				}
			}
		})
	}
	if _, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: begin, UpdateFunc: func(_, now any) { begin(now) }}); err != nil {
		return fmt.Errorf("watch the load pods: %w", err)
	}
	l.done.Go(func() { pods.Run(ctx.Done()) })
	return nil
}

// play plays one load pod from its start to its end.
func (l *loads) play(ctx context.Context, pod *corev1.Pod) error {
	index, err := strconv.ParseInt(pod.Annotations[batchv1.JobCompletionIndexAnnotation], 10, 32)
	if err != nil {
		return fmt.Errorf("its index: %w", err)
	}
	attempt, err := strconv.ParseInt(variable(pod, orders.EnvAttempt), 10, 32)
	if err != nil {
		return fmt.Errorf("its attempt: %w", err)
	}
	api, err := meter.NewAPI(l.cluster.config, meter.Config{Namespace: pod.Namespace, Measurement: variable(pod, orders.EnvMeasurement), Attempt: int32(attempt), Index: int32(index), Pod: pod.Name})
	if err != nil {
		return err
	}
	part := v1alpha1.Part{State: v1alpha1.PartReady, Pod: pod.Name, Node: pod.Spec.NodeName, ClockOffsetMicros: ptr.To[int64](0), ClockErrorMicros: ptr.To[int64](1000), Connected: true}
	if err := write(ctx, api, part); err != nil {
		return err
	}
	measurement, err := begin(ctx, api, l.pods)
	if err != nil {
		return err
	}
	log, err := loadOf(measurement.Status.StartAt.Time).Log(uint64(index))
	if err != nil {
		return err
	}
	chunks, err := measure.PackLog(log, measure.MaxChunks)
	if err != nil {
		return err
	}
	for i, chunk := range chunks {
		name, err := api.StoreLog(ctx, measurement, measurement, i, chunk)
		if err != nil {
			return err
		}
		part.Logs = append(part.Logs, name)
	}
	part.State, part.Operations = v1alpha1.PartDone, measurement.Spec.Operations/int64(measurement.Spec.Pods)
	part.CPUUsedPermille, part.CPUWaitedPermille = ptr.To[int64](400), ptr.To[int64](10)
	if err := write(ctx, api, part); err != nil {
		return err
	}
	return l.end(ctx, pod)
}

// patience with the API server is that of meter.
const patience = 5 * time.Minute

// write writes a part, with retries, as meter does.
func write(ctx context.Context, api *meter.API, part v1alpha1.Part) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return meter.Retry(ctx, "write a part", func(ctx context.Context) error { return api.WritePart(ctx, part) })
}

// begin waits for the start of all load pods, however slow the API server is.
func begin(ctx context.Context, api *meter.API, pods int32) (m *v1alpha1.Measurement, err error) {
	var unanswered error
	err = wait.PollUntilContextTimeout(ctx, orders.StartPoll(pods), patience, true, func(ctx context.Context) (bool, error) {
		m, unanswered = api.Measurement(ctx)
		return unanswered == nil && m.Status.StartAt != nil, nil
	})
	if err != nil {
		return nil, fmt.Errorf("wait for the start: %w", errors.Join(err, unanswered))
	}
	select {
	case <-time.After(time.Until(m.Status.StartAt.Time)):
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end ends the pod as its kubelet would after its containers have ended.
func (l *loads) end(ctx context.Context, pod *corev1.Pod) error {
	var now corev1.Pod
	if err := l.cluster.client.Get(ctx, client.ObjectKeyFromObject(pod), &now); err != nil {
		return client.IgnoreNotFound(err)
	}
	before := now.DeepCopy()
	now.Status.Phase = corev1.PodSucceeded
	for i := range now.Status.ContainerStatuses {
		now.Status.ContainerStatuses[i].Ready = false
		now.Status.ContainerStatuses[i].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed"}}
	}
	err := l.cluster.client.Status().Patch(ctx, &now, client.MergeFrom(before))
	return errors.Join(client.IgnoreNotFound(err))
}

// variable returns the value of a variable of a pod's containers.
func variable(pod *corev1.Pod, name string) string {
	for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
		for _, v := range container.Env {
			if v.Name == name {
				return v.Value
			}
		}
	}
	return ""
}
