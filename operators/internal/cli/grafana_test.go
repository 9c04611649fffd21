package cli

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	kubefake "helm.sh/helm/v4/pkg/kube/fake"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/installation"
	"ringside.dev/ringside/operators/internal/runs"
)

// monitored is an installer for a cluster in memory, where monitoring is installed without Grafana.
func monitored(t *testing.T) *installation.Installer {
	t.Helper()
	ready := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: installation.MonitoringNamespace, Name: name}
	}
	c := fake.NewClientBuilder().WithScheme(runs.Scheme()).WithObjects(
		&appsv1.StatefulSet{ObjectMeta: ready("monitoring-prometheus"), Status: appsv1.StatefulSetStatus{Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: 1}},
		&appsv1.Deployment{ObjectMeta: ready("monitoring-grafana"), Status: appsv1.DeploymentStatus{Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: 1}},
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: installation.OperatorNamespace, Name: "ringside-operator"},
			Status: appsv1.DeploymentStatus{Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: 1}},
	).Build()
	releases := map[string]*driver.Memory{}
	installer := &installation.Installer{
		Client: c, Discovery: noGroups{}, Now: time.Now, Tick: time.Millisecond, Patience: time.Second,
		Say: t.Logf, Progress: func(string, string) {},
		Helm: func(namespace string) (*action.Configuration, error) {
			if releases[namespace] == nil {
				releases[namespace] = driver.NewMemory()
				releases[namespace].SetNamespace(namespace)
			}
			configuration := action.NewConfiguration()
			configuration.Releases = storage.Init(releases[namespace])
			configuration.KubeClient = &kubefake.PrintingKubeClient{Out: io.Discard}
			configuration.Capabilities = common.DefaultCapabilities.Copy()
			configuration.Capabilities.KubeVersion = common.KubeVersion{Version: "v1.37.0", Major: "1", Minor: "37"}
			return configuration, nil
		},
	}
	f := installFlags{site: site{monitoringNamespace: installation.MonitoringNamespace}, folders: folders{charts: house + "charts"}, namespace: installation.OperatorNamespace,
		profile: house + "cluster/experiment-profile.yaml", monitoringValues: []string{valuesFile(t, "{prometheus: {storage: {enabled: false}}, grafana: {image: {tag: 1.2.3}}}")}}
	order, err := f.order()
	require.NoError(t, err)
	require.NoError(t, installer.Install(t.Context(), order))
	return installer
}

type noGroups struct{}

func (noGroups) ServerGroups() (*metav1.APIGroupList, error) { return &metav1.APIGroupList{}, nil }

// loader returns a command that appends the name of the image in an archive to a file, and the file.
func loader(t *testing.T) (command, loaded string) {
	t.Helper()
	folder := t.TempDir()
	script := filepath.Join(folder, "load")
	loaded = filepath.Join(folder, "loaded")
	require.NoError(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho \"$@\" >>%s\n", loaded), 0o700))
	return script + " load-image", loaded
}

// mirrored returns a registry that has the image of Grafana.
func mirrored(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	image, err := random.Image(1<<10, 1)
	require.NoError(t, err)
	tag, err := name.NewTag(address + "/grafana/grafana:1.2.3")
	require.NoError(t, err)
	require.NoError(t, remote.Write(tag, image))
	return address
}

func TestGrafanaIsPulledLoadedAndStartedOnce(t *testing.T) {
	installer := monitored(t)
	command, loaded := loader(t)
	f := grafanaFlags{site: site{monitoringNamespace: installation.MonitoringNamespace, loader: command}, mirror: mirrored(t), pulled: t.TempDir()}
	require.NoError(t, f.start(t.Context(), installer))
	archive := filepath.Join(f.pulled, "docker.io_grafana_grafana_1.2.3.tar")
	content, err := os.ReadFile(loaded)
	require.NoError(t, err)
	assert.Equal(t, "load-image "+archive+"\n", string(content))
	found, err := installation.ImageIn(archive)
	require.NoError(t, err)
	assert.Equal(t, installation.Image{Registry: "docker.io", Repository: "grafana/grafana", Tag: "1.2.3"}, found)
	enabled, image, err := installer.GrafanaState(installation.MonitoringNamespace)
	require.NoError(t, err)
	assert.True(t, enabled)
	assert.Equal(t, "docker.io/grafana/grafana:1.2.3", image.Reference())

	require.NoError(t, f.start(t.Context(), installer), "it runs")
	again, err := os.ReadFile(loaded)
	require.NoError(t, err)
	assert.Equal(t, content, again)

	f.mirror = "127.0.0.1:1" // no registry is needed for an archive that was pulled before
	require.NoError(t, f.start(t.Context(), monitored(t)), "another cluster")
}

