package charttest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/engine"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// attacks are texts that become more than a text where a template writes them into YAML without quoting them.
var attacks = func() map[string]string {
	const fields = "serviceAccountName: ringside-operator"
	all := map[string]string{
		"template":      `{{ .Release.Name }}{{ fail "evaluated" }}`,
		"flow table":    "x, hostPID: true}, y: {z: 1",
		"flow list":     "x], hostPID: true, y: [z",
		"table":         "x: {hostPID: true}",
		"list":          "- x",
		"double quote":  "x\", \"hostPID\": \"y",
		"end of string": "x\"\n" + fields,
		"single quote":  "x', 'hostPID': 'y",
		"backslash":     `x\`,
		"comment":       "x # y",
		"anchor":        "&x y",
		"alias":         "*x",
		"tag":           "!!binary eA==",
		"literal":       "|\n  x",
		"document":      "x\n---\nkind: Pod",
		"boolean":       "true",
		"number":        "1e3",
		"null":          "~",
		"spaces":        "  x  ",
		"long":          strings.Repeat("a", 5_000),
	}
	for name, end := range map[string]string{"old line": "\r", "next line": "\u0085", "line separator": "\u2028"} {
		all[name] = "x" + end + fields
	}
	for _, indent := range []int{0, 2, 4, 6, 8, 10, 12} {
		all[fmt.Sprintf("line, %d spaces", indent)] = "x\n" + strings.Repeat(" ", indent) + fields
	}
	return all
}()

// unwritable are the attacks by names of a table for which toYaml returns nothing.
var unwritable = []string{"long", "next line"}

// noInjection tests that no text in the values of the chart in a folder adds, removes or changes anything but itself in a rendered object. Each of
// the bases, as YAML, switches on parts of the chart.
func noInjection(t *testing.T, folder string, bases ...string) {
	t.Helper()
	chart := Load(t, folder)
	places := placesIn(t, chart.Schema)
	require.NotEmpty(t, places)
	used, refused, broken := map[string]bool{}, map[string]bool{}, map[string][]string{}
	for _, text := range append(bases, "") {
		base, err := common.ReadValues([]byte(text))
		require.NoError(t, err)
		trial := injection{chart: chart, base: base, validator: compile(t, chart), refused: refused, broken: broken, harmless: map[string][]any{}, owned: map[string]bool{}}
		plain, err := trial.render(nil)
		require.NoError(t, err, text)
		for _, place := range places {
			if !used[place.path] && !place.defined {
				rendered, err := trial.render(values(place.with(place.harmless)))
				require.True(t, err == nil || rejected(err), "%s: %v", place.path, err)
				used[place.path] = err != nil || !assert.ObjectsAreEqual(plain, rendered)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(attacks)) {
			trial.attack(name, places)
		}
	}
	for _, place := range places {
		assert.Empty(t, broken[place.path], "%s: quote it in the templates, and give it a pattern in the schema", place.path)
		assert.True(t, used[place.path] || place.defined, "%s: add a base that renders it", place.path)
	}
}

type injection struct {
	chart     *chartv2.Chart
	base      map[string]any
	validator *jsonschema.Schema
	// harmless has what is rendered with harmless texts in places.
	harmless map[string][]any
	// refused has for a place and an attack whether the schema rejects it.
	refused map[string]bool
	// owned are places that the chart's own checks reserve for the chart.
	owned map[string]bool
	// broken has by place the names of the attacks that succeed.
	broken map[string][]string
}

func compile(t *testing.T, chart *chartv2.Chart) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(chart.Schema))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("file:///values.schema.json", schema))
	validator, err := compiler.Compile("file:///values.schema.json")
	require.NoError(t, err)
	return validator
}

// attack renders the chart with a text in all places that accept it.
func (i injection) attack(name string, places []place) {
	var together [][]place // a list or a table of texts has one entry each time
	entries := map[string]int{}
	for _, place := range places {
		if i.owned[place.path] || i.rejects(place, name) || strings.HasSuffix(place.path, nameOf) && slices.Contains(unwritable, name) {
			continue
		}
		whole, _, _ := strings.Cut(place.path, "[]")
		whole = strings.TrimSuffix(strings.TrimSuffix(whole, nameOf), ".*")
		batch := entries[whole]
		entries[whole]++
		if batch == len(together) {
			together = append(together, nil)
		}
		together[batch] = append(together[batch], place)
	}
	for _, places := range together {
		i.compare(name, places)
	}
}

func (i injection) rejects(place place, name string) bool {
	key := place.path + " " + name
	refused, known := i.refused[key]
	if !known {
		all, err := util.CoalesceValues(i.chart, merged(values(place.with(attacks[name])), i.base))
		refused = err != nil || i.validator.Validate(map[string]any(all)) != nil
		i.refused[key] = refused
	}
	return refused
}

// compare renders the chart with a text in places, and with harmless texts there. If the chart rejects one of several, it tries the halves.
func (i injection) compare(name string, places []place) {
	if len(places) == 0 {
		return
	}
	hostile, harmless, key := map[string]any{}, map[string]any{}, ""
	for _, place := range places {
		hostile, harmless = merged(hostile, values(place.with(attacks[name]))), merged(harmless, values(place.with(place.harmless)))
		key += place.path + "\n"
	}
	is, err := i.render(hostile)
	want, found := i.harmless[key]
	harmlessError := error(nil)
	if !found {
		want, harmlessError = i.render(harmless)
		if harmlessError == nil {
			i.harmless[key] = want
		}
	}
	switch {
	case err == nil && harmlessError == nil && same(want, is, attacks[name]):
	case len(places) > 1:
		i.compare(name, places[:len(places)/2])
		i.compare(name, places[len(places)/2:])
	case rejected(err) && rejected(harmlessError):
		i.owned[places[0].path] = true
	case rejected(err):
	default:
		i.broken[places[0].path] = append(i.broken[places[0].path], name)
	}
}

// rejected reports whether an error is that of a chart's own check.
func rejected(err error) bool {
	return err != nil && strings.Contains(err.Error(), "execution error")
}

func (i injection) render(over map[string]any) ([]any, error) {
	release := common.ReleaseOptions{Name: Release, Namespace: Namespace, Revision: 1, IsInstall: true}
	all, err := util.ToRenderValuesWithSchemaValidation(i.chart, merged(over, i.base), release, common.DefaultCapabilities, true)
	if err != nil {
		return nil, err
	}
	files, err := engine.RenderWithClientProvider(i.chart, all, cluster(nil))
	if err != nil {
		return nil, err
	}
	var objects []any
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, "NOTES.txt") {
			continue
		}
		documents := releaseutil.SplitManifests(files[name])
		for _, key := range slices.Sorted(maps.Keys(documents)) {
			var object any
			if err := yaml.UnmarshalStrict([]byte(documents[key]), &object); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// values returns a table as the values of a chart.
func values(table any) map[string]any {
	all, ok := table.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	return all
}

// merged returns the tables with the first overriding the second.
func merged(over, under map[string]any) map[string]any {
	return util.MergeTables(runtime.DeepCopyJSON(over), runtime.DeepCopyJSON(under))
}

// same reports whether two rendered values have the same fields, and differ in nothing but texts.
func same(want, is any, text string) bool {
	switch want := want.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok || len(want) != len(is) {
			return false
		}
		for name, value := range want {
			other, found := is[name]
			if !found { // the name is the text
				other, found = is[text]
			}
			if !found || !same(value, other, text) {
				return false
			}
		}
		return true
	case []any:
		is, ok := is.([]any)
		return ok && slices.EqualFunc(want, is, func(one, other any) bool { return same(one, other, text) })
	case string:
		is, ok := is.(string)
		return ok && sameFile(want, is, text)
	}
	return want == is
}

// sameFile compares two texts, which may be files of a ConfigMap.
func sameFile(want, is, text string) bool {
	if !strings.Contains(want, "\n") {
		return true
	}
	var ours, theirs map[string]any
	if yaml.Unmarshal([]byte(want), &ours) != nil {
		return strings.Count(want, "\n") == strings.Count(is, "\n")
	}
	return yaml.UnmarshalStrict([]byte(is), &theirs) == nil && same(ours, theirs, text)
}
