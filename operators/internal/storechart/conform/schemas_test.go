package conform

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const openapi = `{"definitions": {
  "io.k8s.api.apps.v1.Deployment": {
    "type": "object", "description": "A deployment.", "required": ["spec"],
    "properties": {"spec": {"$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentSpec"}, "kind": {"type": "string", "description": "Its kind."}},
    "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Deployment"}]
  },
  "io.k8s.api.apps.v1.DeploymentSpec": {"type": "object", "properties": {"surge": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}}},
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": "string", "format": "int-or-string"},
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions": {
    "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "DeleteOptions"}, {"group": "apps", "version": "v1", "kind": "DeleteOptions"}]
  },
  "io.k8s.api.policy.v1.Eviction": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "policy.k8s.io", "version": "v1", "kind": "Eviction"}]}
}}`

func TestEachKindHasASchemaWithAllThatItRefersTo(t *testing.T) {
	files, err := Schemas([]byte(openapi))
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Contains(t, files, "eviction-policy-v1.json")
	var deployment any
	require.NoError(t, json.Unmarshal(files["deployment-apps-v1.json"], &deployment))
	null := schema{"type": "null"}
	assert.Equal(t, schema{"$ref": "#/definitions/io.k8s.api.apps.v1.Deployment", "definitions": schema{
		"io.k8s.api.apps.v1.Deployment": schema{
			"type": "object", "required": []any{"spec"}, "additionalProperties": false,
			"properties": schema{
				"spec": schema{"$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentSpec"},
				"kind": schema{"anyOf": []any{schema{"type": "string"}, null}},
			},
			"x-kubernetes-group-version-kind": []any{schema{"group": "apps", "version": "v1", "kind": "Deployment"}},
		},
		"io.k8s.api.apps.v1.DeploymentSpec": schema{
			"type": "object", "additionalProperties": false,
			"properties": schema{"surge": schema{"anyOf": []any{schema{"$ref": "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}, null}}},
		},
		"io.k8s.apimachinery.pkg.util.intstr.IntOrString": schema{"type": []any{"string", "number"}},
	}}, deployment)
}

func TestRejectsWhatIsNoOpenAPIDocument(t *testing.T) {
	_, err := Schemas([]byte("no"))
	assert.ErrorContains(t, err, "decode Kubernetes' OpenAPI document")
}
