package loadgen

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
)

func TestALoadPodHasEndedWhenItsOwnContainersHave(t *testing.T) {
	runs := func(name string) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
	}
	ended := func(name string, code int32) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}}
	}
	for name, test := range map[string]struct {
		phase         corev1.PodPhase
		statuses      []corev1.ContainerStatus
		ended, failed bool
	}{
		"all run":                       {corev1.PodRunning, []corev1.ContainerStatus{runs("load"), runs("meter"), runs("mesh")}, false, false},
		"meter lingers":                 {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 0), runs("meter")}, false, false},
		"a mesh goes on":                {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 0), ended("meter", 0), runs("mesh")}, true, false},
		"a mesh goes on after a fault":  {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 64), ended("meter", 64), runs("mesh")}, true, true},
		"a mesh ended":                  {corev1.PodRunning, []corev1.ContainerStatus{runs("load"), runs("meter"), ended("mesh", 1)}, false, false},
		"nothing is known but that yes": {corev1.PodSucceeded, nil, true, false},
		"lost with its node":            {corev1.PodFailed, nil, true, true},
		"not started":                   {corev1.PodPending, nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{Status: corev1.PodStatus{Phase: test.phase, ContainerStatuses: test.statuses}}
			assert.Equal(t, test.ended, Ended(pod))
			assert.Equal(t, test.failed, Failed(pod))
		})
	}
}

func TestForeignContainersAreThoseThatNobodyOrdered(t *testing.T) {
	template := BuildJob(order()).Spec.Template
	pod := &corev1.Pod{Spec: template.Spec}
	assert.Empty(t, Foreign(pod))
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "mesh-proxy"})
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, corev1.Container{Name: "mesh-init"})
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "mesh-proxy"}, {Name: "load"}, {Name: "meter"}}
	assert.Equal(t, []string{"mesh-init", "mesh-proxy"}, Foreign(pod))
	pod.Spec = corev1.PodSpec{} // as cached for a pod that has ended
	assert.Equal(t, []string{"mesh-proxy"}, Foreign(pod))
}
