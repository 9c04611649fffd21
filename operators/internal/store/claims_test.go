package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func storageClass(name string, mode storagev1.VolumeBindingMode, isDefault string) storagev1.StorageClass {
	return storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{defaultClass: isDefault}}, VolumeBindingMode: &mode}
}

// claimed returns a store with one unscheduled pod, and the claim of its volume, created at noon.
func claimed(class *string) ([]corev1.Pod, []corev1.PersistentVolumeClaim) {
	at := metav1.NewTime(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "s-0"}}
	pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-s-0"}}}}
	claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data-s-0", CreationTimestamp: at}, Spec: corev1.PersistentVolumeClaimSpec{StorageClassName: class}}
	return []corev1.Pod{pod}, []corev1.PersistentVolumeClaim{claim}
}

func TestAClaimOfAClassThatIsNotThereGetsNoVolume(t *testing.T) {
	local := storageClass("local-ssd", storagev1.VolumeBindingWaitForFirstConsumer, "")
	gp2 := storageClass("gp2", storagev1.VolumeBindingImmediate, "true")
	for name, test := range map[string]struct {
		class   *string
		classes []storagev1.StorageClass
		after   time.Duration
		bound   bool
		placed  bool
		says    string
	}{
		"an absent class": {ptr.To("gp3"), []storagev1.StorageClass{local, gp2}, claimGrace, false, false,
			"volume claim data-s-0 requests storage class gp3, which the cluster does not have (it has gp2 (default), local-ssd); choose another with --set spec.store.values.storage.className=<class>, or create it"},
		"a volume may be there":      {ptr.To("gp3"), nil, claimGrace - time.Second, false, false, ""},
		"a volume was there":         {ptr.To("gp3"), nil, claimGrace, true, false, ""},
		"the pod has a node":         {ptr.To("gp3"), nil, claimGrace, false, true, ""},
		"a class that is there":      {ptr.To("local-ssd"), []storagev1.StorageClass{local}, time.Hour, false, false, ""},
		"the default":                {nil, []storagev1.StorageClass{local, gp2}, time.Hour, false, false, ""},
		"no class, and to have none": {ptr.To(""), nil, time.Hour, false, false, ""},
		"the default, where there is no class": {nil, nil, claimGrace, false, false,
			"volume claim data-s-0 requests the default storage class, but none is marked as default (it has no storage class); choose one with --set spec.store.values.storage.className=<class>, or annotate one with storageclass.kubernetes.io/is-default-class=true"},
		"the default, where none is": {nil, []storagev1.StorageClass{local}, claimGrace, false, false,
			"volume claim data-s-0 requests the default storage class, but none is marked as default (it has local-ssd); choose one with --set spec.store.values.storage.className=<class>, or annotate one with storageclass.kubernetes.io/is-default-class=true"},
	} {
		t.Run(name, func(t *testing.T) {
			pods, claims := claimed(test.class)
			if test.bound {
				claims[0].Spec.VolumeName, claims[0].Status.Phase = "pv-1", corev1.ClaimBound
			}
			if test.placed {
				pods[0].Spec.NodeName = "node1"
			}
			assert.Equal(t, test.says, ClaimFault(Homeless(pods, claims), test.classes, claims[0].CreationTimestamp.Add(test.after)))
		})
	}
}

func TestAVolumeThatWasMadeBeforeItsPodHadANodeIsNamed(t *testing.T) {
	const words = "0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 3 node(s) had volume node affinity conflict."
	immediate, waits := storageClass("immediate-binding", storagev1.VolumeBindingImmediate, ""), storageClass("immediate-binding", storagev1.VolumeBindingWaitForFirstConsumer, "")
	for name, test := range map[string]struct {
		class   storagev1.StorageClass
		message string
		says    string
	}{
		"it clashes":                  {immediate, words, "volume pv-1 of claim data-s-0 was created before pod s-0 was scheduled (storage class immediate-binding has volumeBindingMode Immediate), on a node where the pod's affinity does not allow it, as next to another pod of the store; use a class with volumeBindingMode WaitForFirstConsumer"},
		"no node has room":            {immediate, "0/4 nodes are available: 4 Insufficient cpu.", ""},
		"the class waits for the pod": {waits, words, ""},
	} {
		t.Run(name, func(t *testing.T) {
			pods, claims := claimed(ptr.To("immediate-binding"))
			claims[0].Spec.VolumeName, claims[0].Status.Phase = "pv-1", corev1.ClaimBound
			pods[0].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: test.message}}
			assert.Equal(t, test.says, VolumeConflict(pods, claims, []storagev1.StorageClass{test.class}))
		})
	}
}

func TestTheLatestWarningOnAClaimIsItsTrouble(t *testing.T) {
	at := func(minute int) metav1.Time {
		return metav1.NewTime(time.Date(2026, 11, 21, 12, minute, 0, 0, time.UTC))
	}
	assert.Equal(t, "volume claim data-s-0: ProvisioningFailed: no space", ClaimTrouble("data-s-0", []corev1.Event{
		{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: "no space", LastTimestamp: at(2)},
		{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: "no answer", LastTimestamp: at(1)},
		{Type: corev1.EventTypeNormal, Reason: "WaitForFirstConsumer", Message: "waiting", LastTimestamp: at(3)},
	}))
	assert.Empty(t, ClaimTrouble("data-s-0", []corev1.Event{{Type: corev1.EventTypeNormal, Reason: "WaitForFirstConsumer"}}))
}
