package addons

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	rbac "k8s.io/api/rbac/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func decode(t *testing.T) []runtime.Object {
	t.Helper()
	rendered, err := Render()
	require.NoError(t, err)
	reader := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(rendered)))
	strict := scheme.Codecs.UniversalDeserializer()
	var objects []runtime.Object
	buffer := make([]byte, 1<<16)
	for {
		n, err := reader.Read(buffer)
		if errors.Is(err, io.EOF) {
			return objects
		}
		require.NoError(t, err)
		object, _, err := strict.Decode(buffer[:n], nil, nil)
		require.NoError(t, err, "%s", buffer[:n])
		objects = append(objects, object)
	}
}

func find[T runtime.Object](t *testing.T) (found []T) {
	t.Helper()
	for _, object := range decode(t) {
		if o, ok := object.(T); ok {
			found = append(found, o)
		}
	}
	require.NotEmpty(t, found)
	return found
}

func TestNameResolutionRunsRestricted(t *testing.T) {
	deployment := find[*apps.Deployment](t)[0]
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	require.NoError(t, err)
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	template := deployment.Spec.Template
	for _, result := range evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec) {
		assert.True(t, result.Allowed, "%s: %s", result.ForbiddenReason, result.ForbiddenDetail)
	}
	assert.True(t, *template.Spec.Containers[0].SecurityContext.ReadOnlyRootFilesystem)
}

func TestVolumesWaitForTheirPod(t *testing.T) {
	class := find[*storage.StorageClass](t)[0]
	assert.Equal(t, "local-ssd", class.Name)
	assert.Equal(t, storage.VolumeBindingWaitForFirstConsumer, *class.VolumeBindingMode)
	assert.Equal(t, "true", class.Annotations["storageclass.kubernetes.io/is-default-class"])
	image := find[*storage.StorageClass](t)[1]
	assert.Equal(t, "local-image", image.Name)
	assert.Equal(t, storage.VolumeBindingWaitForFirstConsumer, *image.VolumeBindingMode)
	assert.Empty(t, image.Annotations, "asked for by name")
}

func TestNoRoleMayDoEverything(t *testing.T) {
	for _, role := range find[*rbac.ClusterRole](t) {
		for _, rule := range role.Rules {
			assert.NotContains(t, rule.Verbs, "*", role.Name)
			assert.NotContains(t, rule.Resources, "*", role.Name)
			assert.NotContains(t, rule.Resources, "secrets", role.Name)
		}
	}
}
