package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAProfileTakesALoadOfOneServer(t *testing.T) {
	windows := func(mode v1beta1.InterleaveMode) *v1beta1.Interleave {
		return &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Mode: mode}
	}
	for name, test := range map[string]struct {
		phase v1beta1.PhaseSpec
		says  []string
	}{
		"a load":            {v1beta1.PhaseSpec{}, nil},
		"several":           {v1beta1.PhaseSpec{SweepThreads: []int32{1, 2}}, nil},
		"turns":             {v1beta1.PhaseSpec{Interleave: windows(v1beta1.InterleaveWindows)}, nil},
		"two at once":       {v1beta1.PhaseSpec{Interleave: windows(v1beta1.InterleaveDuet)}, []string{"phase read asks for profiles (cpu, lock) but is a duet: profiles of two servers at once cannot be separated: use mode Windows, or remove spec.phases.read.profile"}},
		"none":              {v1beta1.PhaseSpec{Idle: true}, []string{"phase read asks for profiles (cpu, lock) but is idle: there is no load to profile: remove spec.phases.read.profile"}},
		"to fill a store":   {v1beta1.PhaseSpec{Prepare: true}, []string{"phase read asks for profiles (cpu, lock) but prepares the store, which happens only once: remove spec.phases.read.profile, or set it on a measured phase"}},
		"one that is tried": {v1beta1.PhaseSpec{Capacity: &v1beta1.CapacitySpec{}}, []string{"phase read asks for profiles (cpu, lock) but searches for a capacity, at changing loads: set it on a phase with a rate"}},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Profile = "read", []v1beta1.ProfileEvent{v1beta1.ProfileCPU, v1beta1.ProfileLock}
			var said []string
			for _, fault := range checkProfiles(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "fill", Prepare: true}, test.phase}}) {
				said = append(said, fault.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}
