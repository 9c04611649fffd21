package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// claimGrace is the time for a pre-created volume, whose class need not exist, to be bound, and for a class installed together with the
// store to appear.
const claimGrace = 20 * time.Second

const (
	defaultClass     = "storageclass.kubernetes.io/is-default-class"
	betaDefaultClass = "storageclass.beta.kubernetes.io/is-default-class"
)

// Homeless returns the volume claims of unscheduled pods.
func Homeless(pods []corev1.Pod, claims []corev1.PersistentVolumeClaim) []corev1.PersistentVolumeClaim {
	return slices.DeleteFunc(slices.Clone(claims), func(claim corev1.PersistentVolumeClaim) bool {
		return !slices.ContainsFunc(pods, func(pod corev1.Pod) bool {
			return pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
				return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.Name
			})
		})
	})
}

// Unbound reports whether a claim has no volume.
func Unbound(claim corev1.PersistentVolumeClaim) bool {
	return claim.Status.Phase != corev1.ClaimBound && claim.Spec.VolumeName == ""
}

// ClaimFault returns why a claim gets no volume without a change of the cluster or the run: it requests a storage class that does not
// exist, or the default class, and there is none. Empty if neither applies.
func ClaimFault(claims []corev1.PersistentVolumeClaim, classes []storagev1.StorageClass, now time.Time) string {
	for _, claim := range claims {
		if !Unbound(claim) || now.Sub(claim.CreationTimestamp.Time) < claimGrace {
			continue
		}
		switch name := claim.Spec.StorageClassName; {
		case name == nil && !slices.ContainsFunc(classes, isDefault):
			return fmt.Sprintf("volume claim %s requests the default storage class, but none is marked as default (%s); choose one with --set spec.store.values.storage.className=<class>, or annotate one with %s=true",
				claim.Name, listed(classes), defaultClass)
		case name != nil && *name != "" && !slices.ContainsFunc(classes, func(c storagev1.StorageClass) bool { return c.Name == *name }):
			return fmt.Sprintf("volume claim %s requests storage class %s, which the cluster does not have (%s); choose another with --set spec.store.values.storage.className=<class>, or create it",
				claim.Name, *name, listed(classes))
		}
	}
	return ""
}

// VolumeConflict returns why an unschedulable pod conflicts with its own volume: the volume was created on a node, or in a zone, before the
// pod was scheduled, and the pod may not run there. Empty if there is no conflict.
func VolumeConflict(pods []corev1.Pod, claims []corev1.PersistentVolumeClaim, classes []storagev1.StorageClass) string {
	for i := range pods {
		_, message, waits := unschedulable(&pods[i])
		if !waits || !strings.Contains(message, "volume node affinity conflict") {
			continue
		}
		for _, claim := range Homeless(pods[i:i+1], claims) {
			j := slices.IndexFunc(classes, func(c storagev1.StorageClass) bool {
				return claim.Spec.StorageClassName != nil && c.Name == *claim.Spec.StorageClassName
			})
			if j < 0 || Unbound(claim) || classes[j].VolumeBindingMode != nil && *classes[j].VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer {
				continue
			}
			return fmt.Sprintf("volume %s of claim %s was created before pod %s was scheduled (storage class %s has volumeBindingMode Immediate), on a node where the pod's affinity does not allow it, as next to another pod of the store; use a class with volumeBindingMode WaitForFirstConsumer",
				claim.Spec.VolumeName, claim.Name, pods[i].Name, classes[j].Name)
		}
	}
	return ""
}

// ClaimTrouble returns the latest warning on a claim, in the words of its provisioner; empty if there is none.
func ClaimTrouble(claim string, events []corev1.Event) string {
	var latest *corev1.Event
	for i := range events {
		if events[i].Type == corev1.EventTypeWarning && (latest == nil || seen(&events[i]).After(seen(latest))) {
			latest = &events[i]
		}
	}
	if latest == nil {
		return ""
	}
	return fmt.Sprintf("volume claim %s: %s: %s", claim, latest.Reason, latest.Message)
}

func isDefault(class storagev1.StorageClass) bool {
	return class.Annotations[defaultClass] == "true" || class.Annotations[betaDefaultClass] == "true"
}

// listed describes the existing storage classes.
func listed(classes []storagev1.StorageClass) string {
	if len(classes) == 0 {
		return "it has no storage class"
	}
	var names []string
	for _, class := range classes {
		name := class.Name
		if isDefault(class) {
			name += " (default)"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return "it has " + strings.Join(names, ", ")
}
