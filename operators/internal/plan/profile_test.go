package plan

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// profiledExample takes two profiles of the last phase.
func profiledExample(hosting v1beta1.Hosting) *v1beta1.Experiment {
	experiment := example()
	experiment.Spec.Store.Hosting = hosting
	last := len(experiment.Spec.Phases) - 1
	experiment.Spec.Phases[last].Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU, v1beta1.ProfileLock}
	return experiment
}

func split(cells []Cell) (measured, profiled []Cell) {
	for _, cell := range cells {
		if cell.Spec.Profile == nil {
			measured = append(measured, cell)
		} else {
			profiled = append(profiled, cell)
		}
	}
	return measured, profiled
}

func TestProfilesComeAfterAllThatIsMeasuredOnAnInstallation(t *testing.T) {
	for name, test := range map[string]struct {
		hosting       v1beta1.Hosting
		installations int32
		profiles      []int // of each store
	}{
		"a store for each round": {v1beta1.HostingDedicated, 0, []int{0, 0, 2, 2}},
		"a store for all":        {v1beta1.HostingShared, 0, []int{4}},
		"several stores for all": {v1beta1.HostingShared, 3, []int{4, 4, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			experiment := profiledExample(test.hosting)
			experiment.Spec.Installations = test.installations
			built := Build(experiment, 1)
			assert.Equal(t, built, Build(experiment, 1), "a plan is rebuilt after a restart")
			names := map[string]bool{}
			for i, store := range built.Stores {
				measured, profiled := split(store.Cells)
				assert.Equal(t, append(measured[:len(measured):len(measured)], profiled...), store.Cells, "at the end")
				assert.Len(t, profiled, test.profiles[i])
				for _, cell := range profiled {
					names[cell.Name] = true
					assert.Equal(t, experiment.Spec.Rounds, cell.Spec.Round)
					assert.True(t, cell.Spec.Warmup, "never compared")
					assert.Zero(t, cell.Spec.Operations)
					assert.Equal(t, 20*time.Second, cell.Spec.Duration.Duration)
				}
			}
			cells := built.Cells()
			_, profiled := split(cells)
			assert.Len(t, names, len(profiled), "no name is used twice")
			assert.LessOrEqual(t, int64(len(cells)), experiment.Spec.MeasurementCount())

			for i := range experiment.Spec.Phases {
				experiment.Spec.Phases[i].Profile = nil
			}
			measured, _ := split(cells)
			without := Build(experiment, 1).Cells()
			require.Len(t, measured, len(without))
			for i := range without {
				assert.Equal(t, without[i].Name, measured[i].Name, "what is measured is what it was without")
				assert.Equal(t, without[i].Spec, measured[i].Spec)
			}
		})
	}
}

func TestAProfileIsOfOneServerUnderTheLoadOfItsPhase(t *testing.T) {
	experiment := interleavedExample()
	phase := &experiment.Spec.Phases[len(experiment.Spec.Phases)-1]
	for i := range experiment.Spec.Phases {
		if experiment.Spec.Phases[i].Interleave != nil {
			phase = &experiment.Spec.Phases[i]
		}
	}
	phase.Interleave.Warmup = metav1.Duration{Duration: 7 * time.Second}
	phase.TargetRate, phase.Profile = 500, []v1beta1.ProfileEvent{v1beta1.ProfileWall}
	_, profiled := split(Build(experiment, 1).Cells())
	require.Len(t, profiled, len(experiment.Spec.Servers))
	for _, cell := range profiled {
		assert.Nil(t, cell.Spec.Interleave)
		assert.Empty(t, cell.Spec.Arms)
		assert.Empty(t, cell.Spec.Lead)
		assert.Equal(t, phase.Threads, cell.Spec.Threads)
		assert.Equal(t, int64(500), cell.Spec.TargetRate)
		assert.Equal(t, &v1beta1.ProfileOrder{Event: v1beta1.ProfileWall, WarmupSeconds: 7, Seconds: 15}, cell.Spec.Profile, "after the phase's warm-up")
		assert.Equal(t, 24*time.Second, cell.Spec.Duration.Duration)
		assert.Equal(t, "profile wall of "+cell.Spec.Server+", "+phase.Name, Describe(experiment, &cell.Spec))
		assert.Regexp(t, "-"+cell.Spec.Server+"-"+phase.Name+"-wall-1$", cell.Name)
	}
}

func TestARunThatEndsEarlyTakesItsProfilesThen(t *testing.T) {
	for _, hosting := range []v1beta1.Hosting{v1beta1.HostingDedicated, v1beta1.HostingShared} {
		experiment := profiledExample(hosting)
		experiment.Spec.Rounds, experiment.Spec.Precision = 5, "3%"
		experiment.Status.Seed = new(int64(1))
		experiment.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 2, Reason: v1beta1.ReasonPrecisionReached}
		measured, profiled := split(OfRun(experiment).Cells())
		assert.Len(t, profiled, 4, hosting)
		for _, cell := range profiled {
			assert.Equal(t, int32(2), cell.Spec.Round)
		}
		assert.Equal(t, int32(2), measured[len(measured)-1].Spec.Round)

		last := experiment.Spec.Phases[len(experiment.Spec.Phases)-1].Name
		experiment.Status.Precision.Settled = []v1beta1.SettledPhase{{Phase: last, Rounds: 1}}
		_, without := split(OfRun(experiment).Cells())
		assert.Equal(t, profiled, without, "also of a phase that has settled")
	}
}
