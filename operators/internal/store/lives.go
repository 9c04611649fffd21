package store

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Lives tells the present life of each store pod, and since when it is ready.
func Lives(pods []corev1.Pod) []v1alpha1.StorePod {
	var out []v1alpha1.StorePod
	for _, pod := range Pods(pods) {
		out = append(out, v1alpha1.StorePod{Name: pod.Name, UID: string(pod.UID), Restarts: restarts(pod), ReadySince: PodReadySince(&pod)})
	}
	return out
}

// PodReadySince is since when a pod is ready; nil while it is not, or is being ended.
func PodReadySince(pod *corev1.Pod) *metav1.Time {
	ready := podCondition(pod, corev1.PodReady)
	if ready == nil || ready.Status != corev1.ConditionTrue || pod.DeletionTimestamp != nil {
		return nil
	}
	return &ready.LastTransitionTime
}

// ReadyPods counts the pods that are ready.
func ReadyPods(lives []v1alpha1.StorePod) int {
	n := 0
	for _, life := range lives {
		if life.ReadySince != nil {
			n++
		}
	}
	return n
}

// ReadySince is when the last of the store's pods became ready.
func ReadySince(lives []v1alpha1.StorePod) time.Time {
	var last time.Time
	for _, life := range lives {
		if life.ReadySince != nil && life.ReadySince.After(last) {
			last = life.ReadySince.Time
		}
	}
	return last
}

// Change returns which pod did not live through from before to after; empty when all did.
func Change(before, after []v1alpha1.StorePod) string {
	for _, was := range before {
		is, gone := inPlace(was, after)
		switch {
		case gone != "":
			return gone
		case is.Restarts > was.Restarts:
			return fmt.Sprintf("store pod %s restarted", was.Name)
		}
	}
	return ""
}

// inPlace is the same pod at a later look, or why there is none.
func inPlace(was v1alpha1.StorePod, after []v1alpha1.StorePod) (is v1alpha1.StorePod, gone string) {
	i := indexOf(after, was.Name)
	switch {
	case i < 0:
		return is, fmt.Sprintf("store pod %s disappeared", was.Name)
	case after[i].UID != was.UID:
		return is, fmt.Sprintf("store pod %s was replaced", was.Name)
	}
	return after[i], ""
}

// Interruption returns which pod did not live through or was not ready throughout; empty when all were. A pod that was not ready
// for a while, and is again, shows by the time since when it is ready.
func Interruption(before, after []v1alpha1.StorePod) string {
	if change := Change(before, after); change != "" {
		return change
	}
	for _, was := range before {
		switch is := after[indexOf(after, was.Name)]; {
		case is.ReadySince == nil:
			return fmt.Sprintf("store pod %s is not ready", was.Name)
		case was.ReadySince != nil && !was.ReadySince.Equal(is.ReadySince):
			return fmt.Sprintf("store pod %s was not ready for a while", was.Name)
		}
	}
	return ""
}

// NotKilledOnce returns which pod has not died and come back exactly once, in its place; empty when all have.
func NotKilledOnce(before, after []v1alpha1.StorePod) string {
	for _, was := range before {
		is, gone := inPlace(was, after)
		switch {
		case gone != "":
			return gone
		case is.Restarts != was.Restarts+1:
			return fmt.Sprintf("store pod %s restarted %d times instead of once", was.Name, is.Restarts-was.Restarts)
		case is.ReadySince == nil:
			return fmt.Sprintf("store pod %s is not ready", was.Name)
		}
	}
	return ""
}

// SameLife reports whether a pod is in the same life in both lists.
func SameLife(a, b []v1alpha1.StorePod, pod string) bool {
	i, j := indexOf(a, pod), indexOf(b, pod)
	return i >= 0 && j >= 0 && a[i].UID == b[j].UID && a[i].Restarts == b[j].Restarts
}

func indexOf(lives []v1alpha1.StorePod, pod string) int {
	return slices.IndexFunc(lives, func(p v1alpha1.StorePod) bool { return p.Name == pod })
}

func restarts(pod corev1.Pod) int32 {
	var n int32
	for _, status := range pod.Status.ContainerStatuses {
		n += status.RestartCount
	}
	return n
}
