package accept

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestAStoreThatTakesNoOrderToDieIsRefusedWhereItIsToBeKilled(t *testing.T) {
	pods := func(ports ...corev1.ContainerPort) []appsv1.StatefulSet {
		var set appsv1.StatefulSet
		set.Spec.Template.Labels = map[string]string{"app.kubernetes.io/component": "store"}
		set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "store", Ports: ports}}
		return []appsv1.StatefulSet{set}
	}
	require.NoError(t, checkKillPort("ledger", "crash", pods(corev1.ContainerPort{Name: "kill", ContainerPort: 9407})))
	require.NoError(t, checkKillPort("ledger", "crash", nil), "what the manifest does not show is not known")
	var refusal *Refusal
	require.ErrorAs(t, checkKillPort("ledger", "crash", pods()), &refusal)
	assert.Equal(t, "phase crash kills the store, and the pods of store ledger have no port named kill to be told so: charts that can open one by --set spec.store.values.kill.enabled=true (charts/README.md says what such a port does)", refusal.Message)
}
