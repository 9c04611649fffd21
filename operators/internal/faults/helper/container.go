package helper

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// program in the operator's image
const program = "/fault"

// capability that a kind of fault needs, in addition to the pod's namespaces. The store itself does what fault maintain is about, so that
// kind needs none.
var capability = map[v1beta1.FaultKind]corev1.Capability{
	v1beta1.FaultPause: "SYS_PTRACE",   // stops processes of another user
	v1beta1.FaultCut:   "NET_ADMIN",    // filters the pod's packets
	v1beta1.FaultLose:  "NET_ADMIN",    // the same
	v1beta1.FaultSlow:  "NET_ADMIN",    // the same, and delays them
	v1beta1.FaultBusy:  "DAC_OVERRIDE", // writes to a folder of another user
	v1beta1.FaultFill:  "DAC_OVERRIDE", // the same
}

// Volume is the path of the store's volume in a helper whose fault needs it.
const Volume = "/volume"

// Container returns the container that carries out an order in a store's pod. It shares the pod's network and, if the fault needs them, the
// processes and the volume of the pod's first container, but nothing of the node.
func Container(name string, o Order, pod *corev1.Pod, image string, pull corev1.PullPolicy) corev1.EphemeralContainer {
	return corev1.EphemeralContainer{
		TargetContainerName: target(o.Kind, pod),
		EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name:                     name,
			Image:                    image,
			ImagePullPolicy:          pull,
			Command:                  []string{program},
			Args:                     o.Args(),
			SecurityContext:          rights(o.Kind),
			VolumeMounts:             mounts(o.Kind, pod),
			TerminationMessagePath:   corev1.TerminationMessagePathDefault,
			TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		},
	}
}

// target returns the container with the processes that the helper shares; empty for fault maintain. Its helper needs none, and must outlive
// the store's processes, because a task may restart them.
func target(kind v1beta1.FaultKind, pod *corev1.Pod) string {
	if kind == v1beta1.FaultMaintain {
		return ""
	}
	return pod.Spec.Containers[0].Name
}

// rights returns the rights for a kind of fault. With a capability it runs as root, because a capability is effective for no other user, and
// has only the one. Without, it runs as the pod's user, as Pod Security restricted demands.
func rights(kind v1beta1.FaultKind) *corev1.SecurityContext {
	context := &corev1.SecurityContext{
		RunAsNonRoot:             ptr.To(true),
		AllowPrivilegeEscalation: ptr.To(false),
		ReadOnlyRootFilesystem:   ptr.To(true),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	if needed, there := capability[kind]; there {
		context.RunAsUser, context.RunAsGroup, context.RunAsNonRoot = ptr.To(int64(0)), ptr.To(int64(0)), ptr.To(false)
		context.Capabilities.Add = []corev1.Capability{needed}
	}
	return context
}

// mounts returns the mounts for a kind of fault: the claimed volume of the first container.
func mounts(kind v1beta1.FaultKind, pod *corev1.Pod) []corev1.VolumeMount {
	if !kind.OfVolume() {
		return nil
	}
	for _, mount := range pod.Spec.Containers[0].VolumeMounts {
		if slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name && v.PersistentVolumeClaim != nil }) {
			return []corev1.VolumeMount{{Name: mount.Name, MountPath: Volume}}
		}
	}
	return nil // the helper reports that there is none
}

// Asked reports whether a pod has the helper of this name.
func Asked(pod *corev1.Pod, name string) bool {
	for i := range pod.Spec.EphemeralContainers {
		if pod.Spec.EphemeralContainers[i].Name == name {
			return true
		}
	}
	return false
}

// Ended returns the report of the helper of this name; nil until it has ended. If it ended without a report, the report is a failure.
func Ended(pod *corev1.Pod, name string) *Report {
	ended := terminated(pod, name)
	if ended == nil {
		return nil
	}
	report, err := ParseReport(ended.Message)
	if err != nil {
		return &Report{Error: fmt.Sprintf("its helper ended with exit code %d (%s) and without a report", ended.ExitCode, ended.Reason)}
	}
	return &report
}

// Busy returns the longest time for which a helper, for example of an abandoned attempt, may still affect one of the pods.
func Busy(pods []corev1.Pod, now time.Time) time.Duration {
	longest := time.Duration(0)
	for i := range pods {
		for _, container := range pods[i].Spec.EphemeralContainers {
			if !slices.Equal(container.Command, []string{program}) || terminated(&pods[i], container.Name) != nil {
				continue
			}
			if order, err := ParseArgs(container.Args); err == nil {
				longest = max(longest, order.Until().Sub(now))
			}
		}
	}
	return longest
}

func terminated(pod *corev1.Pod, name string) *corev1.ContainerStateTerminated {
	for _, status := range pod.Status.EphemeralContainerStatuses {
		if status.Name == name {
			return status.State.Terminated
		}
	}
	return nil
}
