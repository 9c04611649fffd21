package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Each run is one measurement or one log larger than a cluster can hold, by the number of its planned measurements.
func TestARunHasAtMostAsManyMeasurementsAndLogsAsAClusterCanHold(t *testing.T) {
	servers := func(n int) (all []v1beta1.ServerSpec) {
		for i := range n {
			all = append(all, v1beta1.ServerSpec{Name: string(rune('a' + i))})
		}
		return all
	}
	phase := func(repeats int32, sweep int, change func(*v1beta1.PhaseSpec)) v1beta1.PhaseSpec {
		p := v1beta1.PhaseSpec{Name: "read", Repeats: repeats, Threads: 64}
		for i := range sweep {
			p.Sweep.Threads = append(p.Sweep.Threads, int32(64+i))
		}
		if change != nil {
			change(&p)
		}
		return p
	}
	duet := func(p *v1beta1.PhaseSpec) { p.Interleave = &v1beta1.Interleave{Mode: v1beta1.InterleaveDuet} }
	for name, test := range map[string]struct {
		spec v1beta1.ExperimentSpec
		want string
	}{
		"sweeps": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(23, 3, nil)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"installations": {v1beta1.ExperimentSpec{Rounds: 23, Installations: 3, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(29, 0, nil)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"the two sides of each duet": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(4), Phases: []v1beta1.PhaseSpec{phase(23, 0, duet)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"profiles": {v1beta1.ExperimentSpec{Rounds: 100, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(20, 0, func(p *v1beta1.PhaseSpec) { p.Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU} })}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"logs": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(3), Load: v1beta1.LoadSpec{Pods: 64}, Phases: []v1beta1.PhaseSpec{phase(23, 0, nil)}},
			"2001 measurements by 64 load pods give 128064 logs, too many for one run, which can have 128000: use fewer measurements or load pods, or split the experiment"},
	} {
		t.Run(name, func(t *testing.T) {
			test.spec.Load.Pods = max(test.spec.Load.Pods, 1)
			test.spec.Store.Hosting = v1beta1.HostingShared
			experiment := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "e"}, Spec: test.spec}
			problems := Check(experiment, nil, loadgen.Catalogue{}, storechart.Images{})
			assert.Len(t, problems, 1)
			assert.Equal(t, test.want, problems[0].Error())
			assert.Equal(t, int64(len(plan.Build(experiment, 1).Cells())), test.spec.MeasurementCount(), "it is the number of the plan")
		})
	}
}
