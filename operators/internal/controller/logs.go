package controller

import (
	"context"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

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

// previousLog is the end of the log of a crashed container's previous life. Empty when there is none to be had.
func (r *Reconciler) previousLog(ctx context.Context, namespace string, from store.Fault) string {
	const lines, bytes = int64(12), int64(4096)
	options := corev1.PodLogOptions{Container: from.Container, Previous: true, TailLines: new(lines), LimitBytes: new(bytes)}
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: from.Pod}}
	stream, err := r.Logs.Open(ctx, pod, options)
	if err != nil {
		return ""
	}
	defer func() { _ = stream.Close() }()
	text, err := io.ReadAll(io.LimitReader(stream, bytes))
	if err != nil {
		return ""
	}
	return wordsOf(string(text))
}

// wordsOf a log that was asked for. Of a container that is gone already the kubelet says so instead of its log, as if it were one.
func wordsOf(log string) string {
	if words := strings.TrimSpace(log); !strings.HasPrefix(words, "unable to retrieve container logs for ") {
		return words
	}
	return ""
}
