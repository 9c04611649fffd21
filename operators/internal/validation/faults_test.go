package validation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

func TestAFaultIsSeenAndTellsSomething(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*v1beta1.PhaseSpec)
		says   []string
	}{
		"as it should be":  {func(*v1beta1.PhaseSpec) {}, nil},
		"two nodes":        {func(p *v1beta1.PhaseSpec) { p.Faults = append(p.Faults, kill(2, 40*time.Second)) }, nil},
		"at several rates": {func(p *v1beta1.PhaseSpec) { p.TargetRate, p.Sweep.Rates = 0, []int64{100, 200} }, nil},
		"none":             {func(p *v1beta1.PhaseSpec) { p.Faults, p.TargetRate = nil, 0 }, nil},
		"when it is over":  {func(p *v1beta1.PhaseSpec) { p.Faults[0].At.Duration = time.Minute }, []string{"fault 0 of phase kill ends at 1m0s, but the phase must last 10s longer than that: use an earlier time, or a longer phase"}},
		"before there is a level": {func(p *v1beta1.PhaseSpec) { p.Faults[0].At.Duration = 0 },
			[]string{"fault 0 of phase kill is at 0s, but the rate before it takes 5s to measure: use a later time"}},
		"between milliseconds": {func(p *v1beta1.PhaseSpec) { p.Faults[0].At.Duration += time.Microsecond }, []string{"fault 0 of phase kill is at 20.000001s: use whole milliseconds, as in at: 30s"}},
		"the same node": {func(p *v1beta1.PhaseSpec) { p.Faults = append(p.Faults, kill(1, 40*time.Second)) },
			[]string{"fault 1 of phase kill hits node 1 again: use each node once, and repeats or rounds"}},
		"a pause": {func(p *v1beta1.PhaseSpec) { p.Faults[0] = pause(10 * time.Second) }, nil},
		"a pause until the end": {func(p *v1beta1.PhaseSpec) { p.Faults[0] = pause(31 * time.Second) },
			[]string{"fault 0 of phase kill ends at 51s, but the phase must last 10s longer than that: use an earlier time, or a longer phase"}},
		"a pause between milliseconds": {func(p *v1beta1.PhaseSpec) { p.Faults[0] = pause(2*time.Second + 1) },
			[]string{"fault 0 of phase kill is to last 2.000000001s: use whole milliseconds, as in for: 10s"}},
		"packets held between milliseconds": {func(p *v1beta1.PhaseSpec) {
			p.Faults[0] = pause(10 * time.Second)
			p.Faults[0].Kind, p.Faults[0].Delay = v1beta1.FaultSlow, &metav1.Duration{Duration: 1500 * time.Microsecond}
		}, []string{"fault 0 of phase kill delays packets by 1.5ms: use whole milliseconds, as in delay: 50ms"}},
		"room below nothing": {func(p *v1beta1.PhaseSpec) {
			p.Faults[0] = pause(10 * time.Second)
			p.Faults[0].Kind, p.Faults[0].Leave = v1beta1.FaultFill, ptr.To(resource.MustParse("-16Mi"))
		}, []string{"fault 0 of phase kill leaves -16Mi of the volume: use a size, as in leave: 16Mi"}},
	} {
		t.Run(name, func(t *testing.T) {
			phase := v1beta1.PhaseSpec{Name: "kill", Type: v1beta1.PhaseFaults, Repeats: 1, Threads: 4, TargetRate: 100, Duration: &metav1.Duration{Duration: time.Minute},
				Faults: []v1beta1.FaultSpec{kill(1, 20*time.Second)}}
			test.change(&phase)
			assert.Equal(t, test.says, lines(checkFaults(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{phase}})))
		})
	}
}

func kill(node int32, at time.Duration) v1beta1.FaultSpec {
	return v1beta1.FaultSpec{Kind: v1beta1.FaultKill, Node: node, At: metav1.Duration{Duration: at}}
}

func pause(lasts time.Duration) v1beta1.FaultSpec {
	return v1beta1.FaultSpec{Kind: v1beta1.FaultPause, Node: 1, At: metav1.Duration{Duration: 20 * time.Second}, For: &metav1.Duration{Duration: lasts}}
}

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
			assert.Equal(t, test.says, said(err))
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
			assert.Equal(t, test.says, said(err))
		})
	}
	require.NoError(t, checkFaultNodes(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "read"}}}, rendered(t, "proxy")))
}

