package validation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAFaultEndsBeforeTheKubeletEndsTheNode(t *testing.T) {
	manifest := func(container string) string {
		return fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "s"}, "spec": {"replicas": 2, "template": {
			"metadata": {"labels": {%q: %q}}, "spec": {"containers": [{"name": "sidecar"}, %s]}}}}`, v1beta1.LabelComponent, v1beta1.StoreComponent, container)
	}
	for name, test := range map[string]struct {
		container string
		lasts     time.Duration
		says      string
		kind      v1beta1.FaultKind
	}{
		"who is never asked":          {`{"name": "store"}`, time.Hour, "", v1beta1.FaultPause},
		"who is not silent":           {`{"name": "store", "livenessProbe": {}}`, time.Hour, "", v1beta1.FaultSlow},
		"shorter":                     {`{"name": "store", "livenessProbe": {"periodSeconds": 20, "timeoutSeconds": 5, "failureThreshold": 3}}`, 44 * time.Second, "", v1beta1.FaultCut},
		"as long":                     {`{"name": "store", "livenessProbe": {"periodSeconds": 20, "timeoutSeconds": 5, "failureThreshold": 3}}`, 45 * time.Second, "fault 0 of phase read lasts 45s, but the kubelet restarts a node of store ledger that is silent for 45s: use a shorter time", v1beta1.FaultCut},
		"longer than Kubernetes' own": {`{"name": "store", "livenessProbe": {}}`, 22 * time.Second, "fault 0 of phase read lasts 22s, but the kubelet restarts a node of store ledger that is silent for 21s: use a shorter time", v1beta1.FaultPause},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: "ledger"}, Phases: []v1beta1.PhaseSpec{
				{Name: "read", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: test.kind, For: &metav1.Duration{Duration: test.lasts}}}}}}
			err := checkFaultNodes(spec, manifest(test.container))
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			assert.EqualError(t, err, test.says)
		})
	}
}

func TestAFaultIsOfANodeThatTheStoreHas(t *testing.T) {
	set := func(name string, replicas int) string {
		return fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": %q}, "spec": {"replicas": %d, "template": {
			"metadata": {"labels": {%q: %q}}, "spec": {"containers": [{"name": "store"}]}}}}`, name, replicas, v1beta1.LabelComponent, v1beta1.StoreComponent)
	}
	three := strings.Replace(rendered(t, v1beta1.StoreComponent), "spec:\n", "spec:\n  replicas: 3\n", 1)
	for name, test := range map[string]struct {
		manifest string
		node     int32
		says     string
		kind     v1beta1.FaultKind
	}{
		"of a volume":  {strings.Replace(three, "spec:\n", "spec:\n  volumeClaimTemplates: [{metadata: {name: data}}]\n", 1), 2, "", v1beta1.FaultBusy},
		"to be filled": {strings.Replace(three, "spec:\n", "spec:\n  volumeClaimTemplates: [{metadata: {name: data}}]\n", 1), 2, "", v1beta1.FaultFill},
		"of no volume": {three, 2, "fault 0 of phase read acts on the volume of a node, but the nodes of store ledger have none: choose another kind, or let the store keep its data on volumes",
			v1beta1.FaultBusy},
		"the last":         {three, 2, "", v1beta1.FaultKill},
		"beyond it":        {three, 3, "fault 0 of phase read is for node 3, but store ledger has the nodes 0 to 2: choose one of them", v1beta1.FaultKill},
		"of only one":      {rendered(t, v1beta1.StoreComponent), 1, "fault 0 of phase read is for node 1, but store ledger has the nodes 0 to 0: choose one of them", v1beta1.FaultKill},
		"of either of two": {set("ring", 3) + "\n---\n" + set("proxy", 2), 1, "fault 0 of phase read is for node 1, but store ledger has 2 StatefulSets with such a node (ring, proxy): faults are supported for stores of one StatefulSet; remove spec.phases.read.faults", v1beta1.FaultKill},
		"not counted":      {rendered(t, "proxy"), 0, "phase read has faults, but the pods of store ledger belong to no StatefulSet, which would recreate them: remove spec.phases.read.faults", v1beta1.FaultKill},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: "ledger"}, Phases: []v1beta1.PhaseSpec{
				{Name: "write"}, {Name: "read", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: test.kind, Node: test.node}}}}}
			err := checkFaultNodes(spec, test.manifest)
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			assert.EqualError(t, err, test.says)
		})
	}
	require.NoError(t, checkFaultNodes(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "read"}}}, rendered(t, "proxy")))
}
