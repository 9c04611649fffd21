package ringside_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	inClaim  = "nightly: {enabled: true, experiment: smoke, archive: {claim: runs}}"
	inBucket = "nightly: {enabled: true, experiment: smoke, archive: {bucket: 's3://bucket/a prefix', secret: login}}"
)

func nightly(t *testing.T, values string) (batchv1.CronJobSpec, corev1.PodSpec) {
	t.Helper()
	var job batchv1.CronJob
	charttest.MustRender(t, ".", values).Get(t, "CronJob/ringside-nightly", &job)
	pod := job.Spec.JobTemplate.Spec.Template.Spec
	require.Len(t, pod.InitContainers, 1)
	require.Len(t, pod.Containers, 1)
	assert.Subset(t, job.Spec.JobTemplate.Spec.Template.Annotations, v1beta1.Undisturbed(), "no autoscaler evicts the run")
	return job.Spec, pod
}

func TestRunsNothingAtNightUnlessAsked(t *testing.T) {
	off := charttest.MustRender(t, ".", strings.Replace(inClaim, "true", "false", 1))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(charttest.MustRender(t, ".", ""))), slices.Collect(maps.Keys(off)))
	assert.NotContains(t, off, "CronJob/ringside-nightly")
	var added []string
	for key := range charttest.MustRender(t, ".", inClaim) {
		if _, before := off[key]; !before {
			added = append(added, key)
		}
	}
	assert.ElementsMatch(t, []string{"CronJob/ringside-nightly", "ServiceAccount/ringside-nightly", "Role/ringside-nightly", "RoleBinding/ringside-nightly"}, added)
}

func TestANightRunsThenComparesWithTheArchive(t *testing.T) {
	for name, test := range map[string]struct {
		values       string
		run, history []string
	}{
		"a claim": {inClaim,
			[]string{"run", "smoke", "--namespace=proving-ground", "--archive=/archive", "--set=spec.ttlAfterFinished=24h", "--invalid-ok"},
			[]string{"history", "--experiment=smoke", "--from=/archive", "--fail-on=slower,invalid", "--threshold=3%"}},
		"a bucket": {inBucket,
			[]string{"run", "smoke", "--namespace=proving-ground", "--archive=s3://bucket/a prefix", "--set=spec.ttlAfterFinished=24h", "--invalid-ok"},
			[]string{"history", "--experiment=smoke", "--from=s3://bucket/a prefix", "--fail-on=slower,invalid", "--threshold=3%"}},
		"arguments": {`{nightly: {enabled: true, experiment: smoke, archive: {claim: runs}, ttlAfterFinished: 1h30m, args: ["--server=hsha,disruptor", --set, 'a="b: c"'],
			history: {threshold: 2.5%, args: ["--since=20261101"]}}}`,
			[]string{"run", "smoke", "--namespace=proving-ground", "--archive=/archive", "--set=spec.ttlAfterFinished=1h30m", "--invalid-ok", "--server=hsha,disruptor", "--set", `a="b: c"`},
			[]string{"history", "--experiment=smoke", "--from=/archive", "--fail-on=slower,invalid", "--threshold=2.5%", "--since=20261101"}},
		"an experiment file": {`{nightly: {enabled: true, experimentFile: "kind: Experiment\nmetadata:\n  name: 'my #1'\n", archive: {claim: runs}}}`,
			[]string{"run", "/experiment/experiment.yaml", "--namespace=proving-ground", "--archive=/archive", "--set=spec.ttlAfterFinished=24h", "--invalid-ok"},
			[]string{"history", "--experiment=my #1", "--from=/archive", "--fail-on=slower,invalid", "--threshold=3%"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, pod := nightly(t, test.values)
			assert.Equal(t, test.run, pod.InitContainers[0].Args)
			assert.Equal(t, test.history, pod.Containers[0].Args)
		})
	}
}

