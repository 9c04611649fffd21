package store

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Where the API server's LimitRanger says what it gave a pod's containers, as in "LimitRanger plugin set: cpu, memory request for container
// a; cpu limit for container a".
const (
	annotationLimitRanger = "kubernetes.io/limit-ranger"
	limitRangerBegins     = "LimitRanger plugin set: "
	limitRangerLimit      = " limit for container "
)

// LimitedByRange names the containers of pods that have a CPU limit which nobody asked for: a LimitRange of the namespace gave it.
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
