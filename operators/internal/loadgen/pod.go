package loadgen

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Own reports whether Build added a container to a load pod: the load tool, meter, or the installer of meter.
func Own(container string) bool {
	return container == Container || container == meterContainer || container == installContainer
}

// Foreign returns the containers of a load pod that others added, such as a service mesh, including init containers; sorted.
func Foreign(pod *corev1.Pod) []string {
	var names []string
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		names = append(names, container.Name)
	}
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		names = append(names, status.Name)
	}
	names = slices.DeleteFunc(names, Own)
	slices.Sort(names)
	return slices.Compact(names)
}

// Ended reports whether the load tool and meter of a pod have ended, even if other containers still run.
func Ended(pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return true
	}
	ended := 0
	for _, status := range pod.Status.ContainerStatuses {
		if Own(status.Name) && status.State.Terminated != nil {
			ended++
		}
	}
	return ended == 2
}

// Failed reports whether a pod has ended, and it or one of its own containers ended with an error.
func Failed(pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodFailed {
		return true
	}
	return Ended(pod) && slices.ContainsFunc(pod.Status.ContainerStatuses, func(status corev1.ContainerStatus) bool {
		return Own(status.Name) && status.State.Terminated != nil && status.State.Terminated.ExitCode != 0
	})
}
