package installation

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	kubefake "helm.sh/helm/v4/pkg/kube/fake"
	"helm.sh/helm/v4/pkg/storage"
	"helm.sh/helm/v4/pkg/storage/driver"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
)

const charts = "../../../charts"

// groups is a cluster's list of API groups.
type groups []string

func (g groups) ServerGroups() (*metav1.APIGroupList, error) {
	list := &metav1.APIGroupList{}
	for _, name := range g {
		list.Groups = append(list.Groups, metav1.APIGroup{Name: name})
	}
	return list, nil
}

// trial is an installer with Helm's releases in memory, and the lines that it printed.
type trial struct {
	*Installer
	said     []string
	progress []string
	releases map[string]*driver.Memory
}

func (tr *trial) helm(namespace string) (*action.Configuration, error) {
	memory := tr.releases[namespace]
	if memory == nil {
		memory = driver.NewMemory()
		memory.SetNamespace(namespace)
		tr.releases[namespace] = memory
	}
	configuration := action.NewConfiguration()
	configuration.Releases = storage.Init(memory)
	configuration.KubeClient = &kubefake.PrintingKubeClient{Out: io.Discard}
	configuration.Capabilities = common.DefaultCapabilities.Copy()
	configuration.Capabilities.KubeVersion = common.KubeVersion{Version: "v1.37.0", Major: "1", Minor: "37"}
	return configuration, nil
}

// try returns an installer for a cluster in memory, where everything is ready that the objects say is ready.
func try(served groups, objects ...client.Object) *trial {
	tr := &trial{releases: map[string]*driver.Memory{}}
	clock := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	tr.Installer = &Installer{
		Client: fake.NewClientBuilder().WithScheme(runs.Scheme()).WithObjects(objects...).Build(), Discovery: served, Helm: tr.helm,
		Say: func(format string, args ...any) { tr.said = append(tr.said, fmt.Sprintf(format, args...)) },
		Progress: func(doing, detail string) {
			tr.progress = append(tr.progress, strings.TrimSuffix(doing+": "+detail, ": "))
		},
		Now:  func() time.Time { clock = clock.Add(10 * time.Second); return clock },
		Tick: time.Millisecond, Patience: 300 * time.Millisecond,
	}
	return tr
}

func workloads() []client.Object {
	return []client.Object{deployment(OperatorNamespace, "ringside-operator", 1), set(MonitoringNamespace, "monitoring-prometheus", 1), deployment(MonitoringNamespace, "monitoring-grafana", 1)}
}

func deployment(namespace, name string, available int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Generation: 2},
		Spec:       appsv1.DeploymentSpec{Replicas: ptr.To[int32](1), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}},
		Status:     appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: available},
	}
}

func set(namespace, name string, available int32) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       appsv1.StatefulSetSpec{Replicas: ptr.To[int32](1), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}},
		Status:     appsv1.StatefulSetStatus{Replicas: 1, UpdatedReplicas: 1, AvailableReplicas: available},
	}
}

func class(name string, isDefault bool) *storagev1.StorageClass {
	return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{annotationDefaultClass: fmt.Sprint(isDefault)}}}
}

func order(tag string) Order {
	return Order{
		Operator: Part{Release: OperatorRelease, Namespace: OperatorNamespace, Chart: "ringside", Files: os.DirFS(charts + "/ringside"), Layers: Layers{Images: Set(tag, "image", "tag")}},
		Prometheus: Part{Release: MonitoringRelease, Namespace: MonitoringNamespace, Chart: "monitoring", Files: os.DirFS(charts + "/monitoring"),
			Layers: Layers{Defaults: Set([]any{OperatorNamespace}, "namespaces")}},
	}
}

// values returns the values of a release.
func (tr *trial) values(t *testing.T, namespace, name string) Values {
	t.Helper()
	configuration, err := tr.helm(namespace)
	require.NoError(t, err)
	found, err := helm{configuration, name, namespace}.last()
	require.NoError(t, err)
	require.NotNil(t, found, "release %s", name)
	return found.Config
}

func (tr *trial) requireNothingInstalled(t *testing.T) {
	t.Helper()
	for namespace := range tr.releases {
		configuration, err := tr.helm(namespace)
		require.NoError(t, err)
		all, err := configuration.Releases.ListReleases()
		require.NoError(t, err)
		require.Empty(t, all, namespace)
	}
}

// upgrade is what a user does with helm upgrade --reuse-values --set.
func (tr *trial) upgrade(t *testing.T, namespace, name, chart string, set Values) {
	t.Helper()
	configuration, err := tr.helm(namespace)
	require.NoError(t, err)
	loaded, err := loader.LoadDir(charts + "/" + chart)
	require.NoError(t, err)
	upgrade := action.NewUpgrade(configuration)
	upgrade.Namespace, upgrade.ReuseValues = namespace, true
	_, err = upgrade.Run(name, loaded, set)
	require.NoError(t, err)
}

