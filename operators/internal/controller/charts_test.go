package controller_test

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/storechart"
)

const projectCharts = "../../../charts"

// A real API server validates every field of the rendered objects.
func TestAPIServerTakesWhatTheChartsRender(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	stores, err := storechart.NewCatalogue(projectCharts).Stores()
	require.NoError(t, err)
	for _, name := range append(stores, "ringside") {
		objects := renderChart(t, name, h.namespace)
		assert.NotEmpty(t, objects, name)
		for _, object := range objects {
			mapping, err := h.client.RESTMapper().RESTMapping(object.GroupVersionKind().GroupKind(), object.GroupVersionKind().Version)
			require.NoError(t, err, name)
			if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
				object.SetNamespace(h.namespace)
			}
			err = h.client.Apply(h.ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner("test"), client.ForceOwnership, client.DryRunAll)
			assert.NoError(t, err, "%s: %s %s", name, object.GetKind(), object.GetName())
		}
	}
}

func renderChart(t *testing.T, name, namespace string) []*unstructured.Unstructured {
	t.Helper()
	chart, err := loader.LoadDir(filepath.Join(projectCharts, name))
	require.NoError(t, err)
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace, install.DryRunStrategy = "test", namespace, action.DryRunClient
	install.KubeVersion, err = common.ParseKubeVersion(storechart.RenderVersion)
	require.NoError(t, err)
	rendered, err := install.RunWithContext(t.Context(), chart, map[string]any{})
	require.NoError(t, err)
	manifest := rendered.(*releasev1.Release).Manifest
	for _, hook := range rendered.(*releasev1.Release).Hooks {
		manifest += "\n---\n" + hook.Manifest
	}
	var objects []*unstructured.Unstructured
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(&object.Object); errors.Is(err, io.EOF) {
			return objects
		} else {
			require.NoError(t, err, name)
		}
		if object.GetKind() != "" {
			objects = append(objects, object)
		}
	}
}
