package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
