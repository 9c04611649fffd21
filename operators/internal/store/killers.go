package store

import (
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Killers are where the store's pods take the order to die, host:port in the order of their names. None unless all of them do.
func Killers(pods []corev1.Pod) []string { return addresses(pods, killPort) }

// CanBeKilled reports whether pods of the template take that order.
func CanBeKilled(template corev1.PodTemplateSpec) bool { return killPort(template.Spec) != 0 }

func killPort(spec corev1.PodSpec) int32 {
	return portOf(spec, v1alpha1.KillPortName, corev1.ProtocolTCP)
}
