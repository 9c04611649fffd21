package document

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
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

// goish matches text that no user should read: terms of Go, its decoders or its types.
var goish = regexp.MustCompile(`json:|unmarshal|Go struct|v1beta1\.|v1\.|int32|int64|map\[|\[\]|interface|%!|reflect|strconv|nil`)

// leaf is a field of a document: how to write a document with a value for it, and its path in messages.
type leaf struct {
	path string
	kind reflect.Type
	in   func(value any) any
}

// leavesOf returns all fields of a document, including tables and lists.
func leavesOf(t reflect.Type, path string, in func(any) any, depth int) []leaf {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	out := []leaf{{path, t, in}}
	if depth == 0 || t == valuesType || reflect.PointerTo(t).Implements(unmarshaler) {
		return out
	}
	switch t.Kind() {
	case reflect.Struct:
		for name, field := range fieldsOf(t) {
			out = append(out, leavesOf(field, strings.TrimPrefix(path+"."+name, "."), func(v any) any { return in(map[string]any{name: v}) }, depth-1)...)
		}
	case reflect.Slice:
		out = append(out, leavesOf(t.Elem(), path+"[0]", func(v any) any { return in([]any{v}) }, depth-1)...)
	case reflect.Map:
		out = append(out, leavesOf(t.Elem(), path+".name", func(v any) any { return in(map[string]any{"name": v}) }, depth-1)...)
	}
	return out
}

func TestEveryFieldSaysInOurWordsWhatItTakes(t *testing.T) {
	values := []any{true, false, int64(7), 7.5, 1e300, "seven", "90", "", []any{}, []any{int64(1)}, map[string]any{}, map[string]any{"a": int64(1)}}
	leaves := leavesOf(reflect.TypeFor[v1beta1.Experiment](), "", func(v any) any { return v }, 9)
	require.Greater(t, len(leaves), 150)
	refused := map[string]int{}
	for _, field := range leaves {
		for _, value := range values {
			text, err := json.Marshal(field.in(value))
			require.NoError(t, err)
			d := &Document{Path: "doc.yaml", json: text}
			if _, err = d.Experiment(); err == nil {
				continue
			}
			refused[field.path]++
			for line := range strings.SplitSeq(err.Error(), "\n") {
				assert.NotRegexp(t, goish, strings.ReplaceAll(line, field.path, ""), "%s = %s", field.path, text)
				assert.Contains(t, line, ": ", "what to do")
				assert.Contains(t, line, field.path)
			}
		}
	}
	for _, field := range leaves {
		if field.kind.Kind() != reflect.Interface && !slices.Contains(freeFields, field.path) {
			assert.NotZero(t, refused[field.path], "%s takes whatever it is given", field.path)
		}
	}
}

// freeFields are written by the cluster itself.
var freeFields = []string{"metadata.managedFields[0].fieldsV1"}

func TestTypesOfFields(t *testing.T) {
	for field, want := range map[string]string{
		"gates: {disk: Off}":                "",
		"gates: {disk: off, errors: 'Off'}": "",
		"gates: {disk: On}":                 "doc.yaml: spec.gates.disk is true: choose from Enforce, Warn, Off",
		"gates: {disk: Of}":                 `doc.yaml: spec.gates.disk is "Of": choose from Enforce, Warn, Off`,
		"budget: 90":                        "doc.yaml: spec.budget is 90: use a time with its unit, as in 90s",
		"budget: 0.5":                       "doc.yaml: spec.budget is 0.5: use a time with its unit, as in 500ms",
		"budget: '90'":                      `doc.yaml: spec.budget is "90": use a time with its unit, as in 90s`,
		"budget: 1d":                        `doc.yaml: spec.budget is "1d": use a time with its unit, as in 90s or 1h30m; the units are h, m, s and ms`,
		"budget: 1h30m":                     "",
		"budget: .5s":                       "",
		"keys: 1e6":                         "",
		"keys: 1.5":                         "doc.yaml: spec.keys is 1.5: use a whole number",
		"keys: '5'":                         `doc.yaml: spec.keys is "5": use a whole number, without quotes`,
		"rounds: 5000000000":                "doc.yaml: spec.rounds is 5000000000: use a whole number of at most 2147483647",
		"suspend: 'yes'":                    `doc.yaml: spec.suspend is "yes": use true or false, without quotes`,
		"precision: 3":                      `doc.yaml: spec.precision is 3: use text with its unit, as in "3%"`,
		"phases: {read: 1}":                 "doc.yaml: spec.phases is a table: use a list, as in [a, b]",
		"load: stress":                      `doc.yaml: spec.load is "stress": use a table, as in {name: value}`,
		"load: {parameters: {size: 5}}":     `doc.yaml: spec.load.parameters.size is 5: use text; in quotes, as in "5", if YAML would read it as another type`,
		"load: {resources: {limits: {cpu: two}}}": `doc.yaml: spec.load.resources.limits.cpu is "two": use a quantity, as in 500m or 16Mi`,
		"load: {resources: {limits: {cpu: 2}}}":   "",
		"store: {values: [a]}":                    "doc.yaml: spec.store.values is a list: use a table, as in {name: value}",
		"fases: []":                               `doc.yaml: unknown field "spec.fases": did you mean spec.phases?`,
		"round: 3":                                `doc.yaml: unknown field "spec.round": did you mean spec.rounds?`,
		"phases: [{name: read, thread: 5}]":       `doc.yaml: unknown field "spec.phases[0].thread": did you mean spec.phases[0].threads?`,
	} {
		path := writeFile(t, "apiVersion: ringside.dev/v1beta1\nkind: Experiment\nspec:\n  "+field+"\n")
		d := only(t, path)
		d.Path = "doc.yaml"
		_, err := d.Experiment()
		if want == "" {
			assert.NoError(t, err, field)
			continue
		}
		require.Error(t, err, field)
		assert.Equal(t, want, err.Error())
	}
}

func TestOffWithoutQuotesIsSentAsTheMode(t *testing.T) {
	d := only(t, writeFile(t, "apiVersion: ringside.dev/v1beta1\nkind: Experiment\nspec: {gates: {disk: Off}, keys: 1e6}\n"))
	experiment, err := d.Experiment()
	require.NoError(t, err)
	assert.Equal(t, v1beta1.GateOff, experiment.Spec.Gates.Disk)
	assert.Contains(t, string(d.JSON()), `"gates":{"disk":"Off"},"keys":1000000`)
	assert.Equal(t, "1000000", fmt.Sprint(*experiment.Spec.Keys))
}

// Every experiment file has a row in the index, and every row a file.
func TestTheIndexListsTheExperimentsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(house, "docs/experiments.md"))
	require.NoError(t, err)
	index, _, found := strings.Cut(string(text), "\n## Not for measurement\n")
	require.True(t, found)
	listed := []string{"smoke"} // it measures nothing
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(index, -1) {
		listed = append(listed, row[1])
	}
	files, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	var there []string
	for _, file := range files {
		there = append(there, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	assert.ElementsMatch(t, there, listed)
}
