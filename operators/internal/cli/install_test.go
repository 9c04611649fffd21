package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/installation"
	"ringside.dev/ringside/operators/internal/source"
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
