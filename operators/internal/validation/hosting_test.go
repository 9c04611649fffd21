package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
)

func TestHostingThatTheChartDoesNotSupportIsRejected(t *testing.T) {
	two := []v1beta1.ServerSpec{{Name: "a"}, {Name: "b"}}
	fault := []v1beta1.PhaseSpec{{Name: "kill", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{}}}}
	for name, test := range map[string]struct {
		chart   string
		hosting v1beta1.Hosting
		servers []v1beta1.ServerSpec
		phases  []v1beta1.PhaseSpec
		says    string
	}{
		"one store for all":             {"ledger", v1beta1.HostingShared, two, fault, ""},
		"a store for each":              {"shelf", v1beta1.HostingSideBySide, two, nil, ""},
		"a store for each round":        {"shelf", v1beta1.HostingDedicated, two, fault, ""},
		"one server under two names":    {"shelf", v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "a"}, {Name: "b", Type: "a"}}, fault, ""},
		"one release for several":       {"ledger", v1beta1.HostingSideBySide, two, nil, "hosting is SideBySide, but store ledger cannot be installed once for each server: --set spec.store.hosting=Shared or Dedicated"},
		"one store for several":         {"shelf", v1beta1.HostingShared, two, nil, "hosting is Shared, but a store of chart shelf runs one server: --set spec.store.hosting=SideBySide or Dedicated"},
		"a fault of one of many stores": {"shelf", v1beta1.HostingSideBySide, two, fault, "phase kill has faults, which name a node of the only store, but with SideBySide hosting each server has its own: --set spec.store.hosting=Dedicated, or remove spec.phases.kill.faults"},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := storechart.NewCatalogue("../storechart/testdata/charts").Open(test.chart)
			require.NoError(t, err)
			found := checkHosting(&v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: test.chart, Hosting: test.hosting}, Servers: test.servers, Phases: test.phases}, chart)
			if test.says == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, test.says, found[0].Error())
		})
	}
}
