package operator

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/storechart"
)

// asksKubernetes lists the pods with a token in every container, and its use. No other pod has one, except for the
// meter container of a load pod.
var asksKubernetes = map[string]string{
	"ringside Deployment ringside-operator":        "all it does is done through the API server",
	"ringside Pod ringside-test-rights":            "it asks whether the operator's account has its rights",
	"ringside CronJob ringside-nightly":            "it starts a run and follows it",
	"monitoring StatefulSet monitoring-prometheus": "it looks for pods and nodes to scrape, and shows the kubelets its token",
}

// SECURITY.md has every port of the operator, and of stores those that are not the store's own protocols.
func TestSecurityListsThePortsWithoutALogin(t *testing.T) {
	page, err := os.ReadFile("../../../SECURITY.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n### Ports without a login\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\nEvery chart has ")
	listed, rendering := map[string]bool{}, map[string]bool{"kill": true} // off by default
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(table, -1) {
		listed[row[1]] = true
	}
	ours := []string{"metrics", "health", "probes", "counters", "profile", "kill"}
	for _, chart := range ourCharts(t) {
		for _, values := range waysToRender(t, chart) {
			for _, object := range rendered(t, chart, runsNamespace, values) {
				pod := podOf(t, object)
				if pod == nil {
					continue
				}
				for _, container := range pod.Spec.Containers {
					for _, port := range container.Ports {
						if chart == "ringside" || slices.Contains(ours, port.Name) {
							rendering[port.Name] = true
						}
					}
				}
			}
		}
	}
	assert.Equal(t, rendering, listed)
}

func TestEveryPodOfEveryChartIsRestricted(t *testing.T) {
	seen := map[string]bool{}
	for _, chart := range ourCharts(t) {
		for _, values := range waysToRender(t, chart) {
			found := 0
			for _, object := range rendered(t, chart, runsNamespace, values) {
				pod := podOf(t, object)
				if pod == nil {
					continue
				}
				found++
				name := chart + " " + object.GetKind() + " " + object.GetName()
				isRestricted(t, name, pod.Spec)
				_, asks := asksKubernetes[name]
				seen[name] = seen[name] || asks
				if !asks {
					assert.False(t, pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken, "%s has no business with the API server", name)
				}
			}
			assert.GreaterOrEqual(t, found, 2, "%s: what it runs, and its Helm test", chart)
		}
	}
	for name := range asksKubernetes {
		assert.True(t, seen[name], "%s is gone: it needs no exception", name)
	}
}

func TestEveryLoadPodIsRestricted(t *testing.T) {
	for name, job := range loadJobs() {
		pod := job.Spec.Template.Spec
		isRestricted(t, name, pod)
		assert.Equal(t, "ringside-meter", pod.ServiceAccountName, name)
		assert.False(t, *pod.AutomountServiceAccountToken, name)
	}
}

// Restricted Pod Security depends on the version of the API server. This one must accept our pods.
func TestPodSecurityTakesEveryPod(t *testing.T) {
	_, admin := apiServer(t)
	offer := func(name string, pod *corev1.Pod) {
		pod.Namespace, pod.Name, pod.GenerateName = runsNamespace, "", "offered-"
		assert.NoError(t, admin.Create(t.Context(), pod, client.DryRunAll), name)
	}
	for _, chart := range ourCharts(t) {
		for _, values := range waysToRender(t, chart) {
			for _, object := range rendered(t, chart, runsNamespace, values) {
				if pod := podOf(t, object); pod != nil {
					offer(chart+" "+object.GetName(), pod)
				}
			}
		}
	}
	for name, job := range loadJobs() {
		offer(name, &corev1.Pod{Spec: job.Spec.Template.Spec})
	}
	root := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "root", Image: "root"}}}}
	root.Namespace, root.Name = runsNamespace, "root"
	assert.ErrorContains(t, admin.Create(t.Context(), root, client.DryRunAll), "restricted", "what would take everything shows nothing")
}