func TestGrafanaThatCannotBePulledIsReportedWithTheRealError(t *testing.T) {
	installer := monitored(t)
	command, loaded := loader(t)
	f := grafanaFlags{site: site{monitoringNamespace: installation.MonitoringNamespace, loader: command}, mirror: "127.0.0.1:1", pulled: t.TempDir()}
	err := f.start(t.Context(), installer)
	require.ErrorContains(t, err, "open Grafana: it is not enabled, and its image is not on the nodes: pull image 127.0.0.1:1/grafana/grafana:1.2.3: ")
	require.ErrorContains(t, err, "connection refused")
	require.ErrorContains(t, err, "make grafana MIRROR=<registry>")
	require.ErrorContains(t, err, "docker save docker.io/grafana/grafana:1.2.3 -o <file>")
	assert.Equal(t, exitUnavailable, exitCode(err))
	assert.NoFileExists(t, loaded)
	enabled, _, err := installer.GrafanaState(installation.MonitoringNamespace)
	require.NoError(t, err)
	assert.False(t, enabled)
}

func TestGrafanaRunsFromAnArchive(t *testing.T) {
	installer := monitored(t)
	command, loaded := loader(t)
	archive := filepath.Join(t.TempDir(), "mine.tar")
	require.NoError(t, installation.PullImage(t.Context(), installation.PullOrder{Reference: "mine.example/grafana/grafana:1.2.3", Mirror: mirrored(t), Into: archive}))
	f := grafanaFlags{site: site{monitoringNamespace: installation.MonitoringNamespace, loader: command}, archive: archive, mirror: "127.0.0.1:1"}
	require.NoError(t, f.start(t.Context(), installer))
	assert.FileExists(t, loaded)
	_, image, err := installer.GrafanaState(installation.MonitoringNamespace)
	require.NoError(t, err)
	assert.Equal(t, "mine.example/grafana/grafana:1.2.3", image.Reference())
}

func TestALoaderThatFailsLeavesGrafanaAsItWas(t *testing.T) {
	installer := monitored(t)
	f := grafanaFlags{site: site{monitoringNamespace: installation.MonitoringNamespace, loader: "false"}, mirror: mirrored(t), pulled: t.TempDir()}
	require.ErrorContains(t, f.start(t.Context(), installer), "load image archive "+f.pulled)
	enabled, _, err := installer.GrafanaState(installation.MonitoringNamespace)
	require.NoError(t, err)
	assert.False(t, enabled)
}

func TestOnAClusterThatPullsImagesGrafanaIsEnabledByValues(t *testing.T) {
	f := grafanaFlags{site: site{monitoringNamespace: installation.MonitoringNamespace}}
	require.ErrorContains(t, f.start(t.Context(), monitored(t)), "set grafana.enabled: true in a values file and run: make install MONITORING_VALUES=<file>")
}

func TestGrafanaLinks_openTheLatestRunInItsOwnTimeRange(t *testing.T) {
	dashboards, err := monitored(t).Dashboards(installation.MonitoringNamespace)
	require.NoError(t, err)
	at := func(seconds int64) metav1.Time { return metav1.NewTime(time.Unix(seconds, 0)) }
	ended := at(1100)
	of := func(id string, created metav1.Time, chart string, finished *metav1.Time) v1beta1.Experiment {
		return v1beta1.Experiment{
			ObjectMeta: metav1.ObjectMeta{CreationTimestamp: created, Labels: map[string]string{v1beta1.LabelExperiment: "smoke", v1beta1.LabelRun: id}},
			Spec:       v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: chart}}, Status: v1beta1.ExperimentStatus{FinishedAt: finished},
		}
	}
	all := []string{"all runs:", "  Experiment history http://a:1/d/ringside-history", "  Runs               http://a:1/d/ringside-runs"}
	for name, test := range map[string]struct {
		runs []v1beta1.Experiment
		want []string
	}{
		"no run": {nil, nil},
		"a run that has ended": {[]v1beta1.Experiment{of("r2", at(1000), "udp-echo", &ended), of("r1", at(900), "stub", &ended)}, []string{
			"run r2 of smoke:",
			"  Experiment         http://a:1/d/ringside-experiment?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
			"  Server comparison  http://a:1/d/ringside-comparison?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
			"  Store              http://a:1/d/ringside-store?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
		}},
		"a run that goes on": {[]v1beta1.Experiment{of("r1", at(1000), "stub", nil)}, []string{
			"run r1 of smoke:",
			"  Experiment         http://a:1/d/ringside-experiment?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Server comparison  http://a:1/d/ringside-comparison?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Store              http://a:1/d/ringside-store?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Thrift server      http://a:1/d/ringside-thrift?from=1000000&to=now&var-experiment=smoke&var-run=r1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, append(test.want, all...), links("a:1", dashboards, test.runs))
		})
	}
}
