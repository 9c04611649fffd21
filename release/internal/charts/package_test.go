package charts

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/cli"
	"helm.sh/helm/v4/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/apiserver"
)

const house = "../../../charts"

var commit = time.Date(2026, 11, 25, 21, 0, 0, 0, time.UTC)

// built has an image for each chart of the repository that needs one.
func built(registry string) Images {
	var images Images
	images.Image.Registry, images.Image.Tag = registry, "t0"
	images.Images.Digests = map[string]Image{}
	for i, name := range []string{"operator", "cassandra", "stub", "http-store", "udp-echo", "trip-cache", "stress", "cassandra-cql"} {
		images.Images.Digests[name] = Image{Tag: fmt.Sprintf("t%d", i), Digests: []string{fmt.Sprintf("sha256:%064d", i)}}
	}
	return images
}

func packaged(t *testing.T, into string, release Release) map[string]*chartv2.Chart {
	t.Helper()
	folders, err := Folders(house)
	require.NoError(t, err)
	all := map[string]*chartv2.Chart{}
	for _, folder := range folders {
		path, err := Package(folder, into, release)
		require.NoError(t, err)
		chart, err := loader.LoadFile(path)
		require.NoError(t, err)
		all[chart.Name()] = chart
	}
	return all
}

func TestPackagesHaveTheVersionAndTheImagesOfTheRelease(t *testing.T) {
	all := packaged(t, t.TempDir(), Release{Version: "1.2.3", Images: built("registry.example/ringside"), Time: commit})
	for name, chart := range all {
		assert.Equal(t, "1.2.3", chart.Metadata.Version, name)
		assert.NotContains(t, chart.Metadata.Annotations["artifacthub.io/images"], "ringside.local", name)
		assert.NotContains(t, chart.Metadata.Annotations, "artifacthub.io/prerelease", name)
		for _, file := range chart.Files {
			assert.NotContains(t, file.Name, "_test.go", name)
		}
	}
	operator := all["ringside"]
	assert.Equal(t, "1.2.3", operator.Metadata.AppVersion)
	assert.Contains(t, operator.Metadata.Annotations["artifacthub.io/images"], "registry.example/ringside/ringside-operator:t0")
	assert.Equal(t, map[string]any{"registry": "registry.example/ringside", "tag": "t0", "operatorDigest": "", "pullPolicy": "IfNotPresent"}, operator.Values["image"])
	assert.Equal(t, map[string]any{"tag": "t6", "image": []any{fmt.Sprintf("sha256:%064d", 6)}}, operator.Values["images"].(map[string]any)["digests"].(map[string]any)["stress"])

	assert.Equal(t, "3.11.19", all["cassandra"].Metadata.AppVersion)
	assert.Equal(t, map[string]any{"registry": "registry.example/ringside", "tag": "t1", "pullPolicy": "IfNotPresent"}, all["cassandra"].Values["image"])
}

func TestTheCommandOfAReleaseEmbedsItsCharts(t *testing.T) {
	folders, err := Folders(house)
	require.NoError(t, err)
	overlay, err := Overlay(folders, t.TempDir(), Release{Version: "1.2.3", Images: built("registry.example/ringside"), Time: commit})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o644))

	embedded, err := exec.CommandContext(t.Context(), "go", "run", "-overlay", file, "./testdata/embedded").CombinedOutput()
	require.NoError(t, err, string(embedded))
	assert.NotContains(t, string(embedded), localRegistry)
	assert.Contains(t, string(embedded), "registry.example/ringside")
	assert.Contains(t, string(embedded), "version: 1.2.3")
}

func TestAPreviewIsMarkedInCatalogues(t *testing.T) {
	path, err := Package(filepath.Join(house, "monitoring"), t.TempDir(), Release{Version: "1.2.3-rc.1", Images: built("registry.example"), Time: commit})
	require.NoError(t, err)
	chart, err := loader.LoadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "true", chart.Metadata.Annotations["artifacthub.io/prerelease"])
}

func TestTwoPackagesOfACommitAreEqual(t *testing.T) {
	release := Release{Version: "1.2.3", Images: built("registry.example"), Time: commit}
	first, second := t.TempDir(), t.TempDir()
	packaged(t, first, release)
	packaged(t, second, release)
	files, err := os.ReadDir(first)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		one, err := os.ReadFile(filepath.Join(first, file.Name()))
		require.NoError(t, err)
		other, err := os.ReadFile(filepath.Join(second, file.Name()))
		require.NoError(t, err)
		assert.Equal(t, one, other, file.Name())
	}
}

func TestAChartWhoseImageWasNotBuiltIsNotPackaged(t *testing.T) {
	images := built("registry.example")
	delete(images.Images.Digests, "stub")
	_, err := Package(filepath.Join(house, "stub"), t.TempDir(), Release{Version: "1.2.3", Images: images, Time: commit})
	assert.ErrorContains(t, err, "package chart stub: image stub was not built; build all images")
}

func TestReadsTheImagesThatWereBuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "values.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"image": {"registry": "registry.example/r", "tag": "a"}, "images": {"digests": {"stub": {"tag": "b", "image": ["sha256:c", "sha256:d"]}}}}`), 0o644))
	images, err := ReadImages(path)
	require.NoError(t, err)
	references, err := images.References()
	require.NoError(t, err)
	assert.Equal(t, []string{"registry.example/r/ringside-stub@sha256:c"}, references)

	require.NoError(t, os.WriteFile(path, []byte(`{}`), 0o644))
	_, err = ReadImages(path)
	assert.ErrorContains(t, err, "it names none; write it with ringside-images values operator")
}

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
