package loadgen

import (
	"encoding/csv"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/internal/problem"
)

const toy = `{
  "type": "object", "additionalProperties": false,
  "properties": {
    "operation": {"enum": ["read", "write"]},
    "interleave": {"enum": ["windows"]},
    "server": {"enum": ["hsha", "disruptor"]},
    "parameters": {
      "type": "object", "additionalProperties": false,
      "ordered": [["least", "most"]],
      "properties": {
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "least": {"type": "integer", "minimum": 1},
        "most": {"type": "integer", "maximum": 100},
        "mode": {"enum": ["fast", "slow"]},
        "heap": {"type": "string", "pattern": "^[0-9]+m$", "examples": ["64m"]},
        "plan": {"type": "string", "contentMediaType": "application/yaml", "contentSchema": {
          "type": "object", "additionalProperties": false, "required": ["name"],
          "properties": {"name": {"type": "string"}, "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}},
          "patternProperties": {"^x-": {"type": "object"}}
        }}
      }
    }
  },
  "$defs": {"step": {"type": "object", "additionalProperties": false, "properties": {"size": {"type": "string", "pattern": "^few|many$", "examples": ["few or many"]}}}}
}`

func TestSaysWhatALoadRefusesAndWhatItTakes(t *testing.T) {
	for name, test := range map[string]struct {
		asked Orders
		want  []problem.Problem
	}{
		"all of it": {asked: Orders{Operation: "read", Interleave: "windows",
			Parameters: map[string]string{"share": "0.965", "least": "1", "most": " 100 ", "mode": "slow", "heap": "64m"}}},
		"nothing but the operation":        {asked: Orders{Operation: "write"}},
		"a blank, which is not said":       {asked: Orders{Operation: "write", Parameters: map[string]string{"share": " "}}},
		"another spelling of one variable": {asked: Orders{Operation: "read", Parameters: map[string]string{"SHARE": "1"}}},
		"an operation that it lacks":       {Orders{Operation: "scan"}, []problem.Problem{{What: `load toy has no operation "scan"`, Fix: "choose from read, write"}}},
		"what it cannot do": {Orders{Operation: "read", Consistency: "QUORUM", Connections: 8, Capacity: "99"}, []problem.Problem{
			{What: "load toy does not support capacity", Fix: "remove it, or choose another load"},
			{What: "load toy does not support connections", Fix: "remove it, or choose another load"},
			{What: "load toy does not support consistency", Fix: "remove it, or choose another load"}}},
		"a search by the queue": {Orders{Operation: "read", Queue: true}, []problem.Problem{{What: "load toy does not support queue", Fix: "remove it, or choose another load"}}},
		"a mode that it lacks":  {Orders{Operation: "read", Interleave: "duet"}, []problem.Problem{{What: `load toy has no interleave "duet"`, Fix: "choose from windows"}}},
		"a parameter that it lacks": {Orders{Operation: "read", Parameters: map[string]string{"shear": "1"}}, []problem.Problem{
			{What: "load toy has no parameter shear", Fix: "choose from heap, least, mode, most, plan, share", Parameter: "shear"}}},
		"too much": {Orders{Operation: "read", Parameters: map[string]string{"share": "1.5"}}, []problem.Problem{
			{What: `load toy does not accept share "1.5"`, Fix: "use a number from 0 to 1", Parameter: "share"}}},
		"too little": {Orders{Operation: "read", Parameters: map[string]string{"least": "0"}}, []problem.Problem{
			{What: `load toy does not accept least "0"`, Fix: "use a whole number from 1 on", Parameter: "least"}}},
		"no whole number": {Orders{Operation: "read", Parameters: map[string]string{"most": "1e1"}}, []problem.Problem{
			{What: `load toy does not accept most "1e1"`, Fix: "use a whole number up to 100", Parameter: "most"}}},
		"no number": {Orders{Operation: "read", Parameters: map[string]string{"share": "NaN"}}, []problem.Problem{
			{What: `load toy does not accept share "NaN"`, Fix: "use a number from 0 to 1", Parameter: "share"}}},
		"none of those known": {Orders{Operation: "read", Parameters: map[string]string{"mode": "fats"}}, []problem.Problem{
			{What: `load toy does not accept mode "fats"`, Fix: "choose from fast, slow", Parameter: "mode"}}},
		"text of another form": {Orders{Operation: "read", Parameters: map[string]string{"heap": "much"}}, []problem.Problem{
			{What: `load toy does not accept heap "much"`, Fix: "use text as in 64m", Parameter: "heap"}}},
		"the larger one first": {Orders{Operation: "read", Parameters: map[string]string{"least": "50", "most": "40"}}, []problem.Problem{
			{What: "load toy does not accept least 50 with most 40", Fix: "swap them"}}},
		"several at once": {Orders{Operation: "red", Parameters: map[string]string{"share": "2", "mode": "fats"}}, []problem.Problem{
			{What: `load toy does not accept mode "fats"`, Fix: "choose from fast, slow", Parameter: "mode"},
			{What: `load toy does not accept share "2"`, Fix: "use a number from 0 to 1", Parameter: "share"},
			{What: `load toy has no operation "red"`, Fix: "choose from read, write"}}},
	} {
		t.Run(name, func(t *testing.T) {
			load, err := newLoad("toy", []byte(toy))
			require.NoError(t, err)
			assert.Equal(t, test.want, load.Check(test.asked))
		})
	}
}

