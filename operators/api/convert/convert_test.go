package convert_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/convert"
)

const (
	alpha = "ringside.dev/v1alpha1"
	beta  = "ringside.dev/v1beta1"
)

// object reads YAML as the API server reads it: whole numbers stay whole.
func object(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	asJSON, err := yaml.YAMLToJSONStrict([]byte(text))
	require.NoError(t, err)
	require.NoError(t, utiljson.Unmarshal(asJSON, &out))
	return out
}

func to(t *testing.T, in map[string]any, version string) map[string]any {
	t.Helper()
	out, err := convert.Object(in, version)
	require.NoError(t, err)
	assert.Equal(t, version, out["apiVersion"])
	return out
}

// experiment is one of a version with the fields of its spec.
func experiment(t *testing.T, version, spec string) map[string]any {
	t.Helper()
	out := object(t, "{apiVersion: "+version+", kind: Experiment, metadata: {name: e}}")
	out["spec"] = object(t, spec)
	return out
}

func TestEachTypeOfPhase(t *testing.T) {
	for name, one := range map[string]struct{ alpha, beta string }{
		"measure":  {"{name: p, duration: 30s, threads: 4}", "{name: p, type: Measure, duration: 30s, threads: 4}"},
		"prepare":  {"{name: p, prepare: true, operations: 100, interleave: {mode: Windows}}", "{name: p, type: Prepare, operations: 100, interleave: {mode: Windows}}"},
		"idle":     {"{name: p, idle: true, duration: 60s}", "{name: p, type: Idle, duration: 60s}"},
		"recovery": {"{name: p, recovery: {killAfter: 15s}, targetOpsPerSecond: 100}", "{name: p, type: Recovery, recovery: {killAfter: 15s}, targetRate: 100}"},
		"capacity": {"{name: p, capacity: {from: 100, bound: 20ms, failedMaxPermille: 1, precisionPermille: 50}, interleave: {window: 1s}}",
			`{name: p, type: Capacity, capacity: {from: 100, bound: 20ms, failedMax: 0.1%, precision: 5%}, interleave: {window: 1s}}`},
		"faults": {"{name: p, faults: [{kind: lose, node: 1, at: 30s, for: 10s, percent: 10}, {kind: kill, node: 2, at: 60s}, {kind: maintain, node: 0, at: 70s, for: 2m, task: repair}]}",
			`{name: p, type: Faults, faults: [{kind: Lose, node: 1, at: 30s, for: 10s, share: 10%}, {kind: Kill, node: 2, at: 60s}, {kind: Maintain, node: 0, at: 70s, for: 2m, task: repair}]}`},
		"sweeps": {"{name: p, sweepThreads: [1, 2], sweepConnections: [10], sweepRates: [5, 6], profile: [cpu, wall]}",
			"{name: p, type: Measure, sweep: {threads: [1, 2], connections: [10], rates: [5, 6]}, profile: [CPU, Wall]}"},
	} {
		t.Run(name, func(t *testing.T) {
			old, young := experiment(t, alpha, "{phases: ["+one.alpha+"]}"), experiment(t, beta, "{phases: ["+one.beta+"]}")
			assert.Equal(t, young, to(t, old, beta))
			assert.Equal(t, old, to(t, young, alpha))
		})
	}
}

func TestSharesSeedsAndUnits(t *testing.T) {
	old := experiment(t, alpha, "{seed: 7, gates: {errorsMaxPermille: 5, loadCPUMaxPermille: 950, startSkewLimit: 1s, disk: Warn}, precision: '0.03'}")
	young := experiment(t, beta, "{seed: 7, gates: {errorsMax: 0.5%, loadCPUMax: 95%, startSkewMax: 1s, disk: Warn}, precision: '0.03'}")
	old["status"] = object(t, "{units: {operations: packets, latency: us}, precision: {rounds: 3, widestPercent: '2.5', used: 1m}}")
	young["status"] = object(t, "{units: {operations: packets, latency: Microseconds}, precision: {rounds: 3, widest: 2.5%, used: 1m}}")
	assert.Equal(t, young, to(t, old, beta))
	assert.Equal(t, old, to(t, young, alpha))
}

