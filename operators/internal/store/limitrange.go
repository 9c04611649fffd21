package store

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// The API server's LimitRanger records in this annotation what it set, as in "LimitRanger plugin set: cpu, memory request for container a;
// cpu limit for container a".
const (
	annotationLimitRanger = "kubernetes.io/limit-ranger"
	limitRangerBegins     = "LimitRanger plugin set: "
	limitRangerLimit      = " limit for container "
)

// LimitedByRange lists the containers of pods whose CPU limit comes from a LimitRange of the namespace.
func LimitedByRange(pods []corev1.Pod) []string {
	var out []string
	for i := range pods {
		given := strings.TrimPrefix(pods[i].Annotations[annotationLimitRanger], limitRangerBegins)
		for _, gift := range strings.Split(given, "; ") {
			resources, container, isLimit := strings.Cut(gift, limitRangerLimit)
			if isLimit && slices.Contains(strings.Split(resources, ", "), string(corev1.ResourceCPU)) {
				out = append(out, fmt.Sprintf("container %s of store pod %s", container, pods[i].Name))
			}
		}
	}
	return out
}
