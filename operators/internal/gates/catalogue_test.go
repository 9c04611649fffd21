package gates

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func fieldNames(t *testing.T, kind reflect.Type) (modes, limits []string) {
	t.Helper()
	for i := range kind.NumField() {
		name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if kind.Field(i).Type == reflect.TypeFor[v1beta1.GateMode]() {
			modes = append(modes, name)
		} else {
			limits = append(limits, name)
		}
	}
	return modes, limits
}

func TestTheCatalogueHasEveryGateThatAnExperimentCanSet(t *testing.T) {
	var modes, limits []string
	for _, gate := range Catalogue() {
		assert.True(t, gate.Field != "" || gate.Default != "", "%s has a field or a fixed mode", gate.Name)
		assert.Equal(t, gate.Limit == "", gate.Tolerated == "", gate.Name)
		if gate.Field != "" {
			modes = append(modes, gate.Field)
		}
		if gate.Limit != "" {
			limits = append(limits, gate.Limit)
		}
	}
	wantModes, wantLimits := fieldNames(t, reflect.TypeFor[v1beta1.Gates]())
	assert.ElementsMatch(t, wantModes, modes)
	assert.ElementsMatch(t, wantLimits, limits)
}

// A reason begins with the name of its gate: in this package's code, each text that has a colon after its first words.
func TestTheCatalogueNamesEveryGateThatGivesAReason(t *testing.T) {
	names := map[string]bool{}
	for _, gate := range Catalogue() {
		names[gate.Name] = false
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	begins := regexp.MustCompile(`"([A-Za-z]+(?: [A-Za-z]+)?): `)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "catalogue.go" {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range begins.FindAllStringSubmatch(string(source), -1) {
			_, known := names[found[1]]
			assert.True(t, known, "%s: a reason begins with %q; add the gate to the catalogue", file, found[1])
			names[found[1]] = true
		}
	}
	for name, used := range names {
		assert.True(t, used, "no reason begins with %q", name)
	}
}

// The mode in the catalogue is the one that the API server sets.
func TestTheModesOfTheCatalogueAreTheDefaultsOfTheAPI(t *testing.T) {
	text, err := os.ReadFile("../../../charts/ringside/files/crds/ringside.dev_experiments.yaml")
	require.NoError(t, err)
	var crd apiextensionsv1.CustomResourceDefinition
	require.NoError(t, yaml.Unmarshal(text, &crd))
	require.Len(t, crd.Spec.Versions, 1)
	fields := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["gates"].Properties
	for _, gate := range Catalogue() {
		if gate.Field != "" {
			require.NotNil(t, fields[gate.Field].Default, gate.Field)
			assert.JSONEq(t, `"`+string(gate.Mode())+`"`, string(fields[gate.Field].Default.Raw), gate.Field)
		}
	}
}
