package accept

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestAFaultIsOfANodeThatTheStoreHas(t *testing.T) {
	three := strings.Replace(rendered(t, v1alpha1.StoreComponent), "spec:\n", "spec:\n  replicas: 3\n", 1)
	for name, test := range map[string]struct {
		manifest string
		node     int32
		says     string
	}{
		"the last":    {three, 2, ""},
		"beyond it":   {three, 3, "fault 0 of phase read is for node 3, and store ledger has the nodes 0 to 2: choose one of them"},
		"of only one": {rendered(t, v1alpha1.StoreComponent), 1, "fault 0 of phase read is for node 1, and store ledger has the nodes 0 to 0: choose one of them"},
		"not counted": {rendered(t, "proxy"), 0, "phase read has faults, and the pods of store ledger are no StatefulSet's, which would bring them back: take spec.phases.read.faults out"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1alpha1.ExperimentSpec{Store: v1alpha1.StoreSpec{Chart: "ledger"}, Phases: []v1alpha1.PhaseSpec{
				{Name: "write"}, {Name: "read", Faults: []v1alpha1.FaultSpec{{Kind: v1alpha1.FaultKill, Node: test.node}}}}}
			err := checkFaultNodes(spec, test.manifest)
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			assert.EqualError(t, err, test.says)
		})
	}
	require.NoError(t, checkFaultNodes(&v1alpha1.ExperimentSpec{Phases: []v1alpha1.PhaseSpec{{Name: "read"}}}, rendered(t, "proxy")))
}
