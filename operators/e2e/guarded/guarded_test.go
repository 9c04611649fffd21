//go:build e2e

// Package guarded runs experiments on a cluster that is not ours alone: policies, quotas, other runs, an administrator who drains nodes, a
// Prometheus Operator. make test-long
package guarded

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/e2e/desk"
)

const (
	runs       = "ringside"
	monitoring = "ringside-monitoring"
	instance   = "ringside-guarded"
	apiPort    = 16454
)

// house is the cluster and what is read of it.
type house struct {
	desk.Desk
	client.Client
	ctx context.Context
}

func TestAClusterThatIsNotOursAlone(t *testing.T) {
	d := desk.New(t, instance, apiPort, 16501, nil)
	d.Run("build/bin/ringside-images", "build", "--push", "--registry", d.Images(), "--experiment", "experiments/udp-threads.yaml")
	c := connect(t, d)
	for _, step := range []struct {
		name string
		test func(house)
	}{
		{"RunsUnderPodSecurityQuotasAndADefaultDeny", runsUnderPolicies},
		{"AQuotaThatIsTooSmallIsNamed", namesTheQuota},
		{"TwoRunsOnTheSameNodesTellOfEachOther", tellsOfOtherRuns},
		{"ADrainedNodeCostsAnAttempt", survivesADrain},
		{"ANodeThatIsGoneForTwoMinutesCostsNoMoreThanItsMeasurement", survivesALostNode},
		{"ThePrometheusOperatorTakesWhatTheChartMakes", scrapedByTheOperators},
		{"AStoreIsInstalledByItselfByTheDigestOfItsChart", installsAStoreAlone},
	} {
		d.Step(step.name, func(d desk.Desk) { step.test(house{Desk: d, Client: c, ctx: d.T.Context()}) })
	}
}

func connect(t *testing.T, d desk.Desk) client.Client {
	t.Helper()
	ctrl.SetLogger(logr.Discard()) // without one it prints a stack after a while
	config, err := clientcmd.BuildConfigFromFlags("", d.Kubeconfig())
	require.NoError(t, err)
	scheme := runtime.NewScheme()
	require.NoError(t, clientgoscheme.AddToScheme(scheme))
	require.NoError(t, v1beta1.AddToScheme(scheme))
	c, err := client.New(config, client.Options{Scheme: scheme})
	require.NoError(t, err)
	return c
}

// guard makes a namespace as a careful administrator does.
func (h house) guard(namespace string) {
	h.T.Helper()
	h.ApplyYAML(fmt.Sprintf(`
apiVersion: v1
kind: Namespace
metadata:
  name: %[1]s
  labels: {pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn: restricted}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: household, namespace: %[1]s}
spec:
  hard: {requests.cpu: "4", requests.memory: 6Gi, limits.memory: 16Gi, pods: "12", persistentvolumeclaims: "4"}
---
# A pod without a limit of memory gets one, because the quota requires it.
apiVersion: v1
kind: LimitRange
metadata: {name: household, namespace: %[1]s}
spec:
  limits:
    - type: Container
      default: {memory: 1Gi}
      defaultRequest: {cpu: 10m, memory: 32Mi}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: default-deny, namespace: %[1]s}
spec:
  podSelector: {}
  policyTypes: [Ingress]
`, namespace))
}

// start a run of datagrams in a namespace, and leave it going.
func (h house) start(namespace string, sets ...string) string {
	h.T.Helper()
	args := []string{"run", "udp-threads", "--detach", "--namespace", namespace, "--server", "blocking", "--rounds", "1",
		"--profile", "cluster/experiment-profile.yaml"}
	for _, set := range sets {
		args = append(args, "--set", set)
	}
	return h.Run("build/bin/ringside", args...)
}

// echo is one phase of a document, with a thread for each of up to three load pods.
func echo(name string, duration time.Duration) string {
	return fmt.Sprintf("{name: %s, operation: echo, duration: %s, threads: 3}", name, duration)
}

func phases(all ...string) string { return "spec.phases=[" + strings.Join(all, ", ") + "]" }

