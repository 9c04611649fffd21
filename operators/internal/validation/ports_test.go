package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// rendered is a chart's manifest with one StatefulSet, of that component.
func rendered(t *testing.T, component string, ports ...corev1.ContainerPort) string {
	t.Helper()
	set := appsv1.StatefulSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}}
	set.Spec.Template.Labels = map[string]string{"app.kubernetes.io/component": component}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent"}, {Name: "store", Ports: ports}}
	manifest, err := yaml.Marshal(set)
	require.NoError(t, err)
	return string(manifest)
}

func TestAStoreWithoutThePortThatAPhaseNeedsIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		phase v1beta1.PhaseSpec
		port  corev1.ContainerPort
		other corev1.Protocol
		says  string
	}{
		"profiles": {
			v1beta1.PhaseSpec{Name: "read", Profile: []v1beta1.ProfileEvent{v1beta1.ProfileCPU}},
			corev1.ContainerPort{Name: "profile", ContainerPort: 9406}, corev1.ProtocolUDP,
			"phase read asks for profiles, but the pods of store ledger have no port named profile: --set spec.phases.read.profile=null removes them (docs/reference/store-contract.md describes the port)",
		},
		"a search by the queue": {
			v1beta1.PhaseSpec{Name: "most", Type: v1beta1.PhaseCapacity, Capacity: &v1beta1.CapacitySpec{By: v1beta1.ByQueue}},
			corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP}, corev1.ProtocolTCP,
			"phase most searches for a capacity by the queue, but the pods of store ledger have no port named counters to report it: use capacity.by=Latency, or see store.values (docs/reference/store-contract.md describes the port)",
		},
		"a wait for compactions": {
			v1beta1.PhaseSpec{Name: "load", AwaitCompactions: &metav1.Duration{Duration: time.Minute}},
			corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP}, corev1.ProtocolTCP,
			"phase load awaits the end of compactions, but the pods of store ledger have no port named counters to report them: --set spec.phases.load.awaitCompactions=null removes the wait (docs/reference/store-contract.md describes the port)",
		},
		"a kill": {
			v1beta1.PhaseSpec{Name: "crash", Type: v1beta1.PhaseRecovery, Recovery: &v1beta1.RecoverySpec{KillAfter: metav1.Duration{Duration: time.Second}}},
			corev1.ContainerPort{Name: "kill", ContainerPort: 9407}, corev1.ProtocolUDP,
			"phase crash kills the store, but the pods of store ledger have no port named kill: if the chart supports it, --set spec.store.values.kill.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
		},
		"maintenance": {
			v1beta1.PhaseSpec{Name: "repair", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}, {Kind: v1beta1.FaultMaintain, Task: "repair"}}},
			corev1.ContainerPort{Name: "maintenance", ContainerPort: 9407}, corev1.ProtocolUDP,
			"phase repair has the store maintain itself, but the pods of store ledger have no port named maintenance: if the chart supports it, --set spec.store.values.maintenance.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "fill"}, test.phase}}
			spec.Store.Chart = "ledger"
			require.NoError(t, checkPorts(spec, rendered(t, "store", test.port)))
			require.NoError(t, checkPorts(spec, ""), "what the manifest does not show is not known")
			require.NoError(t, checkPorts(spec, rendered(t, "broker")), "a companion need not")

			wrong := test.port
			wrong.Protocol = test.other
			for lacks, manifest := range map[string]string{"none": rendered(t, "store"), "of another kind": rendered(t, "store", wrong)} {
				var refusal problem.Problem
				require.ErrorAs(t, checkPorts(spec, manifest), &refusal, lacks)
				assert.Equal(t, test.says, refusal.Error(), lacks)
			}
			spec.Phases = spec.Phases[:1]
			assert.NoError(t, checkPorts(spec, rendered(t, "store")), "no phase needs it")
		})
	}
}
