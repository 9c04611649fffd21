package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/installation"
	"ringside.dev/ringside/operators/internal/runs/simulated"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart/pushed"
)

func valuesFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "values.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// tree is a table of values, as YAML has it.
type tree = map[string]any

func TestValuesComeFromTheProfileTheUsersFilesAndTheImages(t *testing.T) {
	f := installFlags{
		site: site{monitoringNamespace: "watch"}, folders: folders{charts: "../../../charts"}, namespace: "runs", secret: "login",
		profile:          valuesFile(t, "{apiVersion: ringside.dev/v1beta1, kind: Profile, patches: [], installation: {operator: {runAs: 0}, monitoring: {scrape: {store: 15s}}}}"),
		values:           []string{valuesFile(t, "{verbose: true, runAs: 1}"), valuesFile(t, "runAs: 2"), ""},
		monitoringValues: []string{""},
		built:            valuesFile(t, `{"image": {"tag": "one"}}`), monitoringBuilt: valuesFile(t, "{}"),
	}
	order, err := f.order()
	require.NoError(t, err)
	assert.Equal(t, "../../../charts/monitoring", order.Prometheus.Files.(source.Source).Folder)
	assert.Equal(t, "runs", order.Operator.Namespace)
	assert.Equal(t, "watch", order.Prometheus.Namespace)
	login := []any{tree{"name": "login"}}
	assert.Equal(t, installation.Layers{Defaults: tree{"runAs": int64(0)}, Asked: tree{"verbose": true, "runAs": 2., "imagePullSecrets": login}, Images: tree{"image": tree{"tag": "one"}}}, order.Operator.Layers)
	assert.Equal(t, tree{"namespaces": []any{"runs"}, "scrape": tree{"store": "15s"}}, order.Prometheus.Defaults)
	assert.Empty(t, order.Prometheus.Asked, "a public image of Prometheus needs no login")

	f.monitoringBuilt = valuesFile(t, "prometheus: {image: {tag: one}}")
	order, err = f.order()
	require.NoError(t, err)
	assert.Equal(t, tree{"prometheus": tree{"imagePullSecrets": login}}, order.Prometheus.Asked)
	assert.Equal(t, tree{"enabled": false}, order.Prometheus.Defaults["grafana"], "where Prometheus must be built, Grafana cannot be pulled")
}

// checkChart checks an experiment with the chart of a reference, and store values.
func checkChart(t *testing.T, reference, values string) (*prepared, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "{apiVersion: ringside.dev/v1beta1, kind: Experiment, metadata: {name: mine}, spec: {store: {chart: %q, hosting: Shared, values: %s}, "+
		"servers: [{name: hsha}], load: {image: registry.example/load, pods: 1}, rounds: 1, phases: [{name: read, repeats: 1, threads: 1, duration: 1s}]}}", reference, values), 0o600))
	c := choices{folders: folders{charts: house + "charts", images: house + "images"}}
	return c.prepare(t.Context(), file)
}

func TestChecksAnExperimentWithAChartOfARegistry(t *testing.T) {
	host, _ := pushed.Registry(t)
	reference := pushed.Chart(t, host, "../storechart/testdata/charts/ledger", nil)
	p, err := checkChart(t, reference, "{nodes: 2}")
	require.NoError(t, err)
	assert.Equal(t, "mine on ledger: hsha; read 1s; rounds 1; 1 measurements", p.summary())
	assert.Contains(t, p.origin(), "; chart: "+reference+", which the operator must allow (storeCharts.allowed of charts/ringside)")
}

// The example of docs/guides/wrap-a-store.md, which the end-to-end tests run.
func TestTheWrappedChartOfTheGuideIsAStore(t *testing.T) {
	host, _ := pushed.Registry(t)
	example := house + "docs/guides/wrap-a-store/"
	reference := pushed.Chart(t, host, example+"charts/postgres", nil)
	check := func(sets ...string) (*prepared, error) {
		c := shipped(append(sets, "spec.store.chart="+reference)...)
		return c.prepare(t.Context(), example+"experiments/postgres.yaml")
	}
	p, err := check()
	require.NoError(t, err)
	assert.Equal(t, "postgres on postgres: commit-on (baseline), commit-off; update 10s, select 10s; rounds 3; 12 measurements", p.summary())
	_, err = check("spec.store.hosting=SideBySide")
	require.NoError(t, err, "what works alone works side by side")
	_, err = check("spec.store.values.postgresql.setings={fsync: 'off'}")
	assert.EqualError(t, err, "store.values do not fit chart postgres: postgresql:; at '': additional properties 'setings' not allowed: see helm show values "+reference, "the schema of the other chart")
}