func TestANightHasItsArchiveAndNoOtherCredentials(t *testing.T) {
	_, pod := nightly(t, inClaim)
	assert.Equal(t, []string{"work", "archive"}, volumes(pod))
	assert.Equal(t, "runs", pod.Volumes[1].PersistentVolumeClaim.ClaimName)
	assert.Equal(t, int64(10001), *pod.SecurityContext.FSGroup, "writes to the claim")
	for _, container := range append(pod.InitContainers, pod.Containers...) {
		assert.Empty(t, container.EnvFrom, container.Name)
	}
	_, pod = nightly(t, inBucket)
	assert.Equal(t, []string{"work"}, volumes(pod))
	for _, container := range append(pod.InitContainers, pod.Containers...) {
		require.Len(t, container.EnvFrom, 1, container.Name)
		assert.Equal(t, "login", container.EnvFrom[0].SecretRef.Name)
	}
	_, pod = nightly(t, inClaim+"\nrunAs: 0")
	assert.Nil(t, pod.SecurityContext.FSGroup, "the cluster chooses the ids")
}

func volumes(pod corev1.PodSpec) (names []string) {
	for _, volume := range pod.Volumes {
		names = append(names, volume.Name)
	}
	return names
}

func TestANightHasTheTextOfItsExperimentFile(t *testing.T) {
	objects := charttest.MustRender(t, ".", "nightly:\n  enabled: true\n  archive: {claim: runs}\n  experimentFile: |\n    # mine\n    kind: Experiment\n    metadata: {name: mine}\n")
	var file corev1.ConfigMap
	objects.Get(t, "ConfigMap/ringside-nightly", &file)
	assert.Equal(t, map[string]string{"experiment.yaml": "# mine\nkind: Experiment\nmetadata: {name: mine}\n"}, file.Data)
}

func TestTheGuidesValuesMakeACronJob(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guides/history.md")
	require.NoError(t, err)
	_, values, found := strings.Cut(string(guide), "\n```yaml\nnightly:\n")
	require.True(t, found)
	values, _, _ = strings.Cut(values, "```")
	_, pod := nightly(t, "nightly:\n"+values)
	assert.Contains(t, pod.InitContainers[0].Args, "cassandra-interleaved")
}

func TestANightSendsItsHistoryIfAsked(t *testing.T) {
	_, pod := nightly(t, inClaim)
	assert.NotContains(t, strings.Join(pod.Containers[0].Args, " "), "--push")
	_, pod = nightly(t, strings.Replace(inClaim, "experiment", "history: {push: {url: 'http://prometheus:9090/api/v1/write', secret: write}}, experiment", 1))
	assert.Contains(t, pod.Containers[0].Args, "--push=http://prometheus:9090/api/v1/write")
	require.Len(t, pod.Containers[0].Env, 2)
	assert.Equal(t, "RINGSIDE_PUSH_AUTHORIZATION", pod.Containers[0].Env[1].Name)
	assert.Equal(t, corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "write"}, Key: "authorization"},
		*pod.Containers[0].Env[1].ValueFrom.SecretKeyRef)
	assert.Len(t, pod.InitContainers[0].Env, 1, "the run has nothing to send")
}

// A second pod, or a second job at the same time, would be another run.
func TestANightIsTriedOnce(t *testing.T) {
	job, pod := nightly(t, inClaim)
	assert.Equal(t, batchv1.ForbidConcurrent, job.ConcurrencyPolicy)
	assert.Zero(t, *job.JobTemplate.Spec.BackoffLimit)
	assert.Equal(t, corev1.RestartPolicyNever, pod.RestartPolicy)
	assert.Equal(t, int64(20*60*60), *job.JobTemplate.Spec.ActiveDeadlineSeconds, "a run that hangs ends before the next night")
	assert.Equal(t, "0 1 * * *", job.Schedule)
	assert.Equal(t, "Etc/UTC", *job.TimeZone)
	assert.Equal(t, []int32{3, 7}, []int32{*job.SuccessfulJobsHistoryLimit, *job.FailedJobsHistoryLimit})
}

func TestANightRunsTheCommandsImage(t *testing.T) {
	for values, want := range map[string]string{
		"": "ringside.local/ringside-cli:dev",
		"image: {registry: r.example/x, tag: o}\nimages: {digests: {operator: {tag: o}, cli: {tag: c}}}":                           "r.example/x/ringside-cli:c",
		"image: {registry: '', tag: o}\nimages: {digests: {cli: {}}}":                                                              "ringside-cli:o",
		"images: {digests: {operator: {tag: o}}}\n" + strings.Replace(inClaim, "enabled", "image: 'r.example/mine:1', enabled", 1): "r.example/mine:1",
	} {
		if !strings.Contains(values, "nightly") {
			values += "\n" + inClaim
		}
		_, pod := nightly(t, values)
		assert.Equal(t, want, pod.InitContainers[0].Image, values)
		assert.Equal(t, want, pod.Containers[0].Image, values)
	}
}

