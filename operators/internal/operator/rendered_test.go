package operator

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/storechart"
)

const charts = "../../../charts"

// ourCharts returns the names of all charts.
func ourCharts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(charts + "/*/Chart.yaml")
	require.NoError(t, err)
	var names []string
	for _, path := range paths {
		if name := filepath.Base(filepath.Dir(path)); name != "store-library" {
			names = append(names, name)
		}
	}
	require.Subset(t, names, []string{"cassandra", "monitoring", "ringside"})
	return names
}

// helperMirror is a repository to which a webhook of the cluster may change that of the operator's image.
const helperMirror = "mirror.example/ringside-operator"

// nightlyRuns returns the value nightly with a CronJob that starts runs.
func nightlyRuns() map[string]any {
	return map[string]any{"enabled": true, "experiment": "smoke", "archive": map[string]any{"claim": "archive"}}
}

// renderedWithRights renders the chart with all optional rights: leader election, nightly runs, access to nodes, and
// another namespace to watch.
func renderedWithRights(t *testing.T, chart string) []*unstructured.Unstructured {
	t.Helper()
	switch chart {
	case "ringside":
		return rendered(t, chart, runsNamespace, map[string]any{"leaderElection": map[string]any{"enabled": true}, "nightly": nightlyRuns(),
			"faultHelpers": map[string]any{"repositories": []any{helperMirror}}})
	case "monitoring":
		return rendered(t, chart, watchNamespace, map[string]any{"namespaces": []any{runsNamespace}})
	default:
		return rendered(t, chart, runsNamespace, nil)
	}
}

// accountsAndRights returns the accounts and rights among the objects.
func accountsAndRights(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(o *unstructured.Unstructured) bool {
		group := o.GroupVersionKind().Group
		return o.GetKind() != "ServiceAccount" && group != "rbac.authorization.k8s.io" && group != "admissionregistration.k8s.io"
	})
}

// rendered returns the objects of a chart, including hooks and tests, in the namespaces that Helm would use.
func rendered(t *testing.T, chart, namespace string, values map[string]any) []*unstructured.Unstructured {
	t.Helper()
	text, err := tryRender(t, chart, namespace, values)
	require.NoError(t, err)
	var objects []*unstructured.Unstructured
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := reader.Decode(&object.Object); errors.Is(err, io.EOF) {
			return objects
		} else {
			require.NoError(t, err, chart)
		}
		if object.GetKind() == "" {
			continue
		}
		if object.GetNamespace() == "" && namespaced(object.GroupVersionKind()) {
			object.SetNamespace(namespace)
		}
		objects = append(objects, object)
	}
}

// namespaced reports whether objects of a kind are namespaced, for the kinds in our charts.
func namespaced(kind schema.GroupVersionKind) bool {
	return !strings.HasPrefix(kind.Kind, "Cluster") && !strings.HasPrefix(kind.Kind, "ValidatingAdmission") && kind.Kind != "CustomResourceDefinition"
}

func tryRender(t *testing.T, chart, namespace string, values map[string]any) (string, error) {
	t.Helper()
	loaded, err := loader.LoadDir(filepath.Join(charts, chart))
	require.NoError(t, err)
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace, install.DryRunStrategy = chart, namespace, action.DryRunClient
	install.KubeVersion, err = common.ParseKubeVersion(storechart.RenderVersion)
	require.NoError(t, err)
	done, err := install.RunWithContext(t.Context(), loaded, values)
	if err != nil {
		return "", err
	}
	manifest := done.(*releasev1.Release).Manifest
	for _, hook := range done.(*releasev1.Release).Hooks {
		manifest += "\n---\n" + hook.Manifest
	}
	return manifest, nil
}

func resourceOf(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.GroupResource().String()
}

func TestChartRefusesTwoOperatorsWithoutALeader(t *testing.T) {
	_, err := tryRender(t, "ringside", runsNamespace, map[string]any{"replicas": 2})
	assert.ErrorContains(t, err, "leaderElection")
	_, err = tryRender(t, "ringside", runsNamespace, map[string]any{"replicas": 2, "leaderElection": map[string]any{"enabled": true}})
	assert.NoError(t, err)
}

