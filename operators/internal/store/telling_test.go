package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// proved returns the proof of a pod that reports everything a JVM has.
func proved(server, pod string) v1beta1.Proof {
	return v1beta1.Proof{Server: server, Class: "dev.ringside.thrift.TDisruptorServer", Address: "10.201.2.2", Port: 9160, PluginSHA256: strings.Repeat("a", 64),
		ImageDigest: "sha256:" + strings.Repeat("b", 64), Pod: pod, Node: "ip-10-0-100-100.eu-central-1.compute.internal",
		Environment: map[string]string{v1beta1.SurvivesKill: "true", "jvm": "8", "jvm_flags": "-javaagent=" + pod + strings.Repeat(" -XX:+Flag", 250)}}
}

func TestTheProofsOfAHundredNodesThatHostAllServersFitIntoAnObject(t *testing.T) {
	var proofs []v1beta1.Proof
	for node := range 100 {
		for server := range 16 {
			proofs = append(proofs, proved(fmt.Sprintf("server-with-a-long-name-%d", server), fmt.Sprintf("shared-d6c0c8-%d", node)))
		}
	}
	const halfOfAnObject = 3 << 18 // half of the 1.5 MiB that etcd accepts in a request
	whole, err := json.Marshal(proofs)
	require.NoError(t, err)
	require.Greater(t, len(whole), 2*halfOfAnObject)
	text, err := json.Marshal(ToldOnce(proofs))
	require.NoError(t, err)
	assert.Less(t, len(text), halfOfAnObject)
}

func TestEachServersEnvironmentIsToldByOnePodAndThePromisesByAll(t *testing.T) {
	proofs := []v1beta1.Proof{proved("a", "p-0"), proved("b", "p-0"), proved("a", "p-1"), proved("b", "p-1")}
	kept := ToldOnce(proofs)
	assert.Equal(t, proofs[:2], kept[:2])
	for _, proof := range kept[2:] {
		assert.Equal(t, map[string]string{v1beta1.SurvivesKill: "true"}, proof.Environment)
	}
	assert.Equal(t, "p-1", proofs[2].Pod)
	assert.Contains(t, proofs[2].Environment, "jvm", "what was given is as it was")
	assert.Equal(t, kept, ToldOnce(kept))
	assert.Equal(t, "p-0", Telling([]v1beta1.Proof{kept[0], kept[2]}).Pod)

	replaced := ToldOnce([]v1beta1.Proof{kept[2], proved("a", "p-2")})
	assert.Equal(t, "p-2", Telling(replaced).Pod, "the pod that told is gone: the one in its place does")
	assert.Contains(t, Telling(replaced).Environment, "jvm_flags")
}

func TestAProofOfAStoreThatTellsNothingIsTakenAsItIs(t *testing.T) {
	silent := []v1beta1.Proof{{Server: "a", Pod: "p-0"}, {Server: "a", Pod: "p-1"}}
	assert.Equal(t, silent, ToldOnce(silent))
	assert.Equal(t, "p-0", Telling(silent).Pod)
	assert.Nil(t, Telling(nil))
}

func TestSettingsThatAreTheSameEverywhereAreKeptOnce(t *testing.T) {
	with := func(server, pod, digest string) v1beta1.Proof {
		proof := proved(server, pod)
		proof.Settings, proof.SettingsSHA256 = map[string]string{"reads": digest}, digest
		return proof
	}
	proofs := []v1beta1.Proof{with("a", "p-0", "1"), with("b", "p-0", "1"), with("a", "p-1", "2"), with("b", "p-1", "2")}
	kept := ToldOnce(proofs)
	assert.Equal(t, []bool{true, false, true, false}, []bool{kept[0].Settings != nil, kept[1].Settings != nil, kept[2].Settings != nil, kept[3].Settings != nil})
	for i, proof := range kept {
		assert.Equal(t, proofs[i].Settings, WithSettings(proof, kept).Settings)
	}
	assert.Equal(t, kept, ToldOnce(kept))
	silent := proved("a", "p-0")
	assert.Nil(t, WithSettings(silent, []v1beta1.Proof{silent, kept[0]}).Settings, "it told none")
}

func TestAStoreOfWhichANodeWasUpgradedHasTheSettingsOfAllItsNodes(t *testing.T) {
	old, upgraded := proved("v41", "p-0"), proved("v41", "p-1")
	old.Settings, upgraded.Settings = map[string]string{"version": "4.1.10", "java": "11", "gone": "1"}, map[string]string{"version": "5.0.9", "java": "11", "new": "1"}
	mixed := Mixed(old, []v1beta1.Proof{old, upgraded, old})
	assert.Equal(t, map[string]string{"version": "4.1.10 and 5.0.9", "java": "11", "gone": "1"}, mixed.Settings)
	mixed.Environment["more"] = "1"
	assert.NotContains(t, old.Environment, "more")
	assert.Equal(t, "4.1.10", old.Settings["version"], "what was given is as it was")
	assert.NotNil(t, Mixed(v1beta1.Proof{}, nil).Environment)
}

func TestAStoreThatWasKilledHasDiedOnceInItsPlace(t *testing.T) {
	now := metav1.Now()
	pod := func(uid string, restarts int32, ready *metav1.Time) []v1beta1.StorePod {
		return []v1beta1.StorePod{{Name: "s-0", UID: uid, Restarts: restarts, ReadySince: ready}}
	}
	before := pod("a", 2, &now)
	for says, after := range map[string][]v1beta1.StorePod{
		"":                           pod("a", 3, &now),
		"store pod s-0 disappeared":  nil,
		"store pod s-0 was replaced": pod("b", 0, &now),
		"store pod s-0 restarted 0 times instead of once": pod("a", 2, &now),
		"store pod s-0 restarted 2 times instead of once": pod("a", 4, &now),
		"store pod s-0 is not ready":                      pod("a", 3, nil),
	} {
		assert.Equal(t, says, NotKilledOnce(before, after))
	}
}

func TestAStoreTakesTheOrderToDieWhereAllItsPodsDo(t *testing.T) {
	pod := func(name string, ports ...corev1.ContainerPort) corev1.Pod {
		p := storePod(name)
		p.Status.PodIP = "10.0.0.1"
		p.Spec.Containers = []corev1.Container{{Name: "store", Ports: ports}}
		return p
	}
	kill := corev1.ContainerPort{Name: "kill", ContainerPort: 9407}
	assert.Equal(t, []string{"10.0.0.1:9407", "10.0.0.1:9407"}, Killers([]corev1.Pod{pod("s-1", kill), pod("s-0", kill)}))
	assert.Empty(t, Killers([]corev1.Pod{pod("s-1", kill), pod("s-0")}))
	assert.True(t, CanBeKilled(corev1.PodTemplateSpec{Spec: pod("s-0", kill).Spec}))
	assert.False(t, CanBeKilled(corev1.PodTemplateSpec{Spec: pod("s-0").Spec}))
}

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
