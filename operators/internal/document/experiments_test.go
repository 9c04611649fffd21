package document

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
)

const house = "../../.."

// shipped reads one of the documents that users run, completed and checked, with the embedded cluster's profile or without.
func shipped(t *testing.T, path string, profile *Profile) *v1alpha1.ExperimentSpec {
	t.Helper()
	d, err := Read(path)
	require.NoError(t, err)
	if profile != nil {
		require.NoError(t, profile.Apply(d))
	}
	charts := filepath.Join(house, "charts")
	api, err := ReadAPI(charts)
	require.NoError(t, err)
	faults, err := api.Complete(t.Context(), d)
	require.NoError(t, err)
	require.Empty(t, faults)
	e, err := d.Experiment()
	require.NoError(t, err)
	chart, err := ReadChart(charts, e.Spec.Store.Chart)
	require.NoError(t, err)
	require.Empty(t, Check(e, chart))
	return &e.Spec
}

// The profile makes phases shorter; what they do stays the document's.
func TestTheEmbeddedClustersProfileChangesOnlyHowLongPhasesTake(t *testing.T) {
	profile, err := ReadProfile(filepath.Join(house, "cluster/experiment-profile.yaml"))
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			fitted := shipped(t, path, profile)
			own := shipped(t, path, nil)
			assert.Equal(t, boundless(own.Phases), boundless(fitted.Phases))
			assert.Equal(t, own.Servers, fitted.Servers)
		})
	}
}

func boundless(phases []v1alpha1.PhaseSpec) []v1alpha1.PhaseSpec {
	var out []v1alpha1.PhaseSpec
	for _, phase := range phases {
		phase.Operations, phase.Duration = nil, nil
		out = append(out, phase)
	}
	return out
}

// What a run of windows takes is known beforehand: the load, and some 3 s around each.
func TestStubExperimentsTakeMinutesOnTheEmbeddedCluster(t *testing.T) {
	const around = 3 * time.Second
	profile, err := ReadProfile(filepath.Join(house, "cluster/experiment-profile.yaml"))
	require.NoError(t, err)
	for _, name := range []string{"stub-sleep", "stub-clients"} {
		spec := shipped(t, filepath.Join(house, "experiments", name+".yaml"), profile)
		total := time.Duration(0)
		for _, cell := range plan.Build(&v1alpha1.Experiment{Spec: *spec}, 1).Cells() {
			total += around
			if cell.Spec.Duration != nil {
				total += cell.Spec.Duration.Duration
			}
		}
		assert.Less(t, total, 12*time.Minute, name)
	}
}
