package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestServersWithStoresOnOtherNodesAreNamed(t *testing.T) {
	on := func(server string, nodes ...string) ServerNodes { return ServerNodes{server, nodes} }
	for name, test := range map[string]struct {
		machines []ServerNodes
		says     string
	}{
		"one store for all":     {nil, ""},
		"all on the same":       {[]ServerNodes{on("v41", "n1", "n2"), on("v50", "n1", "n2")}, ""},
		"one that is not there": {[]ServerNodes{on("v41", "n1", "n2"), on("v50")}, ""},
		"on others": {[]ServerNodes{on("v41", "n1", "n2"), on("v41-again", "n1", "n2"), on("v50", "n3", "n4")},
			"machines: the store of v41 ran on n1, n2, but that of v50 on n3, n4: their figures also compare these nodes; use nodes that have room for a pod of every server"},
		"on some others": {[]ServerNodes{on("v41", "n1", "n2"), on("v50", "n2", "n3")},
			"machines: the store of v41 ran on n1, n2, but that of v50 on n2, n3: their figures also compare these nodes; use nodes that have room for a pod of every server"},
	} {
		t.Run(name, func(t *testing.T) {
			e := good()
			e.Spec.Server, e.Machines = "v41", test.machines
			verdict := Judge(e)
			assert.Empty(t, verdict.Invalid)
			if test.says == "" {
				assert.Empty(t, verdict.Warnings)
				return
			}
			assert.Equal(t, Findings{{v1beta1.GateStoreNodesDiffer, test.says}}, verdict.Warnings)
		})
	}
}
