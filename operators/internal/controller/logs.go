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

// Logs reads the log of a container. The caller closes the stream.
type Logs interface {
	Open(ctx context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error)
}

// ClusterLogs reads logs through the API server.
type ClusterLogs struct{ Kubernetes kubernetes.Interface }

// Open returns the log of a pod's container as a stream.
func (l ClusterLogs) Open(ctx context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error) {
	stream, err := l.Kubernetes.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &options).Stream(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the log of pod %s: %w", pod.Name, err)
	}
	return stream, nil
}

// previousLog returns the last lines of the log of a crashed container's previous instance; empty if they cannot be
// read.
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

// wordsOf returns the text of a log; empty for the message that the kubelet returns in its place if the container is
// gone.
func wordsOf(log string) string {
	if words := strings.TrimSpace(log); !strings.HasPrefix(words, "unable to retrieve container logs for ") {
		return words
	}
	return ""
}
