package store

import (
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Killers returns the addresses at which the store's pods accept the kill command, host:port in the order of pod names. Empty unless all
// pods have one.
func Killers(pods []corev1.Pod) []string { return addresses(pods, killPort) }

// CanBeKilled reports whether pods of the template accept the kill command.
func CanBeKilled(template corev1.PodTemplateSpec) bool { return killPort(template.Spec) != 0 }

func killPort(spec corev1.PodSpec) int32 {
	return portOf(spec, v1beta1.KillPortName, corev1.ProtocolTCP)
}