func TestANightThatCannotWorkIsRejected(t *testing.T) {
	for values, says := range map[string]string{
		"experiment: smoke": "nightly.archive: claim and bucket are both empty or both set; set one",
		"experiment: smoke, archive: {claim: a, bucket: s3://bbb, secret: c}": "nightly.archive: claim and bucket are both empty or both set; set one",
		"experiment: smoke, archive: {bucket: s3://bbb}":                      "nightly.archive: only one of bucket and secret is set; set both",
		"experiment: smoke, archive: {claim: a, secret: c}":                   "nightly.archive: only one of bucket and secret is set; set both",
		"archive: {claim: a}": "nightly.enabled: experiment and experimentFile are both empty or both set; set one",
		"experiment: a, experimentFile: b, archive: {claim: a}":                             "nightly.enabled: experiment and experimentFile are both empty or both set; set one",
		"experimentFile: 'kind: Profile', archive: {claim: a}":                              "nightly.experimentFile: it is not an Experiment with metadata.name",
		"experimentFile: 'kind: Experiment', archive: {claim: a}":                           "nightly.experimentFile: it is not an Experiment with metadata.name",
		"experimentFile: '{kind: Experiment, metadata: toy}', archive: {claim: a}":          "nightly.experimentFile: it is not an Experiment with metadata.name",
		"experimentFile: 'kind: [', archive: {claim: a}":                                    "nightly.experimentFile: it is not an Experiment with metadata.name",
		"experiment: smoke, archive: {bucket: 'https://bucket', secret: c}":                 "/nightly/archive/bucket",
		"experiment: ./smoke.yaml, archive: {claim: a}":                                     "/nightly/experiment",
		"experiment: smoke, archive: {claim: a}, schedule: daily":                           "/nightly/schedule",
		"experiment: smoke, archive: {claim: a}, schedule: 'TZ=UTC 0 1 * * *'":              "/nightly/schedule",
		"experiment: smoke, archive: {claim: a}, ttlAfterFinished: 1d":                      "/nightly/ttlAfterFinished",
		"experiment: smoke, archive: {claim: a}, history: {threshold: 3}":                   "/nightly/history/threshold",
		"experiment: smoke, archive: {claim: a}, history: {push: {url: 'prometheus:9090'}}": "/nightly/history/push/url",
		"experiment: smoke, archive: {claim: a}, activeDeadlineSeconds: 20h":                "/nightly/activeDeadlineSeconds",
		"experiment: smoke, archive: {claim: a}, scratch: much":                             "/nightly/scratch",
		"experiment: smoke, archive: {claim: a}, args: --rounds=5":                          "/nightly/args",
		"experiment: smoke, archive: {claim: a}, server: hsha":                              "server",
	} {
		_, err := charttest.Render(t, ".", "nightly: {enabled: true, "+values+"}")
		assert.ErrorContains(t, err, says, values)
	}
	_, err := charttest.Render(t, ".", "images: {digests: {operator: {tag: o}}}\n"+inClaim)
	assert.ErrorContains(t, err, "nightly.image: it is empty, and images.digests has no cli; build that image")
}

// A real API server accepts the schedule, the time zone and the pod.
func TestClustersAcceptTheCronJob(t *testing.T) {
	objects := charttest.MustRender(t, ".", "nightly: {enabled: true, experimentFile: '{kind: Experiment, metadata: {name: toy}}', schedule: '30 2 * * 1-5', timeZone: Europe/Paris, archive: {bucket: 's3://bucket', secret: login}}")
	maps.DeleteFunc(objects, func(key string, _ *unstructured.Unstructured) bool {
		return !strings.HasSuffix(key, "/ringside-nightly")
	})
	require.Len(t, objects, 5)
	charttest.DryRun(t, objects)
}
