package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
)

func TestCountersAreWhereAllPodsOfTheStoreTellThem(t *testing.T) {
	pod := func(name, ip string, ports ...corev1.ContainerPort) corev1.Pod {
		p := storePod(name)
		p.Status.PodIP = ip
		p.Spec.Containers = []corev1.Container{{Name: "proxy"}, {Name: "store", Ports: ports}}
		return p
	}
	udp := func(name string, number int32) corev1.ContainerPort {
		return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolUDP}
	}
	helper := pod("helper", "10.0.0.9", udp("counters", 9))
	helper.Labels = nil
	second := pod("s-1", "10.0.0.2", udp("gossip", 1), udp("counters", 9406))
	first := pod("s-0", "fd00::1", udp("counters", 9405))
	assert.Equal(t, []string{"[fd00::1]:9405", "10.0.0.2:9406"}, Counters([]corev1.Pod{second, helper, first}))

	for name, silent := range map[string]corev1.Pod{
		"no port":               pod("s-2", "10.0.0.3"),
		"a port of TCP":         pod("s-2", "10.0.0.3", corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolTCP}),
		"a port without name":   pod("s-2", "10.0.0.3", udp("", 9405)),
		"a pod with no address": pod("s-2", "", udp("counters", 9405)),
	} {
		assert.Empty(t, Counters([]corev1.Pod{first, second, silent}), name)
	}
	assert.Empty(t, Counters(nil))
}
