package v1beta1_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func definition(t *testing.T) (crd apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	text, err := os.ReadFile("../../../charts/ringside/files/crds/ringside.dev_experiments.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &crd))
	return crd
}

func TestTheRulesCompareAllFixedFields(t *testing.T) {
	var rules strings.Builder
	for _, version := range definition(t).Spec.Versions {
		if version.Name == v1beta1.GroupVersion.Version {
			for _, rule := range version.Schema.OpenAPIV3Schema.Properties["spec"].XValidations {
				rules.WriteString(rule.Rule + " && ")
			}
		}
	}
	for field := range reflect.TypeFor[v1beta1.FixedSpec]().Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		want := fmt.Sprintf("self.%[1]s == oldSelf.%[1]s", name)
		if strings.Contains(options, "omitempty") {
			want = fmt.Sprintf("has(self.%[1]s) == has(oldSelf.%[1]s) && (!has(self.%[1]s) || %[2]s)", name, want)
		}
		assert.Contains(t, rules.String(), want+" && ")
	}
}
