package document

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// treeOf returns the document after --set.
func treeOf(t *testing.T, arguments ...string) map[string]any {
	t.Helper()
	d := toy(t)
	for _, argument := range arguments {
		require.NoError(t, d.Set(argument), argument)
	}
	var tree map[string]any
	require.NoError(t, json.Unmarshal(d.json, &tree))
	return tree["spec"].(map[string]any)
}

func at(tree any, path ...string) any {
	for _, key := range path {
		table, is := tree.(map[string]any)
		if !is {
			return nil
		}
		tree = table[key]
	}
	return tree
}

func TestSetsValuesAsHelmHasThem(t *testing.T) {
	values := []string{"store", "values"}
	for name, test := range map[string]struct {
		set  string
		path []string
		want any
	}{
		"a word of YAML 1.1":        {"spec.store.values.sync=off", append(values, "sync"), "off"},
		"a boolean":                 {"spec.store.values.sync=false", append(values, "sync"), false},
		"text with a comma":         {"spec.store.values.note=hello, world", append(values, "note"), "hello, world"},
		"text with an equals sign":  {"spec.store.values.note=a=b", append(values, "note"), "a=b"},
		"an address with commas":    {"spec.store.values.url=http://a?x=1,http://b?y=2", append(values, "url"), "http://a?x=1,http://b?y=2"},
		"text with an apostrophe":   {"spec.store.values.note=it's [so, so", append(values, "note"), "it's [so, so"},
		"an escaped comma":          {`spec.store.values.note=a\,b=c`, append(values, "note"), "a,b=c"},
		"quoted text with commas":   {`spec.store.values.note="a,spec.b=c"`, append(values, "note"), "a,spec.b=c"},
		"a list of Helm's":          {"spec.store.values.extra={-Xss1m,-Dx=1}", append(values, "extra"), []any{"-Xss1m", "-Dx=1"}},
		"a list with colons":        {"spec.store.values.extra={-Xlog:gc,-Dx=1}", append(values, "extra"), []any{"-Xlog:gc", "-Dx=1"}},
		"a list of one":             {"spec.store.values.extra={-ea}", append(values, "extra"), []any{"-ea"}},
		"a list of numbers":         {"spec.store.values.extra={1, 2}", append(values, "extra"), []any{1.0, 2.0}},
		"an escape in a list":       {`spec.store.values.extra={a\,b,c}`, append(values, "extra"), []any{"a,b", "c"}},
		"a list of YAML's":          {"spec.store.values.extra=[-Xss1m, -Dx=1]", append(values, "extra"), []any{"-Xss1m", "-Dx=1"}},
		"a table":                   {"spec.store.values.extra={a: 1, b: {c: 2}}", append(values, "extra"), map[string]any{"a": 1.0, "b": map[string]any{"c": 2.0}}},
		"an empty table":            {"spec.store.values.extra={}", append(values, "extra"), map[string]any{}},
		"a table that takes out":    {"spec.store.values.extra={a: null}", append(values, "extra"), map[string]any{"a": nil}},
		"a key with dots":           {`spec.store.values.nodeSelector.topology\.kubernetes\.io/zone=eu-1a`, append(values, "nodeSelector", "topology.kubernetes.io/zone"), "eu-1a"},
		"a key with an equals sign": {`spec.store.values.a\=b=c`, append(values, "a=b"), "c"},
		"a label of load pods":      {"spec.load.nodeSelector.topology.kubernetes.io/zone=eu-1a", []string{"load", "nodeSelector", "topology.kubernetes.io/zone"}, "eu-1a"},
		"a resource with dots":      {"spec.load.resources.requests.example.com/gpu=1", []string{"load", "resources", "requests", "example.com/gpu"}, 1.0},
		"empty text":                {`spec.store.values.storage.className=""`, append(values, "storage", "className"), ""},
		"what is taken out":         {"spec.operations=null", []string{"operations"}, nil},
		"a word that YAML reads":    {"spec.gates.colocation=Off", []string{"gates", "colocation"}, "Off"},
		"a number that is text":     {"spec.equivalent=0.05", []string{"equivalent"}, "0.05"},
		"two at once":               {"spec.keys=5,spec.operations=7", []string{"operations"}, 7.0},
		"a table, then another":     {"spec.store.values={a: [1, 2]},spec.operations=7", []string{"operations"}, 7.0},
		"text, then another":        {"spec.description=hello, world,spec.operations=7", []string{"description"}, "hello, world"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, at(treeOf(t, test.set), test.path...))
		})
	}
	phases := treeOf(t, "spec.phases.read.threads=16,spec.phases[0].threads=8")["phases"].([]any)
	assert.Equal(t, 8.0, at(phases[0], "threads"))
	assert.Equal(t, 16.0, at(phases[1], "threads"))
}

func TestSaysInOneLineHowASetIsWritten(t *testing.T) {
	for set, want := range map[string]string{
		"spec.store.values.note=a,b=c": `--set "spec.store.values.note=a,b=c": "b=c" may be a further path=value, or belong to the value: write \, for a comma in the value, or begin a further path with spec.`,
		"spec.store.values.nodeSelector.topology.kubernetes.io/zone=eu-1a": `--set "spec.store.values.nodeSelector.topology.kubernetes.io/zone=eu-1a": the dots of a key would separate parts of the path: ` +
			`write a key's dots as \., as in nodeSelector.topology\.kubernetes\.io/zone=a, or use a table: nodeSelector={topology.kubernetes.io/zone: a}`,
		"spec.store.values.storage.className=": `--set "spec.store.values.storage.className=": it has no value: write ="" for empty text, quoted for the shell ('path=""'), or =null to remove it`,
		"spec.phases[7].threads=1":             `--set "spec.phases[7].threads=1" does not match the experiment file: "7" is neither a name nor an index of that list, which has write, read`,
		"spec.phases[read].threads=1":          `--set "spec.phases[read].threads=1": write it as path=value, as in spec.phases.read.threads=16`,
		"spec.store.values.a[0]=1":             `--set "spec.store.values.a[0]=1" does not match the experiment file: there is no list for [0]`,
		"spec[0]=1":                            `--set "spec[0]=1" does not match the experiment file: [0] is an index, but there is a table, not a list`,
		"spec..rounds=1":                       `--set "spec..rounds=1": write it as path=value, as in spec.phases.read.threads=16`,
		"=1":                                   `--set "=1": write it as path=value, as in spec.phases.read.threads=16`,
		"spec.rounds=[1":                       `--set "spec.rounds=[1": the value is not valid YAML (line 1: did not find expected ',' or ']'): quote it`,
	} {
		err := toy(t).Set(set)
		require.Error(t, err, set)
		assert.Equal(t, want, err.Error())
		assert.NotContains(t, err.Error(), "\n")
	}
}

// ringside has its own message for any input.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{"spec.rounds=1", `spec.a\.b[0]={x,y},spec.c="d`, "a=,b", "[=]", `\=\`, "spec.a={'}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, argument string) {
		d := &Document{Path: "doc.yaml", json: []byte(`{"spec":{"phases":[{"name":"read"}]}}`)}
		if err := d.Set(argument); err != nil {
			assert.NotContains(t, strings.ReplaceAll(err.Error(), argument, ""), "json:")
			return
		}
		assert.True(t, json.Valid(d.json))
	})
}
