package document

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/convert"
	"ringside.dev/ringside/operators/internal/source"
)

// inV1Beta1 writes an experiment file of the repository in v1beta1.
func inV1Beta1(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	asJSON, err := yaml.YAMLToJSON(text)
	require.NoError(t, err)
	converted, err := convert.JSON(asJSON, "ringside.dev/v1beta1")
	require.NoError(t, err)
	asYAML, err := yaml.JSONToYAML(converted)
	require.NoError(t, err)
	return writeFile(t, string(asYAML))
}

// All of v1beta1's rules and defaults apply, and the run is the same, with and without a profile.
func TestOurExperimentsAreTheSameInV1Beta1(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			assert.Equal(t, shipped(t, path, nil), shipped(t, inV1Beta1(t, path), nil))
			assert.Equal(t, shipped(t, path, embedded(t)), shipped(t, inV1Beta1(t, path), embedded(t)))
		})
	}
}

// Profiles are written for v1alpha1. A field of v1beta1 in one is rejected whatever the version of the file.
func TestProfilesDoNotMixVersions(t *testing.T) {
	d := only(t, writeFile(t, young))
	assert.ErrorContains(t, d.mergeV1Alpha1([]byte(`{"spec":{"phases":[{"name":"fill","duration":"30s","type":"Prepare"}]}}`)), `unknown field "spec.phases[0].type"`)
	d = only(t, writeFile(t, young))
	require.NoError(t, d.mergeV1Alpha1([]byte(`{"spec":{"phases":[{"name":"fill","duration":"30s","prepare":true}]}}`)))
	e, err := d.Experiment()
	require.NoError(t, err)
	assert.True(t, e.Spec.Phases[0].Prepare)
}

const young = "apiVersion: ringside.dev/v1beta1\nkind: Experiment\nmetadata: {name: e}\nspec:\n" +
	"  store: {chart: toystore}\n  servers: [{name: quick}]\n  load: {image: stress}\n  gates: {errorsMax: 0.5%}\n  phases:\n  - {name: read, duration: 30s}\n"

func TestSetRefersToTheVersionOfTheFile(t *testing.T) {
	d := only(t, writeFile(t, young))
	require.NoError(t, d.Set("spec.phases.read.targetRate=500,spec.phases.read.sweep.threads={1,2},spec.gates.loadCPUMax=97.5%"))
	e, err := d.Experiment()
	require.NoError(t, err)
	assert.Equal(t, int64(500), e.Spec.Phases[0].TargetRate)
	assert.Equal(t, []int32{1, 2}, e.Spec.Phases[0].SweepThreads)
	assert.Equal(t, int64(975), e.Spec.Gates.LoadCPUMaxPermille)
	assert.Equal(t, int64(5), e.Spec.Gates.ErrorsMaxPermille)

	require.NoError(t, d.Set("spec.phases.read.targetOpsPerSecond=500"))
	_, err = d.Experiment()
	assert.ErrorContains(t, err, `unknown field "spec.phases[0].targetOpsPerSecond": `)
}

func TestProblemsOfV1Beta1AreOneLine(t *testing.T) {
	api, err := ReadAPI(source.Dir(filepath.Join(house, "charts")))
	require.NoError(t, err)
	for _, test := range []struct{ set, want string }{
		{"spec.phases.read.capacity={from: 100, bound: 20ms}", "spec.phases[0]: a phase of type Capacity has capacity, and no other phase has: fix it in e.yaml"},
		{"spec.phases=[{name: read, type: Idle, duration: 30s, capacity: {from: 100, bound: 20ms}}]", "spec.phases[0]: a phase of type Capacity has capacity, and no other phase has: fix it in e.yaml"},
		{"spec.phases.read.type=Idel", "spec.phases[0].type is \"Idel\": choose from Measure, Prepare, Idle, Capacity, Recovery, Faults; did you mean Idle?"},
		{"spec.gates.errorsMax=0.55%", `spec.gates.errorsMax is "0.55%", and should match '^(100|[1-9]?[0-9](\.[0-9])?)%$': fix it in e.yaml`},
		{"spec.seed=-1", "spec.seed is -1, and should be greater than or equal to 0: fix it in e.yaml"},
		{"spec.phases.read.sweep={}", "spec.phases[0].sweep is 0, and should have at least 1 properties: fix it in e.yaml"},
	} {
		d := only(t, writeFile(t, young))
		d.Path = "e.yaml"
		require.NoError(t, d.Set(test.set))
		_, err := d.Experiment()
		require.NoError(t, err, test.set)
		problems, err := api.Complete(t.Context(), d)
		require.NoError(t, err)
		if assert.Len(t, problems, 1, test.set) {
			assert.Equal(t, test.want, problems[0].Error())
		}
	}
}
