package controller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The API server itself applies the limit to the pods, and reports it.
func TestAStoreThatALimitRangeHoldsBackIsNotTheOneAskedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	limits := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "household", Namespace: h.namespace}, Spec: corev1.LimitRangeSpec{
		Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Default: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}}}}}
	require.NoError(t, h.client.Create(h.ctx, limits))
	h.run(h.create(nil))
	m := h.measurement(firstWrite)
	require.NotNil(t, m)
	assert.False(t, m.Status.Valid)
	for _, pod := range m.Status.StorePods {
		assert.Contains(t, m.Status.InvalidReasons, "throttling: a LimitRange of the namespace gave container ledger of store pod "+pod.Name+
			" a CPU limit: remove the default from it, or set a limit in the store's values (resources)")
	}
	assert.Len(t, m.Status.StorePods, 2)
}