// The CronJob's account has the rights for every request of ringside run, from the start of a run to the mark of its export.
func TestTheAccountOfNightlyRunsCanStartFollowAndExportARun(t *testing.T) {
	config, admin := apiServer(t)
	ctx := t.Context()
	c, err := client.NewWithWatch(as(config, runsNamespace, "ringside-nightly", nil), client.Options{Scheme: runs.Scheme()})
	require.NoError(t, err)
	cluster := runs.New(c, runsNamespace, "trial")
	// A binding takes effect with a delay.
	require.EventuallyWithT(t, func(t *assert.CollectT) { assert.NoError(t, cluster.Check(ctx)) }, rightsPatience, rightsInterval)

	object, err := runs.Object([]byte(`{"apiVersion": "ringside.dev/v1beta1", "kind": "Experiment", "spec": {"store": {"chart": "stub", "hosting": "Dedicated"},
		"servers": [{"name": "hsha"}], "load": {"image": "ycsb", "pods": 1}, "phases": [{"name": "read", "threads": 1}], "operations": 1000, "rounds": 1}}`),
		"toy", "20261121-001500", nil)
	require.NoError(t, err)
	_, err = cluster.Create(ctx, object, true)
	require.NoError(t, err)
	run, err := cluster.Create(ctx, object, false)
	require.NoError(t, err)

	labels := map[string]string{v1beta1.LabelExperiment: run.DocumentName(), v1beta1.LabelRun: run.RunID()}
	measurement := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: "toy-r1-hsha-read-1", Labels: labels},
		Spec: v1beta1.MeasurementSpec{Experiment: run.DocumentName(), Run: run.RunID(), Pods: 1}}
	require.NoError(t, admin.Create(ctx, measurement))
	measurement.Status.Attempt = 1
	require.NoError(t, admin.Status().Update(ctx, measurement))
	part := &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: measurement.Name + "-a1-0-abcde",
		Labels:          map[string]string{v1beta1.LabelExperiment: run.DocumentName(), v1beta1.LabelRun: run.RunID(), v1beta1.LabelMeasurement: measurement.Name},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: v1beta1.GroupVersion.String(), Kind: "Measurement", Name: measurement.Name, UID: measurement.UID}}},
		Part: v1beta1.Part{State: v1beta1.PartDone, Pod: measurement.Name + "-a1-0-abcde", Attempt: 1}}
	require.NoError(t, admin.Create(ctx, part))
	chunk := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: measurement.Name + "-a1-p0-log-0-00"},
		BinaryData: map[string][]byte{measure.LogKey: []byte("log")}}
	require.NoError(t, admin.Create(ctx, chunk))

	follower := cluster.Follow(ctx, run)
	require.EventuallyWithT(t, func(t *assert.CollectT) {
		seen := follower.Snapshot()
		assert.NoError(t, seen.Lost)
		if assert.Len(t, seen.Measurements, 1) {
			assert.Len(t, seen.Measurements[0].Status.Parts, 1)
		}
	}, rightsPatience, rightsInterval)
	all, err := cluster.Measurements(ctx, run)
	require.NoError(t, err)
	require.Len(t, all, 1)
	all[0].Status.Result = &v1beta1.Result{Profile: &v1beta1.Profile{Chunks: []string{chunk.Name}}}
	stored, err := cluster.Profile(ctx, &all[0])
	require.NoError(t, err)
	assert.Equal(t, "log", string(stored))
	_, err = cluster.Events(ctx, run)
	assert.NoError(t, err)

	assert.NoError(t, cluster.Suspend(ctx, run), "a pod that is deleted stops its run")
	now := metav1.Now()
	run.Status.FinishedAt = &now
	require.NoError(t, cluster.MarkExported(ctx, run))
	require.NoError(t, admin.Get(ctx, client.ObjectKeyFromObject(run), run))
	assert.Equal(t, v1beta1.ExportMark(now), run.Annotations[v1beta1.AnnotationExportedEnd], "MarkExported passes where the right is missing")
}

func TestTheArgumentsOfTheCronJobAreCommandsOfRingside(t *testing.T) {
	for _, object := range rendered(t, "ringside", runsNamespace, map[string]any{"nightly": nightlyRuns()}) {
		if object.GetKind() != "CronJob" {
			continue
		}
		pod := podOf(t, object)
		for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
			command, args, err := cli.Commands().Find(container.Args)
			require.NoError(t, err)
			assert.Equal(t, container.Name, command.Name())
			assert.NoError(t, command.ParseFlags(args), container.Name)
		}
		return
	}
	t.Error("the chart has no CronJob")
}