// The content of a parameter may be a document, of which each problem has its line.
func TestSaysWhereADocumentIsNotWhatALoadTakes(t *testing.T) {
	for name, test := range map[string]struct {
		plan string
		want [][2]string
	}{
		"all of it":               {"\nname: 5\nsteps: [{size: few}]\nx-note: {}\n", nil},
		"a value of another form": {"name: a\nsteps:\n- size: many\n- size: some", [][2]string{{`line 4: steps[1].size is "some"`, "use text as in few or many"}}},
		"names that it lacks": {"name: a\nstep: 1\nsteps:\n- sice: few", [][2]string{
			{"line 2: step is not supported", "choose from name, steps"}, {"line 4: steps[0].sice is not supported", "choose from size"}}},
		"no name":                    {"# a plan\nsteps: []", [][2]string{{"line 2: name is missing", "add it"}}},
		"a table for text":           {"name:\n  first: a", [][2]string{{"line 2: name is a table", "use text"}}},
		"text for a list":            {"name: a\nsteps: few", [][2]string{{`line 2: steps is "few"`, "use a list"}}},
		"text for a table":           {"name: a\nx-note: " + strings.Repeat("long ", 20), [][2]string{{`line 2: x-note is "` + strings.Repeat("long ", 12) + `"…`, "use 'name: value' lines"}}},
		"a list for all":             {"- name", [][2]string{{"line 1: it is a list", "use 'name: value' lines"}}},
		"a name that is there twice": {"name: a\nsteps: []\nname: b", [][2]string{{"line 3: name is there twice", "fix its YAML"}}},
		"an alias of itself":         {"name: a\nsteps: &all [*all]", [][2]string{{"line 2: *all is an alias, which is not supported", "fix its YAML"}}},
		"no YAML":                    {"name: [a", [][2]string{{"line 1: did not find expected ',' or ']'", "fix its YAML"}}},
		"nothing but a comment":      {"# none", [][2]string{{"line 1: there is no content", "fix its YAML"}}},
	} {
		t.Run(name, func(t *testing.T) {
			load, err := newLoad("toy", []byte(toy))
			require.NoError(t, err)
			var want []problem.Problem
			for _, wrong := range test.want {
				want = append(want, problem.Problem{What: "load toy does not accept plan: " + wrong[0], Fix: wrong[1], Parameter: "plan"})
			}
			assert.Equal(t, want, load.Check(Orders{Operation: "read", Parameters: map[string]string{"plan": test.plan}}))
		})
	}
}

func TestASchemaThatSaysTooLittleIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"no JSON":   {"operation: read", "load toy cannot be used: its orders.schema.json is not valid JSON: "},
		"no schema": {`{"type": "thing"}`, "load toy cannot be used: its orders.schema.json is not a valid schema: "},
		"no bounds": {`{"properties": {"operation": {}, "parameters": {}}}`, "load toy cannot be used: its orders.schema.json must have operation and parameters, and allow nothing else"},
		"open parameters": {`{"additionalProperties": false, "properties": {"operation": {}, "parameters": {}}}`,
			"load toy cannot be used: its orders.schema.json must have operation and parameters, and allow nothing else"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newLoad("toy", []byte(test.text))
			assert.ErrorContains(t, err, test.says)
		})
	}
}

func TestALoadIsAnImageThatSaysWhatItTakes(t *testing.T) {
	images := t.TempDir()
	assert.False(t, NewCatalogue(images).AtHand())
	for name, text := range map[string]string{"toy/orders.schema.json": toy, "store/image.yaml": "entrypoint: [/store]"} {
		require.NoError(t, os.MkdirAll(filepath.Join(images, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(images, name), []byte(text), 0o600))
	}
	catalogue := NewCatalogue(images)
	assert.True(t, catalogue.AtHand())
	load, err := catalogue.Open("toy")
	require.NoError(t, err)
	assert.Equal(t, []string{"heap", "least", "mode", "most", "plan", "share"}, load.Parameters())
	assert.Equal(t, []string{"hsha", "disruptor"}, load.Servers("read"))
	_, err = catalogue.Open("store")
	assert.EqualError(t, err, `unknown load "store": choose from toy`)
	load, err = catalogue.Open("registry.example/team/load:1")
	require.NoError(t, err)
	assert.Nil(t, load, "of an image that others made nothing is known")
}

const images = "../../../images"

// tried is one line of a load's orders.csv, on which the load itself is tried, too, by a test of its own.
type tried struct {
	order, value string
	taken        bool
}

func TestTheSchemaOfALoadTakesWhatTheLoadTakes(t *testing.T) {
	catalogue := NewCatalogue(images)
	names, err := catalogue.Loads()
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			load, err := catalogue.Open(name)
			require.NoError(t, err)
			cases := casesOf(t, name)
			for _, c := range cases {
				assert.Equal(t, c.taken, len(load.Check(ordersWith(load, c))) == 0, "%s=%s", c.order, c.value)
			}
			for parameter, schema := range load.parameters {
				requireBoundsTried(t, parameter, schema, cases)
			}
			for _, field := range []string{"operation", "consistency"} {
				if schema := load.schema.Properties[field]; schema != nil {
					requireBoundsTried(t, field, schema, cases)
				}
			}
		})
	}
}