func TestAChartOfARegistryThatCannotBeInstalledIsRefusedInALine(t *testing.T) {
	const folder = "../storechart/testdata/charts/ledger"
	const nothing = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	host, _ := pushed.Registry(t)
	silent, stop := pushed.Registry(t)
	stop()
	good := pushed.Chart(t, host, folder, nil)
	role := pushed.Chart(t, host, folder, map[string]string{"templates/role.yaml": "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: all}}"})
	open := pushed.Chart(t, host, folder, map[string]string{"values.schema.json": ""})
	for name, test := range map[string]struct {
		reference, values, says string
		code                    int
	}{
		"no digest": {"oci://" + host + "/charts/ledger", "{}",
			"chart oci://" + host + "/charts/ledger has no digest: use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest", exitBadInput},
		"a registry that does not answer": {"oci://" + silent + "/charts/ledger@" + nothing, "{}",
			"chart oci://" + silent + "/charts/ledger@" + nothing + ": registry " + silent + " does not answer (dial tcp " + silent + ": connect: connection refused): check its name and the network", exitUnavailable},
		"a digest that does not exist": {"oci://" + host + "/charts/ledger@" + nothing, "{}",
			"chart oci://" + host + "/charts/ledger@" + nothing + " does not exist in registry " + host + ": check name and digest; helm push prints both", exitBadInput},
		"a kind that no store may have": {role, "{}",
			"chart ledger has a ClusterRole.rbac.authorization.k8s.io, all, but the chart of a store may have ConfigMap, Service, ServiceAccount, StatefulSet, NetworkPolicy, PodDisruptionBudget only: " +
				"remove it from the chart, or disable it in the values", exitBadInput},
		"no schema for the values": {open, "{nodes: 2}",
			"chart " + open + " is not the chart of a store: it has no values.schema.json, which lists its servers and values: see docs/reference/store-contract.md", exitBadInput},
		"a value that the schema lacks": {good, "{node: 2}",
			"store.values do not fit chart ledger: at '': additional properties 'node' not allowed; node, did you mean nodes?: see helm show values " + good, exitBadInput},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := checkChart(t, test.reference, test.values)
			assert.EqualError(t, err, test.says)
			assert.Equal(t, test.code, exitCode(err))
		})
	}
}

// The operator was deleted with its namespace, or before its runs: only a run with a finalizer remains, and --force
// releases it.
func TestARunOfWhichNoOperatorIsLeftIsRemovedByForce(t *testing.T) {
	for name, test := range map[string]struct {
		away func(d *desk)
		says string
		left string
	}{
		"the operator is removed": {
			func(d *desk) {
				require.NoError(t, d.api.DeleteAllOf(t.Context(), &appsv1.Deployment{}, client.InNamespace(simulated.Namespace)))
			},
			"no operator runs in namespace ringside", "its store slow-r1-abc may be left behind, with its data: kubectl -n ringside delete statefulsets,",
		},
		"the namespace is being deleted": {
			func(d *desk) {
				d.faults.Get = func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
					err := c.Get(ctx, key, object, opts...)
					if _, is := object.(*corev1.Namespace); is {
						object.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
					}
					return err
				}
			},
			"namespace ringside is being deleted, with its operator", "its objects are deleted with the namespace",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, simulated.Operator{HangAfter: 2, KeepStore: true})
			d.hanging(2)
			hold(t, d)
			test.away(d)
			_, said := d.do(exitFailed, "remove", toyRun)
			assert.Contains(t, said, test.says+", but only an operator removes its store: make install installs one; --force releases the run")
			assert.NotNil(t, d.experiment())

			_, said = d.do(exitDone, "remove", toyRun, "--force")
			assert.Contains(t, said, "warning: "+test.says+"; the run was released by force: "+test.left)
			assert.Contains(t, said, "removed; its 2 finished measurements")
			var all v1beta1.ExperimentList
			require.NoError(t, d.api.List(t.Context(), &all))
			assert.Empty(t, all.Items)
		})
	}
}

// hold adds the finalizer, as an operator does before it installs a store.
func hold(t *testing.T, d *desk) {
	t.Helper()
	require.NoError(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		held := d.experiment()
		held.Status.Store = &v1beta1.StoreStatus{Release: "slow-r1-abc", Releases: []v1beta1.StoreRelease{{Name: "slow-r1-abc"}}}
		if err := d.api.Status().Update(t.Context(), held); err != nil {
			return err
		}
		held.Finalizers = append(held.Finalizers, v1beta1.Finalizer)
		return d.api.Update(t.Context(), held)
	}))
}