// What a version cannot express is kept, whatever it is, and restored.
func TestNothingIsLost(t *testing.T) {
	for name, one := range map[string]struct{ version, other, spec string }{
		"an idle phase that prepares":       {alpha, beta, "{phases: [{name: p, idle: true, prepare: true, duration: 60s}]}"},
		"an idle search with faults":        {alpha, beta, "{phases: [{name: p, idle: true, capacity: {from: 1}, faults: [{kind: kill, node: 0, at: 5s}]}]}"},
		"zero values that mean none":        {alpha, beta, "{phases: [{name: p, idle: false, prepare: false, connections: 0, sweepThreads: [], faults: [], capacity: {from: 1, to: 0, bound: 0s}}]}"},
		"a negative seed":                   {alpha, beta, "{seed: -5}"},
		"a seed of 63 bits":                 {alpha, beta, "{seed: 9007199254740993}"},
		"a limit of zero":                   {alpha, beta, "{gates: {loadCPUMaxPermille: 0}}"},
		"a negative share":                  {alpha, beta, "{gates: {errorsMaxPermille: -15}}"},
		"a share with a needless decimal":   {beta, alpha, "{gates: {errorsMax: 3.0%}}"},
		"a share with many decimals":        {beta, alpha, "{gates: {errorsMax: 3.123%}}"},
		"a type with another type's member": {beta, alpha, "{phases: [{name: p, type: Measure, capacity: {from: 1}}]}"},
		"a type that does not exist":        {beta, alpha, "{phases: [{name: p, type: Other}]}"},
		"a phase without a type":            {beta, alpha, "{phases: [{name: p, sweep: {}}]}"},
		"an event of the other version":     {alpha, beta, "{phases: [{name: p, profile: [CPU]}]}"},
		"phases that are no list":           {alpha, beta, "{phases: none, gates: none, seed: none}"},
	} {
		t.Run(name, func(t *testing.T) {
			in := experiment(t, one.version, one.spec)
			through := to(t, in, one.other)
			assert.Equal(t, in, to(t, through, one.version))
			through["spec"].(map[string]any)["suspend"] = true
			in["spec"].(map[string]any)["suspend"] = true
			assert.Equal(t, in, to(t, through, one.version), "after a change of another field")
		})
	}
}

func TestAChangedFieldIsNotRestored(t *testing.T) {
	through := to(t, experiment(t, alpha, "{seed: -5, gates: {loadCPUMaxPermille: 0}}"), beta)
	through["spec"].(map[string]any)["seed"] = int64(3)
	assert.Equal(t, experiment(t, alpha, "{seed: 3, gates: {loadCPUMaxPermille: 0}}"), to(t, through, alpha))
}

func TestInputsStayAsTheyAre(t *testing.T) {
	in := experiment(t, alpha, "{phases: [{name: p, idle: true, prepare: true, sweepThreads: [1]}]}")
	to(t, in, beta)["spec"].(map[string]any)["phases"].([]any)[0].(map[string]any)["name"] = "other"
	assert.Equal(t, experiment(t, alpha, "{phases: [{name: p, idle: true, prepare: true, sweepThreads: [1]}]}"), in)
}

func TestAnUnknownVersion(t *testing.T) {
	_, err := convert.Object(experiment(t, alpha, "{}"), "ringside.dev/v2")
	assert.EqualError(t, err, `converting an Experiment from "ringside.dev/v1alpha1" to "ringside.dev/v2": the versions are ringside.dev/v1alpha1 and ringside.dev/v1beta1; use one of them`)
}

// A user may write into the annotation what they want.
func TestAnAnnotationOfAUser(t *testing.T) {
	for _, text := range []string{"", "x", "[]", `{"ringside.dev/v1alpha1": 1}`, `{"ringside.dev/v1alpha1": {"seed": "x", "phases": 1, "gates": []}}`} {
		in := experiment(t, beta, "{seed: 3}")
		in["metadata"] = map[string]any{"name": "e", "annotations": map[string]any{convert.AnnotationOriginal: text}}
		assert.Equal(t, experiment(t, alpha, "{seed: 3}"), to(t, in, alpha), text)
	}
}

// A client of v1beta1 that reads, changes suspend and writes leaves the stored spec as it is, to the letter: the API's rules compare texts.
func TestOurExperimentsSurviveAClientOfV1Beta1(t *testing.T) {
	files, err := filepath.Glob("../../../experiments/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		stored := object(t, string(text))
		read := to(t, stored, beta)
		assert.Equal(t, stored["metadata"], read["metadata"], "%s: v1beta1 can express all of it", file)
		read["spec"].(map[string]any)["suspend"] = true
		stored["spec"].(map[string]any)["suspend"] = true
		assert.Equal(t, stored, to(t, read, alpha), file)
	}
}
