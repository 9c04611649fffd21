package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
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
			var said []string
			for _, fault := range checkFaults(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{phase}}) {
				said = append(said, fault.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}

func kill(node int32, at time.Duration) v1beta1.FaultSpec {
	return v1beta1.FaultSpec{Kind: v1beta1.FaultKill, Node: node, At: metav1.Duration{Duration: at}}
}

func pause(lasts time.Duration) v1beta1.FaultSpec {
	return v1beta1.FaultSpec{Kind: v1beta1.FaultPause, Node: 1, At: metav1.Duration{Duration: 20 * time.Second}, For: &metav1.Duration{Duration: lasts}}
}
