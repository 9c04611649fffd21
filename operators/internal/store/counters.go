package store

import (
	"net"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Counters are where the store's pods tell what they used, host:port in the order of their names. None unless all of them do: what some
// pods used would not be what the store did.
func Counters(pods []corev1.Pod) []string {
	var out []string
	for _, pod := range Pods(pods) {
		port := countersPort(pod)
		if port == 0 || pod.Status.PodIP == "" {
			return nil
		}
		out = append(out, net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(int(port))))
	}
	return out
}

// countersPort of a pod; 0 where it has none.
func countersPort(pod corev1.Pod) int32 {
	for _, container := range pod.Spec.Containers {
		at := slices.IndexFunc(container.Ports, func(p corev1.ContainerPort) bool {
			return p.Name == v1alpha1.CountersPortName && p.Protocol == corev1.ProtocolUDP
		})
		if at >= 0 {
			return container.Ports[at].ContainerPort
		}
	}
	return 0
}
