package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestKnowsTheCPULimitsThatALimitRangeGave(t *testing.T) {
	for name, test := range map[string]struct {
		annotation string
		want       []string
	}{
		"nothing given":              {"", nil},
		"requests alone":             {"LimitRanger plugin set: cpu, memory request for container store", nil},
		"a memory limit":             {"LimitRanger plugin set: cpu request for container store; memory limit for container store", nil},
		"a CPU limit":                {"LimitRanger plugin set: cpu limit for container store", []string{"container store of store pod s-0"}},
		"a CPU limit among others":   {"LimitRanger plugin set: cpu, memory request for container store; cpu, ephemeral-storage, memory limit for container store", []string{"container store of store pod s-0"}},
		"of one container of two":    {"LimitRanger plugin set: memory limit for container store; cpu, memory limit for container beside", []string{"container beside of store pod s-0"}},
		"of what ends before it all": {"LimitRanger plugin set: cpu, memory limit for init container prepare", nil},
	} {
		t.Run(name, func(t *testing.T) {
			pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "s-0", Annotations: map[string]string{"kubernetes.io/limit-ranger": test.annotation}}}
			assert.Equal(t, test.want, LimitedByRange([]corev1.Pod{pod}))
		})
	}
}
