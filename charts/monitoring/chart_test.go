package monitoring_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/relabel"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	yamlv3 "go.yaml.in/yaml/v3"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

type values = map[string]any

// object is a rendered manifest.
type object struct {
	kind, name, namespace string
	manifest              []byte
}

func (o object) into(t *testing.T, typed any) {
	t.Helper()
	require.NoError(t, yaml.UnmarshalStrict(o.manifest, typed), "%s %s", o.kind, o.name)
}

func render(t *testing.T, overrides values) ([]object, error) {
	t.Helper()
	chart, err := loader.LoadDir(".")
	require.NoError(t, err)
	release := common.ReleaseOptions{Name: "monitoring", Namespace: "watch", IsInstall: true, Revision: 1}
	all, err := util.ToRenderValues(chart, overrides, release, nil)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return nil, err
	}
	var objects []object
	for path, content := range files {
		if !strings.HasSuffix(path, ".yaml") {
			continue
		}
		for _, document := range strings.Split(content, "\n---\n") {
			var meta struct {
				APIVersion, Kind string
				Metadata         struct{ Name, Namespace string }
			}
			require.NoError(t, yaml.Unmarshal([]byte(document), &meta), "%s:\n%s", path, document)
			if meta.Kind != "" {
				charttest.Served(t, meta.APIVersion, meta.Kind)
				objects = append(objects, object{meta.Kind, meta.Metadata.Name, meta.Metadata.Namespace, []byte(document)})
			}
		}
	}
	return objects, nil
}

func rendered(t *testing.T, overrides values) []object {
	t.Helper()
	objects, err := render(t, overrides)
	require.NoError(t, err)
	require.NotEmpty(t, objects)
	return objects
}

func of(kind string, objects []object) []object {
	var found []object
	for _, o := range objects {
		if o.kind == kind {
			found = append(found, o)
		}
	}
	return found
}

func prometheusConfig(t *testing.T, objects []object) string {
	t.Helper()
	for _, o := range of("ConfigMap", objects) {
		var m corev1.ConfigMap
		o.into(t, &m)
		if config, ok := m.Data["prometheus.yml"]; ok {
			return config
		}
	}
	require.Fail(t, "no prometheus.yml is rendered")
	return ""
}

func promtool(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PROMTOOL")
	if path == "" {
		path = "../../build/bin/promtool"
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("left out: there is no promtool; run make $PWD/build/bin/promtool, or name one in PROMTOOL")
	}
	return path
}

func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	output, err := exec.Command(name, arguments...).CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func TestPromtoolAcceptsTheRulesAndTheirUnitTestsPass(t *testing.T) {
	tool := promtool(t)
	run(t, tool, "check", "rules", "--lint-fatal", "rules/recording.yaml", "rules/alerts.yaml")
	run(t, tool, "test", "rules", "rules/recording_test.yaml", "rules/alerts_test.yaml")
}

func TestPromtoolAcceptsTheConfiguration(t *testing.T) {
	tool := promtool(t)
	for name, overrides := range map[string]values{
		"as it comes":            {},
		"of the older Debian":    {"prometheus": values{"version": "3.5.3"}},
		"without node metrics":   {"nodeMetrics": values{"enabled": false}},
		"with an Alertmanager":   {"prometheus": values{"alertmanagers": []any{"alerts.example:9093"}}},
		"trusting every kubelet": {"nodeMetrics": values{"insecureSkipVerify": true}},
		"with remote write":      {"prometheus": values{"remoteWriteReceiver": true}},
	} {
		t.Run(name, func(t *testing.T) {
			config := prometheusConfig(t, rendered(t, overrides))
			path := filepath.Join(t.TempDir(), "prometheus.yml")
			require.NoError(t, os.WriteFile(path, []byte(config), 0o600))
			run(t, tool, "check", "config", "--syntax-only", path)
		})
	}
}

