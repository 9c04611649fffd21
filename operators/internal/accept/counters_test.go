package accept

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestAStoreThatTellsNoQueueIsRefusedWhenACapacityIsSearchedForByIt(t *testing.T) {
	of := func(component string, ports ...corev1.ContainerPort) []appsv1.StatefulSet {
		var set appsv1.StatefulSet
		set.Spec.Template.Labels = map[string]string{"app.kubernetes.io/component": component}
		set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "store", Ports: ports}}
		return []appsv1.StatefulSet{set}
	}
	udp := corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP}
	require.NoError(t, checkCountersPort("ledger", "most", of("store", udp)))
	require.NoError(t, checkCountersPort("ledger", "most", of("broker")), "what the manifest does not show is not known")
	tcp := udp
	tcp.Protocol = corev1.ProtocolTCP
	for name, sets := range map[string][]appsv1.StatefulSet{"none": of("store"), "of another kind": of("store", tcp)} {
		var refusal *Refusal
		require.ErrorAs(t, checkCountersPort("ledger", "most", sets), &refusal, name)
		assert.Equal(t, "phase most searches by the queue, and the pods of store ledger have no port named counters to tell it: search by Latency, or see store.values "+
			"(charts/README.md says what such a port answers)", refusal.Message)
	}
}