func (h house) experiment(namespace, name string) *v1beta1.Experiment {
	h.T.Helper()
	var experiment v1beta1.Experiment
	require.NoError(h.T, h.Get(h.ctx, client.ObjectKey{Namespace: namespace, Name: name}, &experiment))
	return &experiment
}

func (h house) measurements(namespace, name string) []v1beta1.Measurement {
	h.T.Helper()
	var list v1beta1.MeasurementList
	require.NoError(h.T, h.List(h.ctx, &list, client.InNamespace(namespace),
		client.MatchingLabels{v1beta1.LabelRun: h.experiment(namespace, name).RunID()}))
	return list.Items
}

// end of a run: its object and its measurements, with nothing of it left beside them.
func (h house) end(namespace, name string, limit time.Duration) (*v1beta1.Experiment, []v1beta1.Measurement) {
	h.T.Helper()
	h.Await(limit, func() bool { return h.experiment(namespace, name).Status.FinishedAt != nil })
	experiment, measurements := h.experiment(namespace, name), h.measurements(namespace, name)
	var pods corev1.PodList
	require.NoError(h.T, h.List(h.ctx, &pods, client.InNamespace(namespace),
		client.MatchingLabels{v1beta1.LabelComponent: v1beta1.StoreComponent, v1beta1.LabelRun: experiment.RunID()}))
	assert.Empty(h.T, pods.Items, "store pods")
	for _, m := range measurements {
		h.T.Logf("%s: attempt %d, valid %t, reasons %q, warnings %q, failures %v", m.Name, m.Status.Attempt, m.Status.Valid, m.Status.InvalidReasons, m.Status.Warnings, m.Status.Failures)
	}
	return experiment, measurements
}

// complete run: all that was planned is measured.
func (h house) complete(namespace, name string, limit time.Duration) []v1beta1.Measurement {
	h.T.Helper()
	experiment, measurements := h.end(namespace, name, limit)
	require.True(h.T, meta.IsStatusConditionTrue(experiment.Status.Conditions, v1beta1.ConditionComplete), "%+v", experiment.Status.Conditions)
	require.Len(h.T, measurements, int(experiment.Status.Planned))
	return measurements
}

// failure of a run that ends early: its reason and words.
func (h house) failure(namespace, name string, limit time.Duration) (reason, message string) {
	h.T.Helper()
	experiment, _ := h.end(namespace, name, limit)
	failed := meta.FindStatusCondition(experiment.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(h.T, failed, "%+v", experiment.Status.Conditions)
	return failed.Reason, failed.Message
}

// reported returns what the load pods of the measurement's attempt have reported.
func (h house) reported(namespace string, m v1beta1.Measurement) []v1beta1.Part {
	h.T.Helper()
	var list v1beta1.MeasurementPartList
	require.NoError(h.T, h.List(h.ctx, &list, client.InNamespace(namespace), client.MatchingLabels{v1beta1.LabelMeasurement: m.Name}))
	var parts []v1beta1.Part
	for _, written := range list.Items {
		if written.Part.Attempt == m.Status.Attempt {
			parts = append(parts, written.Part)
		}
	}
	return parts
}

// driving waits until an attempt later than the given one drives load, and returns the measurement.
func (h house) driving(namespace, name string, after int32) v1beta1.Measurement {
	h.T.Helper()
	var found v1beta1.Measurement
	h.Await(3*time.Minute, func() bool {
		for _, m := range h.measurements(namespace, name) {
			for _, part := range h.reported(namespace, m) {
				if m.Status.Attempt > after && part.State == v1beta1.PartRunning && part.Operations > 0 {
					found = m
					return true
				}
			}
		}
		require.Nil(h.T, h.experiment(namespace, name).Status.FinishedAt, "the run ended before")
		return false
	})
	return found
}

// storeNode is where the store's only pod is.
func (h house) storeNode(namespace string) string {
	h.T.Helper()
	var pods corev1.PodList
	require.NoError(h.T, h.List(h.ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{v1beta1.LabelComponent: v1beta1.StoreComponent}))
	require.Len(h.T, pods.Items, 1)
	return pods.Items[0].Spec.NodeName
}
