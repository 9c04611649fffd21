package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestRestHasADurationAndAStoreOfItsOwn(t *testing.T) {
	lasting := func(d time.Duration) *metav1.Duration { return &metav1.Duration{Duration: d} }
	for name, test := range map[string]struct {
		phase   v1beta1.PhaseSpec
		hosting v1beta1.Hosting
		says    []string
	}{
		"as it should be": {v1beta1.PhaseSpec{Duration: lasting(30 * time.Second)}, v1beta1.HostingDedicated, nil},
		"of a shared store": {v1beta1.PhaseSpec{Duration: lasting(time.Second)}, v1beta1.HostingShared,
			[]string{"phase rest is idle, but with Shared hosting the CPU time at rest is that of all 2 servers: --set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)"}},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Type = "rest", v1beta1.PhaseIdle
			spec := &v1beta1.ExperimentSpec{
				Store:   v1beta1.StoreSpec{Hosting: test.hosting},
				Servers: []v1beta1.ServerSpec{{Name: "calm"}, {Name: "calm-again", Type: "calm", OwnInstance: true}},
				Phases:  []v1beta1.PhaseSpec{{Name: "load", Sweep: v1beta1.Sweep{Threads: []int32{1}}}, test.phase},
			}
			var said []string
			for _, fault := range checkIdle(spec) {
				said = append(said, fault.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}

func TestWhatIsUsedAtRestIsPrimaryOfRestAndOfNothingElse(t *testing.T) {
	second := &metav1.Duration{Duration: time.Second}
	for name, test := range map[string]struct {
		phase v1beta1.PhaseSpec
		says  string
	}{
		"rest, by what it uses":     {v1beta1.PhaseSpec{Type: v1beta1.PhaseIdle, PrimaryMetric: "idle_cpu_cores"}, ""},
		"a load, by its rate":       {v1beta1.PhaseSpec{PrimaryMetric: "op_rate"}, ""},
		"rest, by a rate":           {v1beta1.PhaseSpec{Type: v1beta1.PhaseIdle, PrimaryMetric: "op_rate"}, "phase p: primary metric op_rate: only a phase of type Idle has idle_cpu_cores, and it has no other primary metric: remove primaryMetric"},
		"a load, by what it is not": {v1beta1.PhaseSpec{PrimaryMetric: "idle_cpu_cores"}, "phase p: primary metric idle_cpu_cores: only a phase of type Idle has idle_cpu_cores, and it has no other primary metric: remove primaryMetric"},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Duration = "p", second
			said := ""
			for _, fault := range checkIdle(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{test.phase}}) {
				said += fault.Error()
			}
			assert.Equal(t, test.says, said)
		})
	}
}
