package charts

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/cli"
	"helm.sh/helm/v4/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/apiserver"
)

// Installs the charts of a release as a user does: helm install oci://<registry>/charts/<name>. No pod runs, because the API server has no nodes.
func TestChartsOfAReleaseAreInstalledFromTheRegistry(t *testing.T) {
	settings, api := cluster(t)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://") + "/ringside"
	into := t.TempDir()
	release := Release{Version: "1.2.3-rc.1", Images: built(host), Time: commit}
	packaged(t, into, release)
	helm, err := Client(host)
	require.NoError(t, err)
	all, err := filepath.Glob(filepath.Join(into, "*.tgz"))
	require.NoError(t, err)
	// The chart of monitoring gives Prometheus a role in the operator's namespace.
	archives := []string{filepath.Join(into, "ringside-"+release.Version+".tgz")}
	archives = append(archives, slices.DeleteFunc(all, func(archive string) bool { return archive == archives[0] })...)
	require.Greater(t, len(archives), 5)

	for _, archive := range archives {
		reference, err := Push(helm, archive, host+"/charts", release.Time)
		require.NoError(t, err)
		again, err := Push(helm, archive, host+"/charts", release.Time)
		require.NoError(t, err)
		assert.Equal(t, reference, again, "the digest of a commit's chart is always the same")

		repository, _, _ := strings.Cut(reference, "@")
		name := filepath.Base(repository)
		settings.SetNamespace(name)
		configuration := action.NewConfiguration()
		require.NoError(t, configuration.Init(settings.RESTClientGetter(), name, "configmap"))
		configuration.RegistryClient = helm
		install := action.NewInstall(configuration)
		install.ReleaseName, install.Namespace, install.CreateNamespace = name, name, true
		install.Version = release.Version
		install.PlainHTTP = true
		install.WaitStrategy, install.Timeout = kube.HookOnlyStrategy, time.Minute
		path, err := install.LocateChart("oci://"+repository, settings)
		require.NoError(t, err)
		chart, err := loader.LoadFile(path)
		require.NoError(t, err)
		_, err = install.RunWithContext(t.Context(), chart, nil)
		assert.NoError(t, err, name)
	}

	var operator appsv1.Deployment
	require.NoError(t, api.Get(t.Context(), client.ObjectKey{Namespace: "ringside", Name: "ringside-operator"}, &operator))
	assert.Equal(t, host+"/ringside-operator:t0", operator.Spec.Template.Spec.Containers[0].Image)
	assert.Equal(t, "1.2.3-rc.1", operator.Labels["app.kubernetes.io/version"])
	var store appsv1.StatefulSet
	require.NoError(t, api.Get(t.Context(), client.ObjectKey{Namespace: "stub", Name: "stub"}, &store))
	assert.Equal(t, host+"/ringside-stub:t2", store.Spec.Template.Spec.Containers[0].Image)
}

// cluster starts an API server, and returns Helm's settings for it.
func cluster(t *testing.T) (*cli.EnvSettings, client.Client) {
	t.Helper()
	server := &envtest.Environment{}
	config := apiserver.New(t, server)
	user, err := server.AddUser(envtest.User{Name: "owner", Groups: []string{"system:masters"}}, nil)
	require.NoError(t, err)
	kubeconfig, err := user.KubeConfig()
	require.NoError(t, err)
	home := t.TempDir()
	for _, variable := range []string{"HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "KUBECACHEDIR"} {
		t.Setenv(variable, filepath.Join(home, variable))
	}
	settings := cli.New()
	settings.KubeConfig = filepath.Join(home, "kubeconfig")
	require.NoError(t, os.WriteFile(settings.KubeConfig, kubeconfig, 0o600))
	api, err := client.New(config, client.Options{})
	require.NoError(t, err)
	return settings, api
}
