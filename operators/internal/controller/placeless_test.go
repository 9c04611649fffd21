package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestProgressTellsThatNoNodeTakesTheLoad(t *testing.T) {
	waits := func(change func(*observed)) wait {
		step, is := nextStep(newScene().store(true).measurement(writeCell, 1, false, v1alpha1.PartReady).job().with(change).o).(wait)
		require.True(t, is)
		return step
	}
	taken := waits(func(*observed) {})
	placeless := waits(func(o *observed) {
		o.loadPods[1].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: "0/4 nodes are available", LastTransitionTime: metav1.Time{Time: noon}}}
	})
	assert.Equal(t, taken.current+" waits for a node that takes its load", placeless.current)
	assert.Contains(t, placeless.message, "1 of 2 load pods are ready; no node takes pod p1 yet: 0/4 nodes are available (given up at 12:02:30)")
}
