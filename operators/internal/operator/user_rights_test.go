package operator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	viewRole = "ringside-view-" + runsNamespace
	editRole = "ringside-edit-" + runsNamespace
)

// aggregatedInto lists Kubernetes' own roles into which the cluster's controller aggregates our roles.
var aggregatedInto = map[string][]string{viewRole: {"admin", "edit", "view"}, editRole: {"admin", "edit"}}

// The aggregating controller is not part of an API server: this test checks its selectors, the next one the resulting
// rights.
func TestKubernetesOwnRolesTakeOurs(t *testing.T) {
	const label = "rbac.authorization.k8s.io/aggregate-to-"
	found := map[string][]string{}
	for _, object := range rendered(t, "ringside", runsNamespace, nil) {
		for key, value := range object.GetLabels() {
			if into, ok := strings.CutPrefix(key, label); ok {
				require.Equal(t, "ClusterRole", object.GetKind())
				require.Equal(t, "true", value)
				found[object.GetName()] = append(found[object.GetName()], into)
			}
		}
		slices.Sort(found[object.GetName()])
	}
	for name, into := range found {
		if len(into) == 0 {
			delete(found, name)
		}
	}
	assert.Equal(t, aggregatedInto, found)
}

// person returns a user in the namespace of the runs with those of our roles that are aggregated into Kubernetes' role.
func person(t *testing.T, config *rest.Config, admin client.Client, role string) *rest.Config {
	t.Helper()
	name := "with-" + role
	for ours, into := range aggregatedInto {
		if !slices.Contains(into, role) {
			continue
		}
		binding := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: name + "-" + ours},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: ours},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: name}}}
		require.NoError(t, admin.Create(t.Context(), binding))
	}
	out := rest.CopyConfig(config)
	out.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: []string{"system:authenticated"}}
	return out
}

func TestAViewerSeesRunsAndAnEditorBeginsAndRemovesThem(t *testing.T) {
	config, admin := apiServer(t)
	scheme, err := Scheme()
	require.NoError(t, err)
	ctx := t.Context()
	measurement := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: "seen-r1-hsha-read-1"}}
	require.NoError(t, admin.Create(ctx, measurement))
	run := func(name string) *v1beta1.Experiment {
		operations := int64(1000)
		return &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: name}, Spec: v1beta1.ExperimentSpec{
			Store:   v1beta1.StoreSpec{Chart: "stub", Hosting: v1beta1.HostingDedicated, ReadyTimeout: metav1.Duration{Duration: time.Minute}},
			Servers: []v1beta1.ServerSpec{{Name: "hsha"}},
			Load:    v1beta1.LoadSpec{Image: "stress", Pods: 1, Timeout: metav1.Duration{Duration: time.Minute}},
			Phases:  []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 1}}, Operations: &operations, Rounds: 1, MaxAttempts: 1,
		}}
	}
	suspend := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"suspend":true}}`))
	for _, test := range []struct {
		role      string
		mayChange bool
	}{{"view", false}, {"edit", true}, {"admin", true}} {
		t.Run(test.role, func(t *testing.T) {
			existing := run("seen-by-" + test.role)
			require.NoError(t, admin.Create(ctx, existing))
			them, err := client.New(person(t, config, admin, test.role), client.Options{Scheme: scheme})
			require.NoError(t, err)
			// A binding takes effect with a delay.
			require.EventuallyWithT(t, func(c *assert.CollectT) {
				assert.NoError(c, them.List(ctx, &v1beta1.ExperimentList{}, client.InNamespace(runsNamespace)))
				err := them.Create(ctx, run("probe-"+test.role), client.DryRunAll)
				assert.Equal(c, !test.mayChange, apierrors.IsForbidden(err), "%v", err)
			}, rightsPatience, rightsInterval)
			assert.NoError(t, them.Get(ctx, client.ObjectKeyFromObject(existing), &v1beta1.Experiment{}))
			assert.NoError(t, them.Get(ctx, client.ObjectKeyFromObject(measurement), &v1beta1.Measurement{}))
			assert.NoError(t, them.List(ctx, &v1beta1.MeasurementList{}, client.InNamespace(runsNamespace)))
			assert.NoError(t, them.List(ctx, &v1beta1.MeasurementPartList{}, client.InNamespace(runsNamespace)), "how the load proceeds")

			for what, err := range map[string]error{
				"begins a run":   them.Create(ctx, run("begun-by-"+test.role)),
				"suspends a run": them.Patch(ctx, existing.DeepCopy(), suspend),
				"removes a run":  them.Delete(ctx, existing.DeepCopy()),
			} {
				if test.mayChange {
					assert.NoError(t, err, what)
				} else {
					assert.True(t, apierrors.IsForbidden(err), "%s: %v", what, err)
				}
			}
			forged := measurement.DeepCopy()
			forged.Status.Valid = true
			for what, err := range map[string]error{
				"forges a result":           them.Status().Update(ctx, forged),
				"forges a report":           them.Create(ctx, &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: "forged"}}),
				"changes a measurement":     them.Update(ctx, measurement.DeepCopy()),
				"removes a measurement":     them.Delete(ctx, measurement.DeepCopy()),
				"writes a run's state":      them.Status().Update(ctx, existing.DeepCopy()),
				"looks at other namespaces": them.List(ctx, &v1beta1.ExperimentList{}, client.InNamespace(otherNamespace)),
			} {
				assert.True(t, apierrors.IsForbidden(err), "%s: %v", what, err)
			}
		})
	}
}