func TestAnInstallationKeepsWhatUsersSetByHelmAndByEarlierFiles(t *testing.T) {
	tr := try(nil, append(workloads(), class("standard", true))...)
	first := order("one")
	first.Operator.Asked = Set(true, "verbose")
	first.Prometheus.Asked = Set("gp3", "prometheus", "storage", "className")
	first.Prometheus.Defaults = Overlay(first.Prometheus.Defaults, Set("15s", "scrape", "store"))
	require.ErrorContains(t, tr.Install(t.Context(), first), `the storage class "gp3" of Prometheus's volume does not exist`)
	require.NoError(t, tr.Client.Create(t.Context(), class("gp3", false)))
	require.NoError(t, tr.Install(t.Context(), first))

	tr.upgrade(t, OperatorNamespace, OperatorRelease, "ringside", Values{"runAs": 0, "image": Values{"tag": "theirs"}})
	tr.upgrade(t, MonitoringNamespace, MonitoringRelease, "monitoring", Values{"grafana": Values{"enabled": false}})
	second := order("two")
	second.Prometheus.Defaults = Overlay(second.Prometheus.Defaults, Set("20s", "scrape", "store"))
	require.NoError(t, tr.Install(t.Context(), second))

	operator := tr.values(t, OperatorNamespace, OperatorRelease)
	assert.Equal(t, true, operator["verbose"], "of a values file")
	assert.EqualValues(t, 0, operator["runAs"], "of helm upgrade --set")
	assert.Equal(t, "two", At(operator, "image", "tag"), "image tags are Ringside's own")
	prometheus := tr.values(t, MonitoringNamespace, MonitoringRelease)
	assert.Equal(t, false, At(prometheus, "grafana", "enabled"))
	assert.Equal(t, "gp3", At(prometheus, "prometheus", "storage", "className"))
	assert.Equal(t, "20s", At(prometheus, "scrape", "store"), "nobody changed Ringside's default, so it follows")

	third := order("two")
	third.Reset = true
	require.NoError(t, tr.Install(t.Context(), third))
	assert.NotContains(t, tr.values(t, OperatorNamespace, OperatorRelease), "runAs", "--reset-values")
}

func TestMonitoringFitsTheCluster(t *testing.T) {
	prometheus := func(selector string) client.Object {
		object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"podMonitorSelector": map[string]any{"matchLabels": map[string]any{"release": selector}}}}}
		object.SetGroupVersionKind(prometheuses.GroupVersion().WithKind("Prometheus"))
		object.SetName(selector)
		object.SetNamespace("monitoring")
		return object
	}
	for name, test := range map[string]struct {
		served  groups
		asked   Monitoring
		profile Values
		exists  []client.Object
		wants   any // prometheusOperator.enabled; nil for no release
		labels  Values
		problem string
	}{
		"no Prometheus Operator":           {wants: false},
		"a Prometheus Operator":            {served: groups{"apps", operatorGroup}, wants: true, labels: Values{}},
		"one that selects by a label":      {served: groups{operatorGroup}, exists: []client.Object{prometheus("stack")}, wants: true, labels: Values{"release": "stack"}},
		"two that select by others":        {served: groups{operatorGroup}, exists: []client.Object{prometheus("stack"), prometheus("other")}, wants: true, labels: Values{}},
		"a profile that decides":           {served: groups{operatorGroup}, profile: Set(false, "prometheusOperator", "enabled"), wants: false},
		"our own, next to one":             {served: groups{operatorGroup}, asked: Own, wants: false},
		"none":                             {served: groups{operatorGroup}, asked: None},
		"one that is asked for and absent": {asked: Operator, problem: "MONITORING is operator: the cluster has no Prometheus Operator"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := try(test.served, append(append(workloads(), class("standard", true)), test.exists...)...)
			asked := order("one")
			asked.Monitoring = test.asked
			asked.Prometheus.Defaults = Overlay(asked.Prometheus.Defaults, test.profile)
			err := tr.Install(t.Context(), asked)
			if test.problem != "" {
				require.ErrorContains(t, err, test.problem)
				tr.requireNothingInstalled(t)
				return
			}
			require.NoError(t, err)
			if test.wants == nil {
				assert.NotContains(t, tr.releases, MonitoringNamespace)
				return
			}
			values := tr.values(t, MonitoringNamespace, MonitoringRelease)
			enabled := At(values, "prometheusOperator", "enabled")
			assert.Equal(t, test.wants, enabled == true)
			if test.labels != nil {
				assert.Equal(t, test.labels, At(values, "prometheusOperator", "labels"))
			}
		})
	}
}

