package controller

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/store"
)

// Logs reads what a container wrote. The caller closes the stream.
type Logs interface {
	Open(ctx context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error)
}

// ClusterLogs reads logs through the API server.
type ClusterLogs struct{ Kubernetes kubernetes.Interface }

// Open streams the log of a pod's container.
func (l ClusterLogs) Open(ctx context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error) {
	stream, err := l.Kubernetes.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &options).Stream(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the log of pod %s: %w", pod.Name, err)
	}
	return stream, nil
}

// prove reads from the store's own logs which servers run, and marks the store as ready. A missing or wrong proof does not
// stop the run: the gates withhold the measurements that it concerns.
func (r *Reconciler) prove(ctx context.Context, o observed, next step) error {
	var proofs []v1alpha1.Proof
	for _, pod := range store.Pods(o.objects.Pods) {
		found, err := r.proofsOf(ctx, pod)
		if err != nil {
			return err
		}
		proofs = append(proofs, found...)
	}
	message := fmt.Sprintf("store %s answers on %d nodes", next.store.Release, len(store.Pods(o.objects.Pods)))
	err := r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) {
		if status.Store.ReadyAt == nil {
			now := metav1.NewTime(o.now)
			status.Store.ReadyAt = &now
		}
		status.Store.Proofs = proofs
		status.Store.Pods = store.Lives(o.objects.Pods)
		o.condition(status, v1alpha1.ConditionStoreReady, true, "Answers", message)
		status.Current = "store " + next.store.Release + " is ready"
	})
	if err == nil {
		r.event(o.experiment, normal, "StoreReady", "Await", message)
	}
	return err
}

func (r *Reconciler) proofsOf(ctx context.Context, pod corev1.Pod) (proofs []v1alpha1.Proof, err error) {
	stream, err := r.Logs.Open(ctx, pod, corev1.PodLogOptions{Container: store.Container(pod)})
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	return store.ReadProofs(stream, pod)
}

// lastWords of a container that crashed: the end of the log of its previous life. Empty when there is none to be had.
func (r *Reconciler) lastWords(ctx context.Context, namespace string, from crashed) string {
	const lines, bytes = int64(12), int64(4096)
	options := corev1.PodLogOptions{Container: from.container, Previous: true, TailLines: new(lines), LimitBytes: new(bytes)}
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: from.pod}}
	stream, err := r.Logs.Open(ctx, pod, options)
	if err != nil {
		return ""
	}
	defer func() { _ = stream.Close() }()
	text, err := io.ReadAll(io.LimitReader(stream, bytes))
	if err != nil {
		return ""
	}
	return string(text)
}
