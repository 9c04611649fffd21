package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	// startGrace is the time in which a container may recover from an error of its start that seems final.
	startGrace = 20 * time.Second
	// crashLimit is the number of restarts from which a container that is not ready counts as failed.
	crashLimit = 3
)

// Fault is a state that a pod does not leave by itself.
type Fault struct {
	Pod       string
	Container string
	// Message describes the fault and how to fix it.
	Message string
	// Crashed asks the caller to read the end of the container's previous log.
	Crashed bool
	// LastWords is the end of the container's log that the kubelet kept, by the policy FallbackToLogsOnError; empty if it kept none.
	LastWords string
	// Unschedulable reports that no node fits the pod.
	Unschedulable bool
}

// Patience holds the limits for faults.
type Patience struct {
	// Scheduling is the time that a pod may wait for a node: a cluster autoscaler takes minutes to add one.
	Scheduling time.Duration
	// Pulling is the time in which the kubelet may try again, more and more rarely, to pull an image: a registry that throttles or times out
	// recovers.
	Pulling time.Duration
	// Known are pods that were ready before. Their earlier restarts do not count: a pod restarts with each restart of its node.
	Known []v1beta1.StorePod
}

// FindFault returns the first fault of the pods, or nil.
func FindFault(pods []corev1.Pod, patience Patience, now time.Time) *Fault {
	for i := range pods {
		pod := &pods[i]
		if pod.DeletionTimestamp != nil {
			continue
		}
		if since, message, waits := unschedulable(pod); waits && now.Sub(since) >= patience.Scheduling {
			return &Fault{Pod: pod.Name, Unschedulable: true,
				Message: fmt.Sprintf("pod %s could not be scheduled within %s: %s; add or label nodes, request less, lower store.values.nodes, or raise store.readyTimeout (twice that time)", pod.Name, patience.Scheduling, message)}
		}
		for _, status := range containers(pod) {
			if fault := containerFault(pod, status, patience, now); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// FindDelay describes a pod that waits for a node or an image, with its deadline; empty if there is none.
func FindDelay(pods []corev1.Pod, patience Patience) string {
	until := func(since time.Time, limit time.Duration) string { return since.Add(limit).UTC().Format(time.TimeOnly) }
	for i := range pods {
		pod := &pods[i]
		if pod.DeletionTimestamp != nil {
			continue
		}
		if since, message, waits := unschedulable(pod); waits {
			return fmt.Sprintf("pod %s is not scheduled yet: %s (timeout at %s)", pod.Name, message, until(since, patience.Scheduling))
		}
		for _, status := range containers(pod) {
			if waiting := status.State.Waiting; waiting != nil && pullFailed(waiting.Reason) {
				return fmt.Sprintf("image %s of pod %s cannot be pulled yet: %s (timeout at %s)", status.Image, pod.Name, waiting.Message,
					until(pullBegan(pod, status.Name), patience.Pulling))
			}
		}
	}
	return ""
}

func containers(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

// pullFailed reports whether the kubelet will try again to pull an image.
func pullFailed(reason string) bool { return reason == "ErrImagePull" || reason == "ImagePullBackOff" }

// pullPatience returns how long an image may fail to be pulled. A registry that has no such image, or denies access to it, answers the same
// later.
func pullPatience(message string, patience Patience) time.Duration {
	message = strings.ToLower(message)
	final := func(words string) bool { return strings.Contains(message, words) }
	if slices.ContainsFunc([]string{"not found", "manifest unknown", "unauthorized", "denied", "forbidden", "no such host"}, final) {
		return startGrace
	}
	return patience.Pulling
}

// ShortOf reports whether a pod waits for a node with enough free resources.
func ShortOf(pod *corev1.Pod) bool {
	_, message, waits := unschedulable(pod)
	return waits && strings.Contains(message, "Insufficient")
}

// unschedulable returns since when no node fits the pod, and the scheduler's message.
func unschedulable(pod *corev1.Pod) (since time.Time, message string, waits bool) {
	condition := podCondition(pod, corev1.PodScheduled)
	if condition == nil || condition.Status != corev1.ConditionFalse || condition.Reason != corev1.PodReasonUnschedulable {
		return time.Time{}, "", false
	}
	since = condition.LastTransitionTime.Time
	if since.IsZero() {
		since = pod.CreationTimestamp.Time
	}
	return since, condition.Message, true
}

func containerFault(pod *corev1.Pod, status corev1.ContainerStatus, patience Patience, now time.Time) *Fault {
	fault := &Fault{Pod: pod.Name, Container: status.Name}
	if waiting := status.State.Waiting; waiting != nil {
		switch reason := waiting.Reason; {
		case pullFailed(reason):
			if now.Sub(pullBegan(pod, status.Name)) < pullPatience(waiting.Message, patience) {
				return nil
			}
			fault.Message = missingImage(status.Image, pod.Name, waiting.Message)
			return fault
		case reason == "ErrImageNeverPull", reason == "InvalidImageName":
			fault.Message = missingImage(status.Image, pod.Name, waiting.Message)
			return fault
		case reason == "CreateContainerConfigError", reason == "CreateContainerError", reason == "RunContainerError":
			if now.Sub(pullBegan(pod, status.Name)) < startGrace {
				return nil
			}
			fault.Message = fmt.Sprintf("container %s of pod %s cannot start: %s", status.Name, pod.Name, waiting.Message)
			return fault
		}
	}
	if restarts := status.RestartCount - earlierRestarts(pod, patience.Known); restarts >= crashLimit && !status.Ready {
		fault.Crashed = true
		fault.Message = fmt.Sprintf("container %s of pod %s crashed %d times", status.Name, pod.Name, restarts)
		if ended := lastEnd(status); ended != nil {
			fault.Message += fmt.Sprintf(" (%s, exit code %d)", ended.Reason, ended.ExitCode)
			fault.LastWords = strings.TrimSpace(ended.Message)
		}
		return fault
	}
	return nil
}

// pullBegan returns the earliest time at which the kubelet can have started to pull a container's image: after the pod was scheduled, and
// after the preceding init containers ended.
func pullBegan(pod *corev1.Pod, container string) time.Time {
	began := pod.CreationTimestamp.Time
	if scheduled := podCondition(pod, corev1.PodScheduled); scheduled != nil && scheduled.Status == corev1.ConditionTrue && scheduled.LastTransitionTime.After(began) {
		began = scheduled.LastTransitionTime.Time
	}
	for _, before := range pod.Status.InitContainerStatuses {
		if before.Name == container {
			break
		}
		if ended := before.State.Terminated; ended != nil && ended.FinishedAt.After(began) {
			began = ended.FinishedAt.Time
		}
	}
	return began
}

func earlierRestarts(pod *corev1.Pod, known []v1beta1.StorePod) int32 {
	i := slices.IndexFunc(known, func(p v1beta1.StorePod) bool { return p.Name == pod.Name && p.UID == string(pod.UID) })
	if i < 0 {
		return 0
	}
	return known[i].Restarts
}

func podCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == kind })
	if i < 0 {
		return nil
	}
	return &pod.Status.Conditions[i]
}

func missingImage(image, pod, message string) string {
	text := fmt.Sprintf("image %s of pod %s cannot be pulled; build it and load or push it (make images), or correct registry and tag", image, pod)
	if message != "" {
		text += ": " + message
	}
	return text
}

// lastEnd returns the last termination of a container; nil if there is none.
func lastEnd(status corev1.ContainerStatus) *corev1.ContainerStateTerminated {
	if status.State.Terminated != nil {
		return status.State.Terminated
	}
	return status.LastTerminationState.Terminated
}