// isRestricted requires that a pod has no capabilities, no writable root file system and no access to its node.
func isRestricted(t *testing.T, name string, pod corev1.PodSpec) {
	t.Helper()
	assert.False(t, pod.HostNetwork || pod.HostPID || pod.HostIPC, "%s shares something with its node", name)
	if context := pod.SecurityContext; assert.NotNil(t, context, name) {
		assert.True(t, context.RunAsNonRoot != nil && *context.RunAsNonRoot, "%s may run as root", name)
		assert.True(t, context.RunAsUser == nil || *context.RunAsUser != 0, "%s runs as root", name)
		assert.True(t, context.SeccompProfile != nil && context.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault, "%s may make any system call", name)
	}
	for _, volume := range pod.Volumes {
		assert.Nil(t, volume.HostPath, "%s has a folder of its node", name)
		assert.Nil(t, volume.Secret, "%s has a secret", name)
	}
	for _, container := range append(append([]corev1.Container{}, pod.InitContainers...), pod.Containers...) {
		context := container.SecurityContext
		if !assert.NotNil(t, context, "%s: %s", name, container.Name) {
			continue
		}
		assert.True(t, context.AllowPrivilegeEscalation != nil && !*context.AllowPrivilegeEscalation, "%s: %s may gain rights", name, container.Name)
		assert.True(t, context.ReadOnlyRootFilesystem != nil && *context.ReadOnlyRootFilesystem, "%s: %s may change its image's files", name, container.Name)
		assert.True(t, context.Privileged == nil || !*context.Privileged, "%s: %s is privileged", name, container.Name)
		if assert.NotNil(t, context.Capabilities, "%s: %s", name, container.Name) {
			assert.Equal(t, []corev1.Capability{"ALL"}, context.Capabilities.Drop, "%s: %s", name, container.Name)
			assert.Empty(t, context.Capabilities.Add, "%s: %s", name, container.Name)
		}
		assert.Nil(t, context.SeccompProfile, "%s: %s has a profile of its own", name, container.Name)
		assert.Nil(t, context.RunAsNonRoot, "%s: %s decides for itself", name, container.Name)
	}
}

// waysToRender returns values for a chart: the defaults, everything enabled, and user ids chosen by the cluster.
func waysToRender(t *testing.T, chart string) []map[string]any {
	t.Helper()
	noIDs := map[string]any{"runAsUser": 0, "runAsGroup": 0, "fsGroup": 0}
	switch chart {
	case "ringside":
		bucket := map[string]any{"enabled": true, "experimentFile": "{kind: Experiment, metadata: {name: toy}}",
			"archive": map[string]any{"bucket": "s3://bucket", "secret": "credentials"}}
		return []map[string]any{nil, {"runAs": 0}, {"nightly": nightlyRuns()}, {"runAs": 0, "nightly": bucket}}
	case "monitoring":
		return []map[string]any{nil, {"prometheus": map[string]any{"runAs": 0}, "grafana": map[string]any{"runAs": 0}}}
	}
	store, err := storechart.NewCatalogue(charts).Open(chart)
	require.NoError(t, err)
	every, err := storechart.Values(nil, nil, storechart.Servers{Types: store.ServersTogether()}, storechart.SomeImages())
	require.NoError(t, err)
	return []map[string]any{nil, every, {"podSecurityContext": noIDs}}
}

// podOf returns the pod of an object, with its volume claims; nil if it has none.
func podOf(t *testing.T, object *unstructured.Unstructured) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	if object.GetKind() == "Pod" {
		require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, pod))
		return pod
	}
	path := []string{"spec", "template"}
	if object.GetKind() == "CronJob" {
		path = []string{"spec", "jobTemplate", "spec", "template"}
	}
	template, found, err := unstructured.NestedMap(object.Object, path...)
	require.NoError(t, err)
	if !found {
		return nil
	}
	require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(template, pod))
	claims, _, err := unstructured.NestedSlice(object.Object, "spec", "volumeClaimTemplates")
	require.NoError(t, err)
	for _, claim := range claims {
		name, _, err := unstructured.NestedString(claim.(map[string]any), "metadata", "name")
		require.NoError(t, err)
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
	}
	return pod
}

// loadJobs returns a job of every kind that the operator creates.
func loadJobs() map[string]*batchv1.Job {
	jobs := map[string]*batchv1.Job{}
	for name, spec := range map[string]v1beta1.MeasurementSpec{
		"load":    {ServerType: "hsha", Pods: 1},
		"rest":    {ServerType: "hsha", Pods: 1, Idle: true},
		"profile": {ServerType: "hsha", Pods: 1, Profile: &v1beta1.ProfileOrder{}},
		"rounds":  {ServerType: "hsha", Pods: 1, Interleave: &v1beta1.Interleave{}, Arms: []v1beta1.Arm{{Server: "hsha"}}},
	} {
		jobs[name] = loadgen.BuildJob(loadgen.JobOrder{
			Experiment:  &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Load: v1beta1.LoadSpec{Pods: 1, Timeout: metav1.Duration{Duration: time.Hour}}}},
			Measurement: &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: "pods-" + name, UID: "m"}, Spec: spec},
			Attempt:     1, Image: "load", MeterImage: "meter", PullPolicy: corev1.PullNever,
			Counters: []string{"10.0.0.1:9405"}, Profilers: []string{"pod=10.0.0.1:9406"}, StoreReleases: []string{"store"},
		})
	}
	return jobs
}
