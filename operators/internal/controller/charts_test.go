package controller_test

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/storechart/pushed"
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

// pull makes the operator allow charts of a registry, and pull them from the address.
func (h *harness) pull(host, address string) {
	h.reconciler.Catalogue = storechart.NewCatalogue(testCharts).With(storechart.NewRegistries([]string{"oci://" + host}, map[string]string{host: address}))
}

func TestInstallsAChartOfARegistryAndRecordsItsDigest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	host, stop := pushed.Registry(t)
	reference := pushed.Chart(t, host, testCharts+"/ledger", nil)
	h.pull(host, host)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Store.Chart = reference })
	h.until(experiment, func() bool { return h.get(experiment).Status.Store != nil })
	stop()
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	require.Len(t, h.measurements(), 2)
	for _, m := range h.measurements() {
		assert.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		assert.Equal(t, "ledger", m.Spec.Store)
		assert.Equal(t, reference[strings.Index(reference, "@")+1:], m.Status.Proof.ChartDigest)
	}
	h.nothingLeft()
}

// A template can render in a cluster what it hides from the check before.
func TestAnObjectThatNoStoreMayHaveEndsTheRunBeforeItIsCreated(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	host, _ := pushed.Registry(t)
	reference := pushed.Chart(t, host, testCharts+"/ledger", map[string]string{"templates/hidden.yaml": `{{ if lookup "v1" "Namespace" "" "default" }}
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "{{ .Release.Name }}-hidden"}, rules: []}
{{ end }}`})
	h.pull(host, host)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Store.Chart = reference })
	done := h.run(experiment)
	failed := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failed)
	assert.Equal(t, v1beta1.ReasonStoreFailed, failed.Reason)
	assert.Contains(t, failed.Message, "chart ledger has a ClusterRole.rbac.authorization.k8s.io, ")
	assert.Less(t, h.clock.Since(done.CreationTimestamp.Time), time.Minute, "it is not tried again")
	var roles rbacv1.ClusterRoleList
	require.NoError(t, h.client.List(h.ctx, &roles))
	for _, role := range roles.Items {
		assert.NotContains(t, role.Name, "-hidden")
	}
	h.nothingLeft()
}

func TestARunWaitsForTheRegistryOfItsChart(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	host, _ := pushed.Registry(t)
	silent, stop := pushed.Registry(t)
	stop()
	reference := pushed.Chart(t, host, testCharts+"/ledger", nil)
	h.pull(host, host)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Store.Chart = reference })
	h.until(experiment, func() bool { return h.get(experiment).Status.Store != nil })
	h.restart()
	h.pull(host, silent)
	require.ErrorContains(t, h.step(experiment), "does not answer")
	h.pull(host, host)
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	h.nothingLeft()
}

func TestRefusesAChartOfARegistryThatIsNotAllowed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	host, _ := pushed.Registry(t)
	reference := pushed.Chart(t, host, testCharts+"/ledger", nil)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Store.Chart = reference })
	done := h.run(experiment)
	accepted := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionAccepted)
	require.NotNil(t, accepted)
	assert.Equal(t, string(v1beta1.RefusedChartNotAllowed), accepted.Reason)
	assert.Contains(t, accepted.Message, "the operator installs no charts of registries: add its place to storeCharts.allowed of charts/ringside")
	h.nothingLeft()
}

func TestTheAPIServerTakesOnlyAChartsNameOrItsReferenceWithADigest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, chart := range []string{"Ledger", "", "oci://registry.example/ledger", "oci://registry.example/ledger:1.0.0", "oci://registry.example/ledger@sha256:12",
		"oci://registry.example/Ledger@sha256:" + strings.Repeat("a", 64), "https://registry.example/ledger@sha256:" + strings.Repeat("a", 64)} {
		_, err := h.tryCreate(func(e *v1beta1.Experiment) { e.Spec.Store.Chart = chart })
		assert.ErrorContains(t, err, "spec.store.chart: Invalid value", chart)
	}
	_, err := h.tryCreate(func(e *v1beta1.Experiment) {
		e.Spec.Store.Chart = "oci://registry.example:5000/team/ledger@sha256:" + strings.Repeat("a", 64)
	})
	require.NoError(t, err)
}
