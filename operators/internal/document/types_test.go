package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
