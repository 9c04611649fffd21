package store

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Lives returns the current life of each store pod: UID, restarts, and since when it is ready.
func Lives(pods []corev1.Pod) []v1beta1.StorePod {
	var out []v1beta1.StorePod
	for _, pod := range Pods(pods) {
		out = append(out, v1beta1.StorePod{Name: pod.Name, UID: string(pod.UID), Restarts: restarts(pod), ReadySince: PodReadySince(&pod)})
	}
	return out
}

// PodReadySince returns since when a pod is ready; nil if it is not ready, or terminating.
func PodReadySince(pod *corev1.Pod) *metav1.Time {
	ready := podCondition(pod, corev1.PodReady)
	if ready == nil || ready.Status != corev1.ConditionTrue || pod.DeletionTimestamp != nil {
		return nil
	}
	return &ready.LastTransitionTime
}

// ReadyPods returns the number of ready pods.
func ReadyPods(lives []v1beta1.StorePod) int {
	n := 0
	for _, life := range lives {
		if life.ReadySince != nil {
			n++
		}
	}
	return n
}

// ReadySince returns the time at which the last of the store's pods became ready.
func ReadySince(lives []v1beta1.StorePod) time.Time {
	var last time.Time
	for _, life := range lives {
		if life.ReadySince != nil && life.ReadySince.After(last) {
			last = life.ReadySince.Time
		}
	}
	return last
}

// Change describes the first pod that disappeared, was replaced or restarted between before and after; empty if there is none.
func Change(before, after []v1beta1.StorePod) string {
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

// inPlace returns the same pod at a later check, or why it is gone.
func inPlace(was v1beta1.StorePod, after []v1beta1.StorePod) (is v1beta1.StorePod, gone string) {
	i := indexOf(after, was.Name)
	switch {
	case i < 0:
		return is, fmt.Sprintf("store pod %s disappeared", was.Name)
	case after[i].UID != was.UID:
		return is, fmt.Sprintf("store pod %s was replaced", was.Name)
	}
	return after[i], ""
}

// Interruption describes the first pod that disappeared, was replaced, restarted or was not ready between before and after; empty if there
// is none. A changed ready time shows that a pod was not ready for a while.
func Interruption(before, after []v1beta1.StorePod) string {
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

// NotKilledOnce describes the first pod that did not restart exactly once, in place; empty if all did.
func NotKilledOnce(before, after []v1beta1.StorePod) string {
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

// SameLife reports whether a pod has the same UID and restart count in both lists.
func SameLife(a, b []v1beta1.StorePod, pod string) bool {
	i, j := indexOf(a, pod), indexOf(b, pod)
	return i >= 0 && j >= 0 && a[i].UID == b[j].UID && a[i].Restarts == b[j].Restarts
}

func indexOf(lives []v1beta1.StorePod, pod string) int {
	return slices.IndexFunc(lives, func(p v1beta1.StorePod) bool { return p.Name == pod })
}

func restarts(pod corev1.Pod) int32 {
	var n int32
	for _, status := range pod.Status.ContainerStatuses {
		n += status.RestartCount
	}
	return n
}