func casesOf(t *testing.T, load string) []tried {
	t.Helper()
	file, err := os.Open(filepath.Join(images, load, "orders.csv"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"order", "value", "taken"}, lines[0])
	var cases []tried
	for _, line := range lines[1:] {
		taken, err := strconv.ParseBool(line[2])
		require.NoError(t, err)
		cases = append(cases, tried{line[0], line[1], taken})
	}
	return cases
}

func ordersWith(load *Load, c tried) Orders {
	asked := Orders{Operation: load.schema.Properties[fieldOperation].Enum.Values[0].(string)}
	switch c.order {
	case "operation":
		asked.Operation = c.value
	case "consistency":
		asked.Consistency = c.value
	default:
		asked.Parameters = map[string]string{c.order: c.value}
	}
	return asked
}

// requireBoundsTried: a limit of the schema that nobody tries on the load could be another than the load's.
func requireBoundsTried(t *testing.T, order string, schema *jsonschema.Schema, cases []tried) {
	t.Helper()
	requireCase := func(value string, taken bool) {
		assert.True(t, slices.Contains(cases, tried{order, value, taken}), "orders.csv lacks %s,%s,%v", order, value, taken)
	}
	if schema.Enum != nil {
		for _, value := range schema.Enum.Values {
			requireCase(value.(string), true)
		}
	}
	if schema.Minimum != nil {
		requireCase(decimal(schema.Minimum), true)
	}
	if schema.Maximum != nil {
		requireCase(decimal(schema.Maximum), true)
	}
	for _, taken := range []bool{true, false} {
		assert.True(t, slices.ContainsFunc(cases, func(c tried) bool { return c.order == order && c.taken == taken }), "orders.csv has no %s that is taken: %v", order, taken)
	}
	if !has(schema, "integer") {
		return
	}
	one := big.NewRat(1, 1)
	if schema.Minimum != nil {
		requireCase(decimal(new(big.Rat).Sub(schema.Minimum, one)), false)
	}
	if schema.Maximum != nil {
		requireCase(decimal(new(big.Rat).Add(schema.Maximum, one)), false)
	}
}

func TestALoadPodHasEndedWhenItsOwnContainersHave(t *testing.T) {
	runs := func(name string) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
	}
	ended := func(name string, code int32) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}}
	}
	for name, test := range map[string]struct {
		phase         corev1.PodPhase
		statuses      []corev1.ContainerStatus
		ended, failed bool
	}{
		"all run":                       {corev1.PodRunning, []corev1.ContainerStatus{runs("load"), runs("meter"), runs("mesh")}, false, false},
		"meter lingers":                 {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 0), runs("meter")}, false, false},
		"a mesh goes on":                {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 0), ended("meter", 0), runs("mesh")}, true, false},
		"a mesh goes on after a fault":  {corev1.PodRunning, []corev1.ContainerStatus{ended("load", 64), ended("meter", 64), runs("mesh")}, true, true},
		"a mesh ended":                  {corev1.PodRunning, []corev1.ContainerStatus{runs("load"), runs("meter"), ended("mesh", 1)}, false, false},
		"nothing is known but that yes": {corev1.PodSucceeded, nil, true, false},
		"lost with its node":            {corev1.PodFailed, nil, true, true},
		"not started":                   {corev1.PodPending, nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{Status: corev1.PodStatus{Phase: test.phase, ContainerStatuses: test.statuses}}
			assert.Equal(t, test.ended, Ended(pod))
			assert.Equal(t, test.failed, Failed(pod))
		})
	}
}

func TestForeignContainersAreThoseThatNobodyOrdered(t *testing.T) {
	template := BuildJob(order()).Spec.Template
	pod := &corev1.Pod{Spec: template.Spec}
	assert.Empty(t, Foreign(pod))
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "mesh-proxy"})
	pod.Spec.InitContainers = append(pod.Spec.InitContainers, corev1.Container{Name: "mesh-init"})
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "mesh-proxy"}, {Name: "load"}, {Name: "meter"}}
	assert.Equal(t, []string{"mesh-init", "mesh-proxy"}, Foreign(pod))
	pod.Spec = corev1.PodSpec{} // as cached for a pod that has ended
	assert.Equal(t, []string{"mesh-proxy"}, Foreign(pod))
}
