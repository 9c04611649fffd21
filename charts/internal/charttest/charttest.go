// Package charttest renders and lints charts in tests, as Helm does, without a cluster.
package charttest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Release and Namespace are those with which charts are rendered.
const (
	Release   = "trial"
	Namespace = "proving-ground"
)

// Load reads the chart in a folder.
func Load(t *testing.T, folder string) *chartv2.Chart {
	t.Helper()
	chart, err := loader.Load(folder)
	require.NoError(t, err)
	return chart
}

// Objects has rendered objects by "Kind/name".
type Objects map[string]*unstructured.Unstructured

// Render validates values with the chart's schema and renders the chart. Values are YAML, and override the chart's own. It
// fails the test on a kind that a supported Kubernetes does not serve.
func Render(t *testing.T, folder, values string) (Objects, error) {
	t.Helper()
	return RenderOver(t, folder, values)
}

// RenderOver is like Render, for a cluster with existing objects, which templates can look up.
func RenderOver(t *testing.T, folder, values string, existing ...*unstructured.Unstructured) (Objects, error) {
	t.Helper()
	chart := Load(t, folder)
	overlay, err := common.ReadValues([]byte(values))
	require.NoError(t, err, "the test's values")
	release := common.ReleaseOptions{Name: Release, Namespace: Namespace, Revision: 1, IsInstall: true}
	all, err := util.ToRenderValues(chart, overlay, release, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.RenderWithClientProvider(chart, all, cluster(existing))
	if err != nil {
		return nil, err
	}
	objects := make(Objects)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(file, "NOTES.txt") {
			continue
		}
		for document := range strings.SplitSeq(files[file], "\n---\n") {
			object := &unstructured.Unstructured{}
			if err := yaml.UnmarshalStrict([]byte(document), &object.Object); err != nil {
				return nil, fmt.Errorf("%s: %w\n%s", file, err, document)
			}
			if len(object.Object) > 0 {
				Served(t, object.GetAPIVersion(), object.GetKind())
				objects[object.GetKind()+"/"+object.GetName()] = object
			}
		}
	}
	return objects, nil
}

// MustRender is like Render, and fails the test on an error.
func MustRender(t *testing.T, folder, values string) Objects {
	t.Helper()
	objects, err := Render(t, folder, values)
	require.NoError(t, err)
	bounded(t, objects)
	return objects
}

// Get decodes the object of that kind and name into into.
func (o Objects) Get(t *testing.T, key string, into any) {
	t.Helper()
	require.Contains(t, o, key)
	text, err := yaml.Marshal(o[key].Object)
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(text, into), "%s has fields that Kubernetes does not know", key)
}

// Lint returns the warnings and errors of Helm's linter.
func Lint(t *testing.T, folder string) []string {
	t.Helper()
	var said []string
	for _, message := range lint.RunAll(folder, nil, Namespace).Messages {
		if message.Severity >= support.WarningSev {
			said = append(said, message.Error())
		}
	}
	return said
}
