package v1beta1_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// unbounded are the lists, maps and strings without a bound in the schema, by where they are, with what bounds them instead. [] is an item of a list,
// {} a value of a map.
var unbounded = map[string]string{
	"spec.load.parameters{}":                  "a rule of the map",
	"spec.load.nodeSelector{}":                "a rule of the map",
	"spec.phases[].parameters{}":              "a rule of the map",
	"spec.servers[].options{}":                "a rule of the map",
	"spec.load.resources.claims":              "a type of Kubernetes, whose API server checks the load's Job",
	"spec.load.resources.claims[].name":       "the same",
	"spec.load.resources.claims[].request":    "the same",
	"spec.load.resources.limits":              "the same",
	"spec.load.resources.requests":            "the same",
	"spec.load.tolerations[].effect":          "the same",
	"spec.load.tolerations[].key":             "the same",
	"spec.load.tolerations[].operator":        "the same",
	"spec.load.tolerations[].value":           "the same",
	"status.store.proofs[].environment{}":     "the longest proof that the operator reads",
	"status.store.proofs[].settings{}":        "the longest proof that the operator reads",
	"status.proof.environment{}":              "the longest proof that the operator reads",
	"status.proof.settings{}":                 "the longest proof that the operator reads",
	"status.environment.store{}":              "the longest proof that the operator reads",
	"status.result.intervals.storeCounters{}": "the number of intervals",
}

// A load or a store that reports too much must not fill etcd, and the rules of the CRD must have a cost that the API server can estimate.
func TestListsMapsAndStringsHaveBounds(t *testing.T) {
	excused := map[string]bool{}
	for _, name := range []string{"experiments", "measurements", "measurementparts"} {
		crd := generatedCRD(t, name)
		for _, version := range crd.Spec.Versions {
			for field, schema := range version.Schema.OpenAPIV3Schema.Properties {
				if field == "apiVersion" || field == "kind" || field == "metadata" {
					continue // the API server checks them
				}
				for _, where := range without(schema, field) {
					assert.Contains(t, unbounded, where, "%s: give it MaxLength, MaxItems or MaxProperties", crd.Name)
					excused[where] = true
				}
			}
		}
	}
	for _, where := range slices.Sorted(maps.Keys(unbounded)) {
		assert.True(t, excused[where], "%s has a bound, or does not exist: remove it from the list", where)
	}
}

func generatedCRD(t *testing.T, name string) (crd apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(generatedCRDs, "ringside.dev_"+name+".yaml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &crd))
	return crd
}

func TestTheRuleOfChartsHasThePatternOfReferences(t *testing.T) {
	chart := generatedCRD(t, "experiments").Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["store"].Properties["chart"]
	require.Len(t, chart.XValidations, 1)
	assert.Contains(t, chart.XValidations[0].Rule, "'"+v1beta1.ChartReference+"'")
}

// without returns where a schema has a list, map or string without a bound.
func without(schema apiextensionsv1.JSONSchemaProps, where string) (out []string) {
	switch {
	case schema.XPreserveUnknownFields != nil, schema.XIntOrString: // chart values, which the chart's schema checks; quantities
		return nil
	case schema.Type == "string" && schema.MaxLength == nil && len(schema.Enum) == 0 && schema.Format != "date-time",
		schema.Type == "array" && schema.MaxItems == nil,
		schema.AdditionalProperties != nil && schema.MaxProperties == nil:
		out = append(out, where)
	}
	if schema.Items != nil {
		out = append(out, without(*schema.Items.Schema, where+"[]")...)
	}
	if schema.AdditionalProperties != nil {
		out = append(out, without(*schema.AdditionalProperties.Schema, where+"{}")...)
	}
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		out = append(out, without(schema.Properties[field], where+"."+field)...)
	}
	return out
}

const generatedCRDs = "../../../charts/ringside/files/crds"

// What controller-gen makes of the types is what is committed.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	const api = "paths=ringside.dev/ringside/operators/api/"
	crds, objects := t.TempDir(), t.TempDir()
	for _, arguments := range [][]string{
		{"crd:allowDangerousTypes=false", api + "v1beta1", "output:crd:dir=" + crds},
		{"object", api + "v1beta1", "output:object:dir=" + objects},
	} {
		generate := exec.CommandContext(t.Context(), "go", append([]string{"tool", "controller-gen"}, arguments...)...)
		output, err := generate.CombinedOutput()
		require.NoError(t, err, string(output))
	}
	compare(t, objects, ".", "zz_generated.deepcopy.go")
	for _, name := range []string{"ringside.dev_experiments.yaml", "ringside.dev_measurements.yaml", "ringside.dev_measurementparts.yaml"} {
		compare(t, crds, generatedCRDs, name)
	}
}

func compare(t *testing.T, fresh, committed, name string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(fresh, name))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(committed, name))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got), "%s is out of date: run `go generate ./operators/api/...`", name)
}
