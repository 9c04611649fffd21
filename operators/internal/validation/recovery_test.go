package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
			var said []string
			for _, fault := range checkRecoveries(&v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Hosting: test.hosting}, Phases: test.phases}) {
				said = append(said, fault.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}