func TestMonitoringThatIsInstalledStaysAsItIsUnlessAsked(t *testing.T) {
	for name, served := range map[string]groups{"our own": {}, "for a Prometheus Operator": {operatorGroup}} {
		t.Run(name, func(t *testing.T) {
			tr := try(served, append(workloads(), class("standard", true))...)
			require.NoError(t, tr.Install(t.Context(), order("one")))
			tr.Discovery = groups{operatorGroup}
			before := At(tr.values(t, MonitoringNamespace, MonitoringRelease), "prometheusOperator")
			require.NoError(t, tr.Install(t.Context(), order("two")))
			assert.Equal(t, before, At(tr.values(t, MonitoringNamespace, MonitoringRelease), "prometheusOperator"))

			asked := order("two")
			for _, asked.Monitoring = range []Monitoring{Operator, Own} {
				require.NoError(t, tr.Install(t.Context(), asked))
				assert.Equal(t, asked.Monitoring == Operator, At(tr.values(t, MonitoringNamespace, MonitoringRelease), "prometheusOperator", "enabled"))
			}
		})
	}
}

func TestAClusterWithoutADefaultStorageClassIsReportedBeforeAnythingIsInstalled(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: MonitoringNamespace, Name: "data-monitoring-prometheus-0"}}
	for name, test := range map[string]struct {
		objects []client.Object
		asked   Values
		problem string
	}{
		"no class":                {problem: "no default storage class for Prometheus's volume; set prometheus.storage.className in MONITORING_VALUES to a class (the cluster has none)"},
		"none is the default":     {objects: []client.Object{class("gp2", false)}, problem: "(the cluster has gp2)"},
		"a default":               {objects: []client.Object{class("gp2", true)}},
		"the class that is named": {objects: []client.Object{class("gp2", false)}, asked: Set("gp2", "prometheus", "storage", "className")},
		"no volume":               {asked: Set(false, "prometheus", "storage", "enabled")},
		"the volume exists":       {objects: []client.Object{claim}},
	} {
		t.Run(name, func(t *testing.T) {
			tr := try(nil, append(workloads(), test.objects...)...)
			asked := order("one")
			asked.Prometheus.Asked = test.asked
			err := tr.Install(t.Context(), asked)
			if test.problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.problem)
			tr.requireNothingInstalled(t)
		})
	}
}

func TestABadValueIsReportedBeforeAnythingIsInstalled(t *testing.T) {
	tr := try(nil, append(workloads(), class("standard", true))...)
	asked := order("one")
	asked.Operator.Asked = Values{"runAs": "nobody"}
	require.ErrorContains(t, tr.Install(t.Context(), asked), "runAs")
}

func TestAnInstallationThatWasKilledIsNamed(t *testing.T) {
	tr := try(nil, append(workloads(), class("standard", true))...)
	require.NoError(t, tr.Install(t.Context(), order("one")))
	configuration, err := tr.helm(OperatorNamespace)
	require.NoError(t, err)
	last, err := helm{configuration, OperatorRelease, OperatorNamespace}.last()
	require.NoError(t, err)
	last.Info.Status = "pending-upgrade"
	require.NoError(t, configuration.Releases.Update(last))
	require.ErrorContains(t, tr.Install(t.Context(), order("two")), "kubectl -n ringside delete secret sh.helm.release.v1.ringside.v1")
}

func TestANamespaceThatIsBeingDeletedIsAwaitedAndItsRunsAreNamed(t *testing.T) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: OperatorNamespace, Finalizers: []string{"test"}, DeletionTimestamp: ptr.To(metav1.Now())}}
	run := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: OperatorNamespace, Name: "quorum-1"}}
	tr := try(nil, append(workloads(), namespace, run)...)
	err := tr.Install(t.Context(), order("one"))
	require.ErrorContains(t, err, "namespace ringside is being deleted, and these runs block the deletion: quorum-1\n")
	require.ErrorContains(t, err, "make remove RUN=<run> ARGS=--force")
	assert.Contains(t, tr.progress, "waiting until namespace ringside is deleted")
}

