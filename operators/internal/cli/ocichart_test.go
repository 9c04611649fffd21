package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/storechart/pushed"
)

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
