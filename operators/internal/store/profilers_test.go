package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
)

func TestProfilersAreThePodsOfTheStoreWhetherTheyGiveProfilesOrNot(t *testing.T) {
	pod := func(name, ip string, ports ...corev1.ContainerPort) corev1.Pod {
		p := storePod(name)
		p.Status.PodIP = ip
		p.Spec.Containers = []corev1.Container{{Name: "proxy"}, {Name: "store", Ports: ports}}
		return p
	}
	port := corev1.ContainerPort{Name: "profile", ContainerPort: 9406, Protocol: corev1.ProtocolTCP}
	helper := pod("helper", "10.0.0.9", port)
	helper.Labels = nil
	assert.Equal(t, []string{"s-0=[fd00::1]:9406", "s-1=", "s-2=", "s-3="}, Profilers([]corev1.Pod{
		pod("s-3", "10.0.0.3"), helper, pod("s-0", "fd00::1", port), pod("s-1", "", port),
		pod("s-2", "10.0.0.2", corev1.ContainerPort{Name: "profile", ContainerPort: 9406, Protocol: corev1.ProtocolUDP}),
	}))
	assert.Empty(t, Profilers(nil))
}