func TestAnImageThatCannotBePulledIsNamedWithTheRuntimesError(t *testing.T) {
	const image = "docker.io/grafana/grafana:13.2.3"
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: MonitoringNamespace, Name: "monitoring-grafana-x", Labels: map[string]string{"app": "monitoring-grafana"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "grafana", Image: image}}},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "grafana", State: corev1.ContainerState{
			Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "Back-off pulling image"}}}}},
	}
	event := func(name, message string, at time.Time) *corev1.Event {
		return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: MonitoringNamespace, Name: name}, Type: corev1.EventTypeWarning, Message: message,
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: pod.Name}, LastTimestamp: metav1.NewTime(at)}
	}
	now := time.Now()
	tr := try(nil, deployment(OperatorNamespace, "ringside-operator", 1), set(MonitoringNamespace, "monitoring-prometheus", 0), deployment(MonitoringNamespace, "monitoring-grafana", 0), class("standard", true), pod,
		event("a", `Failed to pull image "`+image+`": an older error`, now.Add(-time.Minute)), event("b", `Failed to pull image "`+image+`": dial tcp: no such host`, now), event("c", "Error: ImagePullBackOff", now))
	tr.Patience = time.Hour // it ends long before
	require.NoError(t, tr.Install(t.Context(), order("one")), "no run needs monitoring")
	warning := tr.said[len(tr.said)-1]
	assert.Contains(t, warning, "warning: install charts/monitoring in namespace ringside-monitoring: pod monitoring-grafana-x cannot pull image "+image+": dial tcp: no such host; make the image available")
	assert.Contains(t, warning, "MONITORING=none")
}

func TestWhatKeepsPodsFromBeingReadyIsNamed(t *testing.T) {
	pod := func(status corev1.PodStatus) client.Object {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: OperatorNamespace, Name: "ringside-operator-x", Labels: map[string]string{"app": "ringside-operator"}}, Status: status}
	}
	for name, test := range map[string]struct {
		object client.Object
		says   string
	}{
		"no node fits": {pod(corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Message: "0/4 nodes are available"}}}),
			"(pod ringside-operator-x cannot be scheduled: 0/4 nodes are available)"},
		"it crashes": {pod(corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 2, Message: "unknown flag"}}}}}),
			"(pod ringside-operator-x: CrashLoopBackOff: it ended with exit code 2: unknown flag)"},
		"a quota": {&corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: OperatorNamespace, Name: "e"}, Type: corev1.EventTypeWarning, Message: "exceeded quota",
			InvolvedObject: corev1.ObjectReference{Kind: "ReplicaSet", Name: "ringside-operator-5d"}}, "(replicaset ringside-operator-5d: exceeded quota)"},
		"nothing that is known": {pod(corev1.PodStatus{}), "Deployment ringside-operator is not ready after 300ms; see: kubectl -n ringside get pods,events"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := try(nil, deployment(OperatorNamespace, "ringside-operator", 0), test.object)
			asked := order("one")
			asked.Monitoring = None
			require.ErrorContains(t, tr.Install(t.Context(), asked), test.says)
			assert.Contains(t, strings.Join(tr.progress, "\n"), "waiting for Deployment ringside-operator: 0 of 1 ready")
		})
	}
}

func TestGrafanaIsEnabledAndNothingElseChanges(t *testing.T) {
	tr := try(nil, append(workloads(), class("standard", true))...)
	_, _, err := tr.GrafanaState(MonitoringNamespace)
	require.ErrorContains(t, err, "monitoring is not installed")

	embedded := order("one")
	embedded.Prometheus.Defaults = Overlay(embedded.Prometheus.Defaults, Set(false, "grafana", "enabled"))
	require.NoError(t, tr.Install(t.Context(), embedded))
	enabled, image, err := tr.GrafanaState(MonitoringNamespace)
	require.NoError(t, err)
	assert.False(t, enabled)
	assert.Regexp(t, `^docker\.io/grafana/grafana:\d+\.\d+\.\d+$`, image.Reference())

	before := tr.values(t, MonitoringNamespace, MonitoringRelease)
	require.NoError(t, tr.EnableGrafana(t.Context(), MonitoringNamespace, image))
	enabled, _, err = tr.GrafanaState(MonitoringNamespace)
	require.NoError(t, err)
	assert.True(t, enabled)
	after := tr.values(t, MonitoringNamespace, MonitoringRelease)
	assert.Equal(t, Overlay(before, GrafanaValues(image)), after)

	require.NoError(t, tr.Install(t.Context(), embedded))
	assert.Equal(t, after, tr.values(t, MonitoringNamespace, MonitoringRelease), "make install does not stop it")
}

func TestWithAPrometheusOperatorGrafanaIsTheClustersOwn(t *testing.T) {
	tr := try(groups{operatorGroup}, workloads()...)
	require.NoError(t, tr.Install(t.Context(), order("one")))
	_, _, err := tr.GrafanaState(MonitoringNamespace)
	require.ErrorContains(t, err, "the cluster's own Grafana shows Ringside's dashboards")
}
