package store

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Lives tells the present life of each store pod.
func Lives(pods []corev1.Pod) []v1alpha1.StorePod {
	var out []v1alpha1.StorePod
	for _, pod := range Pods(pods) {
		out = append(out, v1alpha1.StorePod{Name: pod.Name, UID: string(pod.UID), Restarts: restarts(pod)})
	}
	return out
}

// Change says which pod did not live through from before to after; empty when all did.
func Change(before, after []v1alpha1.StorePod) string {
	for _, was := range before {
		i := slices.IndexFunc(after, func(p v1alpha1.StorePod) bool { return p.Name == was.Name })
		switch {
		case i < 0:
			return fmt.Sprintf("store pod %s went away", was.Name)
		case after[i].UID != was.UID:
			return fmt.Sprintf("store pod %s was replaced", was.Name)
		case after[i].Restarts > was.Restarts:
			return fmt.Sprintf("store pod %s restarted", was.Name)
		}
	}
	return ""
}

func restarts(pod corev1.Pod) int32 {
	var n int32
	for _, status := range pod.Status.ContainerStatuses {
		n += status.RestartCount
	}
	return n
}
