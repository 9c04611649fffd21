package store

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
)

const (
	// pullGrace lets a registry that hiccups once answer the second time.
	pullGrace = 20 * time.Second
	// scheduleGrace lets volumes be made and pods of the previous store be gone before a pod counts as having no place.
	scheduleGrace = 60 * time.Second
	// crashLimit is how many restarts a container may need.
	crashLimit = 3
)

// Fault is a state that a pod does not leave by itself.
type Fault struct {
	Pod       string
	Container string
	// Message names the fault and the mend.
	Message string
	// Crashed asks for the last log lines of the container's previous life.
	Crashed bool
	// Unschedulable: no node takes the pod.
	Unschedulable bool
}

// FindFault returns the first fault of the pods, or nil.
func FindFault(pods []corev1.Pod, now time.Time) *Fault {
	for i := range pods {
		pod := &pods[i]
		if pod.DeletionTimestamp != nil {
			continue
		}
		if fault := unschedulable(pod, now); fault != nil {
			return fault
		}
		for _, status := range append(append([]corev1.ContainerStatus{}, pod.Status.InitContainerStatuses...), pod.Status.ContainerStatuses...) {
			if fault := containerFault(pod, status, now); fault != nil {
				return fault
			}
		}
	}
	return nil
}

func unschedulable(pod *corev1.Pod, now time.Time) *Fault {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse &&
			condition.Reason == corev1.PodReasonUnschedulable && now.Sub(pod.CreationTimestamp.Time) >= scheduleGrace {
			return &Fault{Pod: pod.Name, Unschedulable: true, Message: fmt.Sprintf("no node takes pod %s: %s; add nodes, or ask for less", pod.Name, condition.Message)}
		}
	}
	return nil
}

func containerFault(pod *corev1.Pod, status corev1.ContainerStatus, now time.Time) *Fault {
	fault := &Fault{Pod: pod.Name, Container: status.Name}
	if waiting := status.State.Waiting; waiting != nil {
		switch waiting.Reason {
		case "ErrImagePull", "ImagePullBackOff":
			if now.Sub(pod.CreationTimestamp.Time) < pullGrace {
				return nil
			}
			fault.Message = missingImage(status.Image, pod.Name, waiting.Message)
			return fault
		case "ErrImageNeverPull", "InvalidImageName":
			fault.Message = missingImage(status.Image, pod.Name, waiting.Message)
			return fault
		case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
			if now.Sub(pod.CreationTimestamp.Time) < pullGrace {
				return nil
			}
			fault.Message = fmt.Sprintf("container %s of pod %s cannot start: %s", status.Name, pod.Name, waiting.Message)
			return fault
		}
	}
	if status.RestartCount >= crashLimit && !status.Ready {
		fault.Crashed = true
		fault.Message = fmt.Sprintf("container %s of pod %s crashed %d times%s", status.Name, pod.Name, status.RestartCount, exit(status))
		return fault
	}
	return nil
}

func missingImage(image, pod, message string) string {
	text := fmt.Sprintf("image %s of pod %s cannot be pulled; build it and load or push it (make images), or correct registry and tag", image, pod)
	if message != "" {
		text += ": " + message
	}
	return text
}

func exit(status corev1.ContainerStatus) string {
	for _, state := range []*corev1.ContainerStateTerminated{status.LastTerminationState.Terminated, status.State.Terminated} {
		if state != nil {
			return fmt.Sprintf(" (%s, exit code %d)", state.Reason, state.ExitCode)
		}
	}
	return ""
}
