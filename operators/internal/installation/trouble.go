package installation

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// trouble is what keeps a workload from being ready; empty if nothing is known.
type trouble struct {
	what string
	// image is set if it cannot be pulled.
	image string
}

func (t trouble) suffix() string {
	if t.what == "" {
		return ""
	}
	return " (" + t.what + ")"
}

// unpulled returns the error of an image that cannot be pulled.
func (t trouble) unpulled() error {
	return fmt.Errorf("%s; make the image available to the nodes, name another one in a values file, or set PULL_SECRET=<name> if its registry requires a login", t.what)
}

// pullFailures are the reasons for which the kubelet does not start a container without its image.
var pullFailures = []string{"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"}

// troubleOf returns the first problem of the pods of a workload, or of their creation. What cannot be read is no problem.
func (i *Installer) troubleOf(ctx context.Context, namespace string, workload storechart.Workload, selector map[string]string) trouble {
	var pods corev1.PodList
	if i.Client.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels(selector)) != nil {
		return trouble{}
	}
	events := i.warnings(ctx, namespace)
	for at := range pods.Items {
		if found := troubleOfPod(&pods.Items[at], events); found.what != "" {
			return found
		}
	}
	for _, event := range events { // such as a quota, for which there are no pods, or a volume
		name := event.InvolvedObject.Name
		if strings.HasPrefix(name, workload.Name) && event.InvolvedObject.Kind != "Pod" || strings.HasSuffix(name, workload.Name+"-0") {
			return trouble{what: strings.ToLower(event.InvolvedObject.Kind) + " " + name + ": " + textfmt.OneLine(event.Message)}
		}
	}
	return trouble{}
}

// warnings returns the namespace's events of that type, the latest first.
func (i *Installer) warnings(ctx context.Context, namespace string) []corev1.Event {
	var events corev1.EventList
	if i.Client.List(ctx, &events, client.InNamespace(namespace)) != nil {
		return nil
	}
	out := slices.DeleteFunc(events.Items, func(e corev1.Event) bool { return e.Type != corev1.EventTypeWarning })
	slices.SortStableFunc(out, func(a, b corev1.Event) int { return b.LastTimestamp.Compare(a.LastTimestamp.Time) })
	return out
}

func troubleOfPod(pod *corev1.Pod, events []corev1.Event) trouble {
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		waiting := status.State.Waiting
		switch {
		case waiting == nil:
		case slices.Contains(pullFailures, waiting.Reason):
			image := imageOf(pod, status.Name)
			return trouble{image: image, what: fmt.Sprintf("pod %s cannot pull image %s: %s", pod.Name, image, whyUnpulled(pod, waiting, events))}
		case waiting.Reason == "CrashLoopBackOff" || waiting.Reason == "CreateContainerConfigError" || waiting.Reason == "CreateContainerError":
			text := waiting.Message
			if ended := status.LastTerminationState.Terminated; ended != nil {
				text = fmt.Sprintf("it ended with exit code %d: %s", ended.ExitCode, ended.Message)
			}
			return trouble{what: fmt.Sprintf("pod %s: %s: %s", pod.Name, waiting.Reason, textfmt.OneLine(text))}
		}
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse {
			return trouble{what: fmt.Sprintf("pod %s cannot be scheduled: %s", pod.Name, textfmt.OneLine(condition.Message))}
		}
	}
	return trouble{}
}

// imageOf returns the image that a container asks for.
func imageOf(pod *corev1.Pod, container string) string {
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if c.Name == container {
			return c.Image
		}
	}
	return "of container " + container
}

// pullFailure matches the event that has the runtime's error. The pod's status often has only "Back-off pulling image".
var pullFailure = regexp.MustCompile(`^Failed to pull image "[^"]*": `)

func whyUnpulled(pod *corev1.Pod, waiting *corev1.ContainerStateWaiting, events []corev1.Event) string {
	for _, event := range events {
		if event.InvolvedObject.Kind == "Pod" && event.InvolvedObject.Name == pod.Name && pullFailure.MatchString(event.Message) {
			return textfmt.OneLine(pullFailure.ReplaceAllString(event.Message, ""))
		}
	}
	return textfmt.OneLine(waiting.Message)
}
