//go:build e2e

package e2e

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	namespace = "ringside"
	profile   = "cluster/experiment-profile.yaml"
)

type cluster struct{ client.Client }

// nightly leaves the test out unless RINGSIDE_NIGHTLY is set, because make test-e2e takes 25 minutes without it.
func nightly(t *testing.T) {
	t.Helper()
	if os.Getenv("RINGSIDE_NIGHTLY") == "" {
		t.Skip("left out for time: make test-all runs it")
	}
}

// connect uses KUBECONFIG, as the CLI does.
func connect(t *testing.T) cluster {
	t.Helper()
	ctrl.SetLogger(logr.Discard()) // without one it prints a stack after a while
	rest, err := config.GetConfig()
	require.NoError(t, err, "KUBECONFIG must name the embedded cluster: run `make test-e2e`")
	scheme := runtime.NewScheme()
	require.NoError(t, clientgoscheme.AddToScheme(scheme))
	require.NoError(t, v1beta1.AddToScheme(scheme))
	c, err := client.New(rest, client.Options{Scheme: scheme})
	require.NoError(t, err)
	return cluster{c}
}

// awaitRunning returns a measurement that drives load right now and has some operations behind it; not one of the phase of other.
func (c cluster) awaitRunning(ctx context.Context, t *testing.T, command *command, other *v1beta1.Measurement) v1beta1.Measurement {
	t.Helper()
	for {
		var list v1beta1.MeasurementPartList
		require.NoError(t, c.List(ctx, &list, client.InNamespace(namespace)))
		for _, reported := range list.Items {
			name := reported.Labels[v1beta1.LabelMeasurement]
			if other != nil && name == other.Name || reported.Part.State != v1beta1.PartRunning || reported.Part.Operations == 0 {
				continue
			}
			var m v1beta1.Measurement
			require.NoError(t, c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &m))
			if reported.Part.Attempt == m.Status.Attempt && !m.Finished() {
				return m
			}
		}
		command.requireRunning(t)
		pause(ctx, t)
	}
}

func (c cluster) killOperator(ctx context.Context, t *testing.T) {
	t.Helper()
	c.kill(ctx, t, client.MatchingLabels{"app.kubernetes.io/name": "ringside", "app.kubernetes.io/component": "operator"})
}

func (c cluster) killLoadPod(ctx context.Context, t *testing.T, m v1beta1.Measurement) {
	t.Helper()
	c.kill(ctx, t, client.MatchingLabels{v1beta1.LabelMeasurement: m.Name})
}

// kill ends pods without grace, as a lost node would.
func (c cluster) kill(ctx context.Context, t *testing.T, labels client.MatchingLabels) {
	t.Helper()
	var pods corev1.PodList
	require.NoError(t, c.List(ctx, &pods, client.InNamespace(namespace), labels))
	killed := 0
	for i := range pods.Items {
		if pods.Items[i].Status.Phase == corev1.PodRunning {
			require.NoError(t, c.Delete(ctx, &pods.Items[i], client.GracePeriodSeconds(0)))
			killed++
		}
	}
	require.Equal(t, 1, killed, "pods to kill with %v", labels)
}

func (c cluster) measurements(ctx context.Context, t *testing.T, run run) []v1beta1.Measurement {
	t.Helper()
	var list v1beta1.MeasurementList
	require.NoError(t, c.List(ctx, &list, client.InNamespace(namespace), client.MatchingLabels{v1beta1.LabelRun: run.id}))
	return list.Items
}

// requireNothingLeft checks that a finished run holds no pod that works, no store, no data.
func (c cluster) requireNothingLeft(ctx context.Context, t *testing.T, run string) {
	t.Helper()
	of := client.MatchingLabels{v1beta1.LabelRun: run}
	var claims corev1.PersistentVolumeClaimList
	require.NoError(t, c.List(ctx, &claims, client.InNamespace(namespace), of))
	require.Empty(t, claims.Items, "volume claims")
	var pods corev1.PodList
	require.NoError(t, c.List(ctx, &pods, client.InNamespace(namespace), client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent}))
	require.Empty(t, pods.Items, "store pods")
	// The last load pod may still wait for the scrape of its last values.
	for active := c.activeJobs(ctx, t, of); len(active) > 0; active = c.activeJobs(ctx, t, of) {
		t.Logf("waits for the load pods of %v", active)
		pause(ctx, t)
	}
}

func (c cluster) activeJobs(ctx context.Context, t *testing.T, of client.MatchingLabels) []string {
	t.Helper()
	var jobs batchv1.JobList
	require.NoError(t, c.List(ctx, &jobs, client.InNamespace(namespace), of))
	var active []string
	for _, job := range jobs.Items {
		if job.Status.Active > 0 {
			active = append(active, job.Name)
		}
	}
	return active
}

// pause between two looks at a condition; the context bounds the waiting.
func pause(ctx context.Context, t *testing.T) {
	t.Helper()
	select {
	case <-ctx.Done():
		require.FailNow(t, "gave up waiting", "%v", ctx.Err())
	case <-time.After(500 * time.Millisecond):
	}
}
