package store

import (
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// MaintenancePort returns the port at which a pod accepts tasks of maintenance; 0 if it has none.
func MaintenancePort(spec corev1.PodSpec) int32 {
	return portOf(spec, v1beta1.MaintenancePortName, corev1.ProtocolTCP)
}

// CanBeMaintained reports whether pods of the template accept tasks of maintenance.
func CanBeMaintained(template corev1.PodTemplateSpec) bool {
	return MaintenancePort(template.Spec) != 0
}
