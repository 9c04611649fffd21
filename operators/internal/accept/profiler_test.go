package accept

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestAStoreThatGivesNoProfilesIsRefusedWhenTheyAreAskedFor(t *testing.T) {
	does := func(component string, ports ...corev1.ContainerPort) []appsv1.StatefulSet {
		var set appsv1.StatefulSet
		set.Spec.Template.Labels = map[string]string{"app.kubernetes.io/component": component}
		set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent"}, {Name: "store", Ports: ports}}
		return []appsv1.StatefulSet{set}
	}
	tcp, udp := corev1.ContainerPort{Name: "profile", ContainerPort: 9406}, corev1.ContainerPort{Name: "profile", ContainerPort: 9406, Protocol: corev1.ProtocolUDP}
	require.NoError(t, checkProfilePort("ledger", "read", does("store", tcp)))
	require.NoError(t, checkProfilePort("ledger", "read", nil), "what the manifest does not show is not known")
	require.NoError(t, checkProfilePort("ledger", "read", does("broker")), "a companion need not")
	for name, sets := range map[string][]appsv1.StatefulSet{"none": does("store"), "of another kind": does("store", udp)} {
		var refusal *Refusal
		require.ErrorAs(t, checkProfilePort("ledger", "read", sets), &refusal, name)
		assert.Equal(t, "phase read asks for profiles, and the pods of store ledger have no port named profile: --set spec.phases.read.profile=null leaves them out (charts/README.md says what such a port answers)", refusal.Message)
	}
}
