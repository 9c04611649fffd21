package installation

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/kube"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/apiserver"
	"ringside.dev/ringside/operators/internal/storechart"
)

// apiServer returns a real API server without controllers, nodes and storage classes.
func apiServer(t *testing.T) *rest.Config {
	t.Helper()
	config := apiserver.New(t, &envtest.Environment{})
	config.QPS = -1
	return config
}

// standIn does what controllers and nodes do for workloads, until the test ends: everything is ready at once.
func standIn(t *testing.T, c client.Client) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { stop(); <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			makeReady(ctx, c)
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
}

// makeReady ignores errors: the next call tries again, and the test waits for the result.
func makeReady(ctx context.Context, c client.Client) {
	var deployments appsv1.DeploymentList
	_ = c.List(ctx, &deployments)
	for at := range deployments.Items {
		d := &deployments.Items[at]
		d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
		_ = c.Status().Update(ctx, d)
	}
	var sets appsv1.StatefulSetList
	_ = c.List(ctx, &sets)
	for at := range sets.Items {
		s := &sets.Items[at]
		s.Status = appsv1.StatefulSetStatus{ObservedGeneration: s.Generation, Replicas: 1, UpdatedReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1}
		_ = c.Status().Update(ctx, s)
	}
}

func TestOnAnAPIServer(t *testing.T) {
	config := apiServer(t)
	installer, err := New(config)
	require.NoError(t, err)
	installer.Tick, installer.Patience = 50*time.Millisecond, time.Minute

	t.Run("helm install of the charts alone works in an empty namespace", func(t *testing.T) {
		const namespace = "bare"
		require.NoError(t, installer.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
		for _, name := range []string{"ringside", "monitoring"} {
			chart, err := loader.LoadDir(filepath.Join(charts, name))
			require.NoError(t, err)
			configuration, err := installer.Helm(namespace)
			require.NoError(t, err)
			install := action.NewInstall(configuration)
			install.ReleaseName, install.Namespace, install.WaitStrategy = name, namespace, kube.HookOnlyStrategy
			installed, err := install.RunWithContext(t.Context(), chart, nil)
			require.NoError(t, err, name)
			manifest := installed.(*releasev1.Release).Manifest
			objects, err := storechart.Objects(manifest)
			require.NoError(t, err)
			require.NotEmpty(t, objects)
			for _, object := range objects {
				found := &metav1.PartialObjectMetadata{TypeMeta: object.TypeMeta}
				key := client.ObjectKey{Namespace: namespace, Name: object.Name}
				assert.Contains(t, []string{"", namespace}, object.Namespace, "%s %s", object.Kind, object.Name)
				if !namespaced(t, installer.Client, object) {
					key.Namespace = ""
				}
				assert.NoError(t, installer.Client.Get(t.Context(), key, found), "%s %s", object.Kind, object.Name)
			}
		}
		for _, name := range []string{"monitoring", "ringside"} { // the CRDs stay, and belong to a release
			configuration, err := installer.Helm(namespace)
			require.NoError(t, err)
			uninstall := action.NewUninstall(configuration)
			uninstall.WaitStrategy = kube.HookOnlyStrategy
			_, err = uninstall.Run(name)
			require.NoError(t, err)
		}
	})

	t.Run("a release elsewhere takes the CRDs of a removed one over", func(t *testing.T) {
		const namespace = "moved"
		require.NoError(t, installer.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
		chart, err := loader.LoadDir(filepath.Join(charts, "ringside"))
		require.NoError(t, err)
		for _, takes := range []bool{false, true} {
			configuration, err := installer.Helm(namespace)
			require.NoError(t, err)
			install := action.NewInstall(configuration)
			install.ReleaseName, install.Namespace, install.WaitStrategy, install.TakeOwnership = "ringside", namespace, kube.HookOnlyStrategy, takes
			_, err = install.RunWithContext(t.Context(), chart, nil)
			assert.Equal(t, takes, err == nil, err)
		}
		configuration, err := installer.Helm(namespace)
		require.NoError(t, err)
		uninstall := action.NewUninstall(configuration)
		uninstall.WaitStrategy = kube.HookOnlyStrategy
		_, err = uninstall.Run("ringside")
		require.NoError(t, err)
	})

	t.Run("without a default storage class nothing is installed", func(t *testing.T) {
		require.ErrorContains(t, installer.Install(t.Context(), order("one")), "no default storage class")
		var deployments appsv1.DeploymentList
		require.NoError(t, installer.Client.List(t.Context(), &deployments))
		assert.Empty(t, deployments.Items)
	})

	t.Run("what users set by helm upgrade survives an installation", func(t *testing.T) {
		standIn(t, installer.Client)
		without := order("one")
		without.Operator.Layers.Images = Overlay(without.Operator.Layers.Images, Set(false, "crds", "enabled")) // they belong to the release above
		without.Prometheus.Asked = Set(false, "prometheus", "storage", "enabled")
		require.NoError(t, installer.Install(t.Context(), without))

		configuration, err := installer.Helm(OperatorNamespace)
		require.NoError(t, err)
		chart, err := loader.LoadDir(filepath.Join(charts, "ringside"))
		require.NoError(t, err)
		upgrade := action.NewUpgrade(configuration)
		upgrade.Namespace, upgrade.ReuseValues, upgrade.WaitStrategy = OperatorNamespace, true, kube.HookOnlyStrategy
		_, err = upgrade.RunWithContext(t.Context(), OperatorRelease, chart, Values{"runAs": 0})
		require.NoError(t, err)

		without.Operator.Layers.Images = Overlay(without.Operator.Layers.Images, Set("two", "image", "tag"))
		without.Prometheus.Asked = nil // it stays as it was asked for
		require.NoError(t, installer.Install(t.Context(), without))
		var operator appsv1.Deployment
		require.NoError(t, installer.Client.Get(t.Context(), client.ObjectKey{Namespace: OperatorNamespace, Name: "ringside-operator"}, &operator))
		pod := operator.Spec.Template.Spec
		assert.Nil(t, pod.SecurityContext.RunAsUser)
		assert.Equal(t, "ringside.local/ringside-operator:two", pod.Containers[0].Image)
	})

	t.Run("grafana runs from the image that was loaded, by the chart that is installed", func(t *testing.T) {
		standIn(t, installer.Client)
		image := Image{"mirror.example", "grafana/grafana", "1.2.3"}
		require.NoError(t, installer.EnableGrafana(t.Context(), MonitoringNamespace, image))
		var grafana appsv1.Deployment
		require.NoError(t, installer.Client.Get(t.Context(), client.ObjectKey{Namespace: MonitoringNamespace, Name: "monitoring-grafana"}, &grafana))
		assert.Equal(t, image.Reference(), grafana.Spec.Template.Spec.Containers[0].Image)
		assert.True(t, slices.ContainsFunc(grafana.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool { return v.Projected != nil && len(v.Projected.Sources) > 0 }),
			"the dashboards are those of the installed chart")
	})
}

func namespaced(t *testing.T, c client.Client, object metav1.PartialObjectMetadata) bool {
	t.Helper()
	is, err := c.IsObjectNamespaced(&object)
	require.NoError(t, err)
	return is
}
