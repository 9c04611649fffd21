package operator

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
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
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"ringside.dev/ringside/operators/internal/storechart"
)

const charts = "../../../charts"

// ourCharts returns the names of all charts.
func ourCharts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(charts + "/*/Chart.yaml")
	require.NoError(t, err)
	var names []string
	for _, path := range paths {
		if name := filepath.Base(filepath.Dir(path)); name != "store-library" {
			names = append(names, name)
		}
	}
	require.Subset(t, names, []string{"cassandra", "monitoring", "ringside"})
	return names
}

// helperMirror is a repository to which a webhook of the cluster may change that of the operator's image.
const helperMirror = "mirror.example/ringside-operator"

// nightlyRuns returns the value nightly with a CronJob that starts runs.
func nightlyRuns() map[string]any {
	return map[string]any{"enabled": true, "experiment": "smoke", "archive": map[string]any{"claim": "archive"}}
}

// renderedWithRights renders the chart with all optional rights: leader election, nightly runs, access to nodes, and
// another namespace to watch.
func renderedWithRights(t *testing.T, chart string) []*unstructured.Unstructured {
	t.Helper()
	switch chart {
	case "ringside":
		return rendered(t, chart, runsNamespace, map[string]any{"leaderElection": map[string]any{"enabled": true}, "nightly": nightlyRuns(),
			"faultHelpers": map[string]any{"repositories": []any{helperMirror}}})
	case "monitoring":
		return rendered(t, chart, watchNamespace, map[string]any{"namespaces": []any{runsNamespace}})
	default:
		return rendered(t, chart, runsNamespace, nil)
	}
}

// accountsAndRights returns the accounts and rights among the objects.
func accountsAndRights(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(o *unstructured.Unstructured) bool {
		group := o.GroupVersionKind().Group
		return o.GetKind() != "ServiceAccount" && group != "rbac.authorization.k8s.io" && group != "admissionregistration.k8s.io"
	})
}

// rendered returns the objects of a chart, including hooks and tests, in the namespaces that Helm would use.
func rendered(t *testing.T, chart, namespace string, values map[string]any) []*unstructured.Unstructured {
	t.Helper()
	text, err := tryRender(t, chart, namespace, values)
	require.NoError(t, err)
	var objects []*unstructured.Unstructured
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(&object.Object); errors.Is(err, io.EOF) {
			return objects
		} else {
			require.NoError(t, err, chart)
		}
		if object.GetKind() == "" {
			continue
		}
		if object.GetNamespace() == "" && namespaced(object.GroupVersionKind()) {
			object.SetNamespace(namespace)
		}
		objects = append(objects, object)
	}
}

// namespaced reports whether objects of a kind are namespaced, for the kinds in our charts.
func namespaced(kind schema.GroupVersionKind) bool {
	return !strings.HasPrefix(kind.Kind, "Cluster") && !strings.HasPrefix(kind.Kind, "ValidatingAdmission") && kind.Kind != "CustomResourceDefinition"
}

func tryRender(t *testing.T, chart, namespace string, values map[string]any) (string, error) {
	t.Helper()
	loaded, err := loader.LoadDir(filepath.Join(charts, chart))
	require.NoError(t, err)
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace, install.DryRunStrategy = chart, namespace, action.DryRunClient
	install.KubeVersion, err = common.ParseKubeVersion(storechart.RenderVersion)
	require.NoError(t, err)
	done, err := install.RunWithContext(t.Context(), loaded, values)
	if err != nil {
		return "", err
	}
	manifest := done.(*releasev1.Release).Manifest
	for _, hook := range done.(*releasev1.Release).Hooks {
		manifest += "\n---\n" + hook.Manifest
	}
	return manifest, nil
}

func resourceOf(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.GroupResource().String()
}

func TestChartRefusesTwoOperatorsWithoutALeader(t *testing.T) {
	_, err := tryRender(t, "ringside", runsNamespace, map[string]any{"replicas": 2})
	assert.ErrorContains(t, err, "leaderElection")
	_, err = tryRender(t, "ringside", runsNamespace, map[string]any{"replicas": 2, "leaderElection": map[string]any{"enabled": true}})
	assert.NoError(t, err)
}
