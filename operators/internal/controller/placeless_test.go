package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestProgressTellsThatNoNodeTakesTheLoad(t *testing.T) {
	waits := func(change func(*observed)) wait {
		step, is := nextStep(newScene().store(true).measurement(writeCell, 1, false, v1beta1.PartReady).job().with(change).o).(wait)
		require.True(t, is)
		return step
	}
	taken := waits(func(*observed) {})
	nowhere := []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: "0/4 nodes are available", LastTransitionTime: metav1.Time{Time: noon}}}
	placeless := waits(func(o *observed) { o.loadPods[1].Status.Conditions = nowhere })
	assert.Equal(t, taken.current+" is waiting for its load; pod p1 is not scheduled yet: 0/4 nodes are available (timeout at 12:02:30)", placeless.current)
	store := nextStep(newScene().store(false).with(func(o *observed) { o.objects.Slices, o.objects.Pods[0].Status.Conditions = nil, nowhere }).o).(wait)
	assert.Contains(t, store.current, " is not scheduled yet: 0/4 nodes are available (timeout at ", "an autoscaler may add one, or nobody")
	assert.Contains(t, placeless.message, "1 of 2 load pods are ready; pod p1 is not scheduled yet: 0/4 nodes are available (timeout at 12:02:30)")
}

func TestAPodThatWaitsForANodeIsToldWhoHoldsWhatItAsksFor(t *testing.T) {
	pod := func(component, container, node string, phase corev1.PodPhase, others ...string) corev1.Pod {
		out := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{v1beta1.LabelComponent: component}},
			Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: container, Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("1500m"), corev1.ResourceMemory: resource.MustParse("1Gi")}}}}},
			Status: corev1.PodStatus{Phase: phase}}
		for _, name := range others {
			out.Spec.Containers = append(out.Spec.Containers, corev1.Container{Name: name})
		}
		return out
	}
	kept := pod("load", "load", "n1", corev1.PodRunning, "meter", "mesh-proxy")
	for _, name := range []string{"load", "meter"} {
		kept.Status.ContainerStatuses = append(kept.Status.ContainerStatuses, corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}})
	}
	pods := []corev1.Pod{kept, kept, pod("load", "load", "n2", corev1.PodRunning, "meter"), pod("store", "cassandra", "n3", corev1.PodRunning),
		pod("load", "load", "n1", corev1.PodSucceeded), pod("load", "load", "", corev1.PodPending)}
	text := "2 pods that ended their load but are not removed (foreign container: mesh-proxy) with 3 of CPU and 2Gi of memory, " +
		"1 pod of loads that run or wait for a scrape with 1500m of CPU and 1Gi of memory, 1 pod of stores with 1500m of CPU and 1Gi of memory"
	assert.Equal(t, text, holders(pods))
	assert.Empty(t, holders(nil))

	step := nextStep(newScene().store(true).measurement(writeCell, 1, false, v1beta1.PartReady).job().with(func(o *observed) {
		o.loadPods[1].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: "0/4 nodes are available: 4 Insufficient cpu", LastTransitionTime: metav1.Time{Time: noon}}}
		o.holders = holders(pods)
	}).o)
	assert.Contains(t, step.(wait).message, "4 Insufficient cpu (timeout at 12:02:30); of what nodes have, Ringside's pods hold: "+text)
}
