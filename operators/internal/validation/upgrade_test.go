package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

const upgradeTo = `ringside.dev/upgrade-to: maintenance.upgradeTo, ringside.dev/settings: "kinds.*.version"`

// upgrading returns an experiment that upgrades node 1 of a dedicated store to quiet.
func upgrading(change func(*v1beta1.ExperimentSpec)) *v1beta1.ExperimentSpec {
	spec := &v1beta1.ExperimentSpec{
		Store: v1beta1.StoreSpec{Chart: "small", Hosting: v1beta1.HostingDedicated,
			Values: &storechart.JSON{Raw: []byte(`{"maintenance": {"upgradeTo": "quiet"}, "kinds": {"calm": {"version": "1"}, "quiet": {"version": "2"}}}`)}},
		Servers: []v1beta1.ServerSpec{{Name: "calm"}},
		Phases: []v1beta1.PhaseSpec{{Name: "fill", Repeats: 1}, {Name: "read", Repeats: 1, Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{
			{Kind: v1beta1.FaultMaintain, Task: "repair"}, {Kind: v1beta1.FaultMaintain, Task: v1beta1.TaskUpgrade, Node: 1}}}},
	}
	change(spec)
	return spec
}

func TestANodeIsUpgradedOnceToWhatTheValuesName(t *testing.T) {
	const what = "fault 1 of phase read upgrades node 1"
	for name, test := range map[string]struct {
		annotation string
		change     func(*v1beta1.ExperimentSpec)
		says       []string
	}{
		"as it should be":           {upgradeTo, func(*v1beta1.ExperimentSpec) {}, nil},
		"the chart does not say to": {"", func(*v1beta1.ExperimentSpec) {}, []string{what + ", but the chart of store small does not state what a node is then (annotation ringside.dev/upgrade-to): use another task"}},
		"all rounds in one store": {upgradeTo, func(spec *v1beta1.ExperimentSpec) { spec.Store.Hosting = v1beta1.HostingShared },
			[]string{what + ", but with Shared hosting the same store serves all rounds: --set spec.store.hosting=Dedicated"}},
		"repeats": {upgradeTo, func(spec *v1beta1.ExperimentSpec) { spec.Phases[1].Repeats = 2 },
			[]string{what + ", which was upgraded before in the same store: upgrade each node once, and use rounds"}},
		"an earlier phase": {upgradeTo, func(spec *v1beta1.ExperimentSpec) {
			spec.Phases[0].Faults = []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: v1beta1.TaskUpgrade, Node: 1}, {Kind: v1beta1.FaultMaintain, Task: v1beta1.TaskUpgrade, Node: 2}}
		}, []string{what + ", which was upgraded before in the same store: upgrade each node once, and use rounds"}},
		"to nothing, of one server": {upgradeTo, func(spec *v1beta1.ExperimentSpec) {
			spec.Servers = append(spec.Servers, v1beta1.ServerSpec{Name: "quiet", Values: &storechart.JSON{Raw: []byte(`{"maintenance": {"upgradeTo": ""}}`)}})
		}, []string{what + ", but value maintenance.upgradeTo of server quiet is empty: set it in spec.store.values, or in spec.servers.quiet.values, as charts/small/values.yaml describes it"}},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, problem := range checkUpgrades(upgrading(test.change), chartOf(t, test.annotation)) {
				said = append(said, problem.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}

func TestAnUpgradedNodeIsAskedForTheSettingsOfWhatItBecame(t *testing.T) {
	chart, spec := chartOf(t, upgradeTo), upgrading(func(*v1beta1.ExperimentSpec) {})
	installation := plan.Store{Servers: []string{"calm"}, Types: []string{"calm"}}
	asked, err := Asked(*spec, installation, "calm", chart)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"version": "1"}, asked)
	became, asked, err := Upgraded(*spec, installation, chart)
	require.NoError(t, err)
	assert.Equal(t, "quiet", became)
	assert.Equal(t, map[string]string{"version": "2"}, asked)
	spec.Store.Values = nil
	became, asked, err = Upgraded(*spec, installation, chart)
	require.NoError(t, err)
	assert.Empty(t, became)
	assert.Nil(t, asked)
}