func TestAStoreIsKilledOnceAndIsOneServersOwn(t *testing.T) {
	phase := func(change func(*v1beta1.PhaseSpec)) []v1beta1.PhaseSpec {
		p := v1beta1.PhaseSpec{Name: "kill", Type: v1beta1.PhaseRecovery, Repeats: 1, Threads: 4, Duration: &metav1.Duration{Duration: 30 * time.Second},
			Recovery: &v1beta1.RecoverySpec{KillAfter: metav1.Duration{Duration: 10 * time.Second}}}
		change(&p)
		return []v1beta1.PhaseSpec{p}
	}
	as := func(*v1beta1.PhaseSpec) {}
	const again = "phase kill kills the same store again, but Kubernetes delays the second restart of a container: kill it once, and use rounds (ROUNDS=), each of which has its own store"
	for name, test := range map[string]struct {
		phases  []v1beta1.PhaseSpec
		hosting v1beta1.Hosting
		says    []string
	}{
		"as it should be": {phase(as), v1beta1.HostingDedicated, nil},
		"by its time":     {phase(func(p *v1beta1.PhaseSpec) { p.PrimaryMetric = "recovery_s" }), v1beta1.HostingDedicated, nil},
		"by a rate": {phase(func(p *v1beta1.PhaseSpec) { p.PrimaryMetric = "op_rate" }), v1beta1.HostingDedicated,
			[]string{"phase kill: primary metric op_rate: only a phase of type Recovery has recovery_s, and it has no other primary metric: remove primaryMetric"}},
		"when it is over": {phase(func(p *v1beta1.PhaseSpec) { p.Recovery.KillAfter.Duration = 29 * time.Second }), v1beta1.HostingDedicated,
			[]string{"phase kill kills the store after 29s, but must last 2s longer than that: use a smaller killAfter, or a longer phase"}},
		"a store of many": {phase(as), v1beta1.HostingShared,
			[]string{"phase kill kills the store, which is not possible with Shared hosting: --set spec.store.hosting=Dedicated"}},
		"twice":         {phase(func(p *v1beta1.PhaseSpec) { p.Repeats = 2 }), v1beta1.HostingDedicated, []string{again}},
		"at each rate":  {phase(func(p *v1beta1.PhaseSpec) { p.Sweep.Rates = []int64{1, 2} }), v1beta1.HostingDedicated, []string{again}},
		"in two phases": {append(phase(as), phase(as)...), v1beta1.HostingDedicated, []string{again}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.says, lines(checkRecoveries(&v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Hosting: test.hosting}, Phases: test.phases})))
		})
	}
}

func TestATaskIsOneThatTheStoreOffers(t *testing.T) {
	phase := v1beta1.PhaseSpec{Name: "read", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}, {Kind: v1beta1.FaultMaintain, Task: "repair"}}}
	for name, test := range map[string]struct {
		annotation string
		says       []string
	}{
		"offered":         {`ringside.dev/maintenance: "compact, repair"`, nil},
		"another":         {`ringside.dev/maintenance: "compact, vacuum"`, []string{"fault 1 of phase read is task repair, which store small does not offer: use one of compact, vacuum"}},
		"none is offered": {"", []string{"fault 1 of phase read is task repair, but store small offers no tasks of maintenance: use another kind"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.says, lines(checkMaintenance(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "fill"}, phase}}, chartOf(t, test.annotation))))
		})
	}
}

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
			assert.Equal(t, test.says, lines(checkUpgrades(upgrading(test.change), chartOf(t, test.annotation))))
		})
	}
}

func TestAnUpgradedNodeIsAskedForTheSettingsOfWhatItBecame(t *testing.T) {
	chart, spec := chartOf(t, upgradeTo), upgrading(func(*v1beta1.ExperimentSpec) {})
	release := plan.Release{Servers: []string{"calm"}, Types: []string{"calm"}}
	asked, err := Asked(*spec, release, chart)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"version": "1"}, asked)
	became, asked, err := Upgraded(*spec, release, chart)
	require.NoError(t, err)
	assert.Equal(t, "quiet", became)
	assert.Equal(t, map[string]string{"version": "2"}, asked)
	spec.Store.Values = nil
	became, asked, err = Upgraded(*spec, release, chart)
	require.NoError(t, err)
	assert.Empty(t, became)
	assert.Nil(t, asked)
}
