package operator

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs"
)

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
