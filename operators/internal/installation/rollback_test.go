package installation

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// firstVersions are CRDs as of before v1beta1: one version, no conversion.
const firstVersions = `{{- range $path, $_ := .Files.Glob "files/crds/*.yaml" }}
{{- $crd := $.Files.Get $path | fromYaml }}
{{- $_ := set $crd.spec "versions" (list (first $crd.spec.versions)) }}
---
{{ toYaml $crd }}
{{- end }}
`

func upgradedAndRolledBack(t *testing.T, installer *Installer) {
	const namespace, name = "former", "ringside"
	ctx := t.Context()
	require.NoError(t, installer.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
	configuration, err := installer.Helm(namespace)
	require.NoError(t, err)
	chart := func() *chartv2.Chart {
		chart, err := loader.LoadDir(filepath.Join(charts, "ringside"))
		require.NoError(t, err)
		return chart
	}
	former := chart()
	for _, template := range former.Templates {
		if template.Name == "templates/crds.yaml" {
			template.Data = []byte(firstVersions)
		}
	}
	install := action.NewInstall(configuration)
	install.ReleaseName, install.Namespace, install.WaitStrategy = name, namespace, kube.HookOnlyStrategy
	_, err = install.RunWithContext(ctx, former, nil)
	require.NoError(t, err)
	strategy, served, _ := experiments(t, installer)
	assert.Equal(t, "None", strategy)
	assert.Equal(t, []string{"v1alpha1"}, served)

	upgrade := func() (string, string) {
		upgrade := action.NewUpgrade(configuration)
		upgrade.Namespace, upgrade.WaitStrategy = namespace, kube.HookOnlyStrategy
		_, err := upgrade.RunWithContext(ctx, name, chart(), Set(true, "conversion", "enabled"))
		require.NoError(t, err)
		strategy, served, trusted := experiments(t, installer)
		assert.Equal(t, "Webhook", strategy)
		assert.Equal(t, []string{"v1alpha1", "v1beta1"}, served)
		var secret corev1.Secret
		require.NoError(t, installer.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "ringside-conversion"}, &secret))
		return trusted, string(secret.Data["tls.crt"])
	}
	trusted, certificate := upgrade()
	assert.NotEmpty(t, trusted)
	again, kept := upgrade()
	assert.Equal(t, []string{trusted, certificate}, []string{again, kept}, "the certificate is looked up")

	off := action.NewUpgrade(configuration)
	off.Namespace, off.WaitStrategy = namespace, kube.HookOnlyStrategy
	_, err = off.RunWithContext(ctx, name, chart(), Set(false, "conversion", "enabled"))
	require.NoError(t, err)
	strategy, served, trusted = experiments(t, installer)
	assert.Equal(t, "None", strategy, "it can be switched off again")
	assert.Equal(t, []string{"v1alpha1"}, served)
	assert.Empty(t, trusted)
	upgrade()

	rollback := action.NewRollback(configuration)
	rollback.Version, rollback.WaitStrategy = 1, kube.HookOnlyStrategy
	require.NoError(t, rollback.Run(name))
	strategy, served, trusted = experiments(t, installer)
	assert.Equal(t, "None", strategy)
	assert.Equal(t, []string{"v1alpha1"}, served)
	assert.Empty(t, trusted)

	uninstall := action.NewUninstall(configuration)
	uninstall.WaitStrategy = kube.HookOnlyStrategy
	_, err = uninstall.Run(name)
	require.NoError(t, err)
}

// experiments returns how Experiments are converted, their versions, and what the API server trusts for that.
func experiments(t *testing.T, installer *Installer) (strategy string, served []string, trusted string) {
	t.Helper()
	crd := &unstructured.Unstructured{}
	crd.SetAPIVersion("apiextensions.k8s.io/v1")
	crd.SetKind("CustomResourceDefinition")
	require.NoError(t, installer.Client.Get(t.Context(), client.ObjectKey{Name: "experiments.ringside.dev"}, crd))
	strategy, _, err := unstructured.NestedString(crd.Object, "spec", "conversion", "strategy")
	require.NoError(t, err)
	trusted, _, err = unstructured.NestedString(crd.Object, "spec", "conversion", "webhook", "clientConfig", "caBundle")
	require.NoError(t, err)
	versions, _, err := unstructured.NestedSlice(crd.Object, "spec", "versions")
	require.NoError(t, err)
	for _, version := range versions {
		if version := version.(map[string]any); version["served"] == true {
			served = append(served, version["name"].(string))
		}
	}
	return strategy, served, trusted
}
