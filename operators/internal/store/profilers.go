package store

import (
	"net"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Profilers returns the addresses at which the store's pods provide profiles, in the order of pod names: pod=host:port, or pod= for a pod
// without such a port.
func Profilers(pods []corev1.Pod) []string {
	var out []string
	for _, pod := range Pods(pods) {
		address := ""
		if port := profilePort(pod.Spec); port != 0 && pod.Status.PodIP != "" {
			address = net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(int(port)))
		}
		out = append(out, pod.Name+"="+address)
	}
	return out
}

// GivesProfiles reports whether pods of the template can be profiled.
func GivesProfiles(template corev1.PodTemplateSpec) bool { return profilePort(template.Spec) != 0 }

func profilePort(spec corev1.PodSpec) int32 {
	return portOf(spec, v1beta1.ProfilePortName, corev1.ProtocolTCP)
}

// portOf returns the port of a pod's container by name; 0 if there is none.
func portOf(spec corev1.PodSpec, name string, protocol corev1.Protocol) int32 {
	for _, container := range spec.Containers {
		at := slices.IndexFunc(container.Ports, func(p corev1.ContainerPort) bool {
			return p.Name == name && (p.Protocol == protocol || p.Protocol == "" && protocol == corev1.ProtocolTCP)
		})
		if at >= 0 {
			return container.Ports[at].ContainerPort
		}
	}
	return 0
}
