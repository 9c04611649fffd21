package store

import (
	"net"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Counters returns the addresses of the store's pods for their counters, host:port in the order of pod names. Empty unless all pods have
// one, because counters of some pods do not describe the store.
func Counters(pods []corev1.Pod) []string { return addresses(pods, countersPort) }

// addresses returns the addresses of a port of all the store's pods, host:port in the order of pod names; empty unless all pods have it.
func addresses(pods []corev1.Pod, portOf func(corev1.PodSpec) int32) []string {
	var out []string
	for _, pod := range Pods(pods) {
		port := portOf(pod.Spec)
		if port == 0 || pod.Status.PodIP == "" {
			return nil
		}
		out = append(out, net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(int(port))))
	}
	return out
}

// TellsCounters reports whether pods of the template report counters.
func TellsCounters(template corev1.PodTemplateSpec) bool { return countersPort(template.Spec) != 0 }

func countersPort(spec corev1.PodSpec) int32 {
	return portOf(spec, v1beta1.CountersPortName, corev1.ProtocolUDP)
}