func TestNativeHistogramsAreSwitchedOnAsTheVersionWantsIt(t *testing.T) {
	for name, test := range map[string]struct {
		prometheus values
		byFlag     bool
	}{
		"the default image":                 {values{}, false},
		"before 3.8":                        {values{"image": values{"tag": "v3.7.9"}}, true},
		"from 3.8 on":                       {values{"image": values{"tag": "v3.8.0"}}, false},
		"a tag that says nothing, and 3.5":  {values{"image": values{"tag": "dev"}, "version": "3.5.3"}, true},
		"a tag that says nothing, and 3.15": {values{"image": values{"tag": "dev"}, "version": "3.15.0"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			objects := rendered(t, values{"prometheus": test.prometheus})
			var server appsv1.StatefulSet
			of("StatefulSet", objects)[0].into(t, &server)
			flag := strings.Contains(strings.Join(server.Spec.Template.Spec.Containers[0].Args, " "), "--enable-feature=native-histograms")
			assert.Equal(t, test.byFlag, flag, "flag")
			assert.Equal(t, !test.byFlag, strings.Contains(prometheusConfig(t, objects), "scrape_native_histograms: true"), "configuration")
		})
	}
}

func TestBadValuesAreRefusedWithTheirNames(t *testing.T) {
	for name, test := range map[string]struct {
		overrides values
		says      string
	}{
		"a value that is not there":   {values{"grafana": values{"enable": true}}, "enable"},
		"a namespace in capitals":     {values{"namespaces": []any{"Ringside"}}, "/namespaces/0"},
		"an interval without a unit":  {values{"scrape": values{"load": "5"}}, "/scrape/load"},
		"a size in words":             {values{"prometheus": values{"storage": values{"size": "big"}}}, "/prometheus/storage/size"},
		"a digest cut short":          {values{"prometheus": values{"image": values{"digest": "sha256:12"}}}, "/prometheus/image/digest"},
		"an image without a tag":      {values{"grafana": values{"image": values{"tag": ""}}}, "/grafana/image"},
		"an Alertmanager with a path": {values{"prometheus": values{"alertmanagers": []any{"http://a:9093/x"}}}, "/prometheus/alertmanagers/0"},
		"a tag that is no version":    {values{"prometheus": values{"image": values{"tag": "latest"}}}, "set prometheus.version"},
		"a version that is too old":   {values{"prometheus": values{"version": "2.42.0"}}, "prometheus.version is 2.42.0: rules and dashboards need 3.0 or newer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := render(t, test.overrides)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestPrometheusMayReadPodsInItsNamespacesAndMetricsOfNodesAndNothingElse(t *testing.T) {
	objects := rendered(t, values{"namespaces": []any{"runs", "system"}})
	var namespaces []string
	for _, o := range of("Role", objects) {
		var role rbacv1.Role
		o.into(t, &role)
		namespaces = append(namespaces, o.namespace)
		assert.Equal(t, []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get", "list", "watch"}}}, role.Rules)
	}
	assert.ElementsMatch(t, []string{"runs", "system"}, namespaces)
	require.Len(t, of("ClusterRole", objects), 1)
	var nodes rbacv1.ClusterRole
	of("ClusterRole", objects)[0].into(t, &nodes)
	assert.Equal(t, []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get", "list", "watch"}},
		{APIGroups: []string{""}, Resources: []string{"nodes/metrics"}, Verbs: []string{"get"}},
	}, nodes.Rules)

	without := rendered(t, values{"nodeMetrics": values{"enabled": false}})
	assert.Empty(t, of("ClusterRole", without), "without node metrics, nothing cluster-wide")
	assert.Empty(t, of("ClusterRoleBinding", without))
	assert.NotContains(t, prometheusConfig(t, without), "role: node")
}

func TestEveryPodHasItsShareAndItsPolicy(t *testing.T) {
	objects := rendered(t, nil)
	pods := map[string]corev1.PodSpec{}
	for _, o := range objects {
		switch o.kind {
		case "StatefulSet":
			var s appsv1.StatefulSet
			o.into(t, &s)
			pods[o.name] = s.Spec.Template.Spec
		case "Deployment":
			var d appsv1.Deployment
			o.into(t, &d)
			pods[o.name] = d.Spec.Template.Spec
		case "Pod":
			var p corev1.Pod
			o.into(t, &p)
			pods[o.name] = p.Spec
		}
	}
	require.Len(t, pods, 3)
	for name, pod := range pods {
		for _, container := range pod.Containers {
			assert.NotEmpty(t, container.Resources.Requests, name)
			assert.NotEmpty(t, container.Resources.Limits, name)
		}
	}
	assert.Len(t, of("NetworkPolicy", objects), 2)
}

func TestPodsRunWhereAndAsTheClusterWantsThem(t *testing.T) {
	wanted := values{
		"imagePullSecrets": []any{values{"name": "registry"}}, "priorityClassName": "monitoring", "runAs": 0,
		"affinity": values{"nodeAffinity": values{}},
	}
	for _, o := range rendered(t, values{"prometheus": wanted, "grafana": wanted}) {
		var pod corev1.PodSpec
		var labels map[string]string
		switch o.kind {
		case "StatefulSet":
			var set appsv1.StatefulSet
			o.into(t, &set)
			pod, labels = set.Spec.Template.Spec, set.Spec.Template.Labels
		case "Deployment":
			var deployment appsv1.Deployment
			o.into(t, &deployment)
			pod, labels = deployment.Spec.Template.Spec, deployment.Spec.Template.Labels
		case "Pod":
			var test corev1.Pod
			o.into(t, &test)
			pod = test.Spec
		default:
			continue
		}
		assert.Equal(t, []corev1.LocalObjectReference{{Name: "registry"}}, pod.ImagePullSecrets, o.name)
		assert.Equal(t, "monitoring", pod.PriorityClassName, o.name)
		assert.NotNil(t, pod.Affinity, o.name)
		assert.Nil(t, pod.SecurityContext.RunAsUser, o.name)
		assert.True(t, *pod.SecurityContext.RunAsNonRoot, o.name)
		assert.NotContains(t, labels, "helm.sh/chart", "a new chart's version restarts no pod")
	}
}

// The history of runs is as old as the first of them, and only nightly runs may write.
func TestPrometheusAcceptsTheHistoryOfNightlyRunsIfAsked(t *testing.T) {
	nightly := func(objects []object) (from []networkingv1.NetworkPolicyPeer) {
		for _, o := range of("NetworkPolicy", objects) {
			var policy networkingv1.NetworkPolicy
			o.into(t, &policy)
			for _, peer := range policy.Spec.Ingress[0].From {
				if peer.PodSelector.MatchLabels["app.kubernetes.io/component"] == "nightly" {
					assert.Equal(t, "monitoring-prometheus", o.name)
					from = append(from, peer)
				}
			}
		}
		return from
	}
	arguments := func(objects []object) []string {
		var set appsv1.StatefulSet
		of("StatefulSet", objects)[0].into(t, &set)
		return set.Spec.Template.Spec.Containers[0].Args
	}
	const flag, window = "--web.enable-remote-write-receiver", "out_of_order_time_window: "
	off := rendered(t, nil)
	assert.NotContains(t, arguments(off), flag)
	assert.NotContains(t, prometheusConfig(t, off), window)
	assert.Empty(t, nightly(off))
	on := rendered(t, values{"namespaces": []any{"a", "b"}, "prometheus": values{"remoteWriteReceiver": true, "retention": values{"time": "1y"}}})
	assert.Contains(t, arguments(on), flag)
	assert.Contains(t, prometheusConfig(t, on), window+"1y")
	require.Len(t, nightly(on), 1)
	assert.Equal(t, []string{"a", "b"}, nightly(on)[0].NamespaceSelector.MatchExpressions[0].Values)
}

func TestGrafanaMayAskForNamesWhereTheyAreAnswered(t *testing.T) {
	for _, o := range of("NetworkPolicy", rendered(t, nil)) {
		var policy networkingv1.NetworkPolicy
		o.into(t, &policy)
		if len(policy.Spec.Egress) == 0 {
			continue
		}
		dns := policy.Spec.Egress[1]
		require.Len(t, dns.Ports, 6)
		assert.Equal(t, 1053, dns.Ports[2].Port.IntValue(), "a policy sees the port of the pod that answers")
		assert.Len(t, dns.To, 3)
	}
}

// scraped returns the labels of a pod's series; false if the job does not scrape it.
func scraped(t *testing.T, config, job string, pod map[string]string) (labels.Labels, bool) {
	t.Helper()
	var parsed struct {
		ScrapeConfigs []struct {
			JobName        string            `yaml:"job_name"`
			RelabelConfigs []*relabel.Config `yaml:"relabel_configs"`
		} `yaml:"scrape_configs"`
	}
	require.NoError(t, yamlv3.Unmarshal([]byte(config), &parsed))
	for _, candidate := range parsed.ScrapeConfigs {
		if candidate.JobName != job {
			continue
		}
		for _, rule := range candidate.RelabelConfigs {
			rule.NameValidationScheme = model.UTF8Validation // as Prometheus sets it when it loads them
		}
		builder := labels.NewBuilder(labels.FromMap(pod))
		kept := relabel.ProcessBuilder(builder, candidate.RelabelConfigs...)
		for name := range pod {
			builder.Del(name)
		}
		return builder.Labels(), kept
	}
	require.Fail(t, "no such job", job)
	return labels.Labels{}, false
}

func pod(more map[string]string) map[string]string {
	meta := map[string]string{
		"phase": "Running", "container_port_name": "metrics", "label_ringside_dev_scrape": "true", "name": "some-pod-x7k2p", "node_name": "node1",
		"label_ringside_dev_experiment": "quorum", "label_ringside_dev_run": "20261121-001500", "label_ringside_dev_store": "cassandra",
	}
	for name, value := range more {
		meta[name] = value
	}
	found := map[string]string{"__meta_kubernetes_namespace": "ringside"}
	for name, value := range meta {
		found["__meta_kubernetes_pod_"+name] = value
	}
	return found
}

func TestALoadPodsNameIsInNoLabel(t *testing.T) {
	config := prometheusConfig(t, rendered(t, nil))
	load := pod(map[string]string{"label_ringside_dev_measurement": "quorum-1-read-2", "label_batch_kubernetes_io_job_completion_index": "3"})
	got, kept := scraped(t, config, "ringside-load", load)
	require.True(t, kept)
	assert.Equal(t, map[string]string{"instance": "load-3", "namespace": "ringside", "node": "node1"}, got.Map(), "meter gives the rest itself")
}

func TestAStoreNodesSeriesSayWhichRunTheyBelongTo(t *testing.T) {
	config := prometheusConfig(t, rendered(t, nil))
	node := pod(map[string]string{"label_app_kubernetes_io_component": "store", "label_app_kubernetes_io_instance": "hsha-r1-0a1b2c", "name": "hsha-r1-0a1b2c-2"})
	got, kept := scraped(t, config, "ringside-store", node)
	require.True(t, kept)
	assert.Equal(t, map[string]string{
		"instance": "hsha-r1-0a1b2c-2", "pod": "hsha-r1-0a1b2c-2", "node": "node1", "namespace": "ringside",
		"release": "hsha-r1-0a1b2c", "experiment": "quorum", "run": "20261121-001500", "store": "cassandra",
	}, got.Map())
}

func TestAPodIsTakenByOneJobAtMost(t *testing.T) {
	config := prometheusConfig(t, rendered(t, nil))
	for name, test := range map[string]struct {
		pod  map[string]string
		want []string
	}{
		"load":                  {pod(map[string]string{"label_ringside_dev_measurement": "m"}), []string{"ringside-load"}},
		"store":                 {pod(map[string]string{"label_app_kubernetes_io_component": "store"}), []string{"ringside-store"}},
		"operator":              {pod(map[string]string{"label_app_kubernetes_io_component": "operator"}), []string{"ringside-operator"}},
		"one that does not ask": {pod(map[string]string{"label_app_kubernetes_io_component": "store", "label_ringside_dev_scrape": ""}), nil},
		"one that is done":      {pod(map[string]string{"label_ringside_dev_measurement": "m", "phase": "Succeeded"}), nil},
		"another port":          {pod(map[string]string{"label_app_kubernetes_io_component": "store", "container_port_name": "server"}), nil},
		"something else":        {pod(nil), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var takers []string
			for _, job := range []string{"ringside-load", "ringside-store", "ringside-operator"} {
				if _, kept := scraped(t, config, job, test.pod); kept {
					takers = append(takers, job)
				}
			}
			assert.Equal(t, test.want, takers)
		})
	}
}

// A Role in a namespace that does not exist would make the installation fail.
func TestByDefaultOnlyTheNamespaceOfTheReleaseIsScraped(t *testing.T) {
	objects := rendered(t, nil)
	for _, o := range objects {
		assert.Contains(t, []string{"", "watch"}, o.namespace, "%s %s", o.kind, o.name)
	}
	require.Len(t, of("Role", objects), 1)
	assert.Contains(t, prometheusConfig(t, objects), `names: ["watch"]`)
	for _, o := range of("PodMonitor", rendered(t, values{"prometheusOperator": values{"enabled": true}})) {
		var monitor monitoringv1.PodMonitor
		o.into(t, &monitor)
		assert.Equal(t, []string{"watch"}, monitor.Spec.NamespaceSelector.MatchNames)
	}
}

// CRI-O rejects names without a registry.
func TestDefaultImagesNameTheirRegistry(t *testing.T) {
	found := images(rendered(t, nil))
	require.Len(t, found, 3)
	for _, image := range found {
		assert.Regexp(t, `^docker\.io/`, image)
	}
}

// images returns the images of all containers.
func images(objects []object) []string {
	var all []string
	for _, o := range objects {
		for line := range strings.SplitSeq(string(o.manifest), "\n") {
			if image, found := strings.CutPrefix(strings.TrimSpace(line), "image: "); found {
				all = append(all, image)
			}
		}
	}
	return all
}

// dashboards returns the names of the dashboards, each of which has a ConfigMap.
func dashboards(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("dashboards/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestForAPrometheusOperatorThereAreMonitorsRulesAndDashboardsAndNothingRuns(t *testing.T) {
	objects := rendered(t, values{"prometheusOperator": values{
		"enabled": true, "labels": values{"release": "kube-prometheus-stack"}, "podMonitorSpec": values{"sampleLimit": 5000},
	}})
	kinds := map[string]int{}
	for _, o := range objects {
		kinds[o.kind]++
	}
	assert.Equal(t, map[string]int{"PodMonitor": 3, "PrometheusRule": 1, "ConfigMap": len(dashboards(t))}, kinds)

	config := prometheusConfig(t, rendered(t, nil))
	for _, o := range of("PodMonitor", objects) {
		var monitor monitoringv1.PodMonitor
		o.into(t, &monitor)
		assert.Equal(t, "kube-prometheus-stack", monitor.Labels["release"])
		assert.Equal(t, []string{"watch"}, monitor.Spec.NamespaceSelector.MatchNames)
		assert.EqualValues(t, 5000, *monitor.Spec.SampleLimit)
		require.Len(t, monitor.Spec.PodMetricsEndpoints, 1)
		endpoint := monitor.Spec.PodMetricsEndpoints[0]
		assert.Contains(t, config, "job_name: "+monitor.Name)
		last := endpoint.RelabelConfigs[len(endpoint.RelabelConfigs)-1]
		assert.Equal(t, []string{"job", monitor.Name}, []string{last.TargetLabel, *last.Replacement}, "rules and dashboards ask for this job")
	}
	var rules monitoringv1.PrometheusRule
	of("PrometheusRule", objects)[0].into(t, &rules)
	require.Len(t, rules.Spec.Groups, 3)
	for _, o := range of("ConfigMap", objects) {
		var dashboard corev1.ConfigMap
		o.into(t, &dashboard)
		assert.Equal(t, "1", dashboard.Labels["grafana_dashboard"])
		assert.Len(t, dashboard.Data, 1)
	}
}

func TestGrafanaIsShownTheDashboardsAndChangesNothing(t *testing.T) {
	objects := rendered(t, nil)
	require.Len(t, of("Deployment", objects), 1)
	var grafana appsv1.Deployment
	of("Deployment", objects)[0].into(t, &grafana)
	environment := map[string]string{}
	for _, variable := range grafana.Spec.Template.Spec.Containers[0].Env {
		environment[variable.Name] = variable.Value
	}
	assert.Equal(t, "Viewer", environment["GF_AUTH_ANONYMOUS_ORG_ROLE"])
	assert.Equal(t, "true", environment["GF_AUTH_DISABLE_LOGIN_FORM"])
	names := map[string]bool{}
	for _, o := range of("ConfigMap", objects) {
		names[o.name] = true
	}
	for _, volume := range grafana.Spec.Template.Spec.Volumes {
		if volume.Projected == nil {
			continue
		}
		assert.Len(t, volume.Projected.Sources, len(dashboards(t)))
		for _, source := range volume.Projected.Sources {
			assert.True(t, names[source.ConfigMap.Name], source.ConfigMap.Name)
		}
	}
}

func TestTheEmbeddedClusterRunsNoImageThatMustBePulled(t *testing.T) {
	content, err := os.ReadFile("../../cluster/experiment-profile.yaml")
	require.NoError(t, err)
	var profile struct {
		Installation struct{ Monitoring values }
	}
	require.NoError(t, yaml.Unmarshal(content, &profile))
	embedded := profile.Installation.Monitoring
	built := values{"image": values{"registry": "ringside.local", "repository": "ringside-prometheus", "tag": "dev"}}
	embedded["prometheus"] = built
	_, err = render(t, embedded)
	require.ErrorContains(t, err, "set prometheus.version", "the version follows the mirror")
	built["version"] = "3.5.3"
	found := images(rendered(t, embedded))
	require.Len(t, found, 2)
	for _, image := range found {
		assert.Equal(t, "ringside.local/ringside-prometheus:dev", image)
	}
}

// A profile may set only what the charts know.
func TestTheValuesOfProfilesFitTheCharts(t *testing.T) {
	files, err := filepath.Glob("../profiles/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range append(files, "../../cluster/experiment-profile.yaml") {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		var profile struct {
			Installation struct{ Operator, Monitoring values }
		}
		require.NoError(t, yaml.Unmarshal(content, &profile))
		rendered(t, profile.Installation.Monitoring)
		text, err := yaml.Marshal(profile.Installation.Operator)
		require.NoError(t, err)
		charttest.MustRender(t, "../ringside", string(text))
	}
}

// Tests of rules and dashboards parse PromQL with the library, whose version 0.313.5 is that of Prometheus 3.13.5.
func TestTheLibraryIsOfThePrometheusThatTheChartRuns(t *testing.T) {
	chart, err := loader.LoadDir(".")
	require.NoError(t, err)
	version := regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)$`).FindStringSubmatch(chart.Metadata.AppVersion)
	require.NotNil(t, version)
	module, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	assert.Contains(t, string(module), "\tgithub.com/prometheus/prometheus v0."+version[1]+version[2]+"."+version[3]+"\n")
}
