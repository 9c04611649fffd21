//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrapped is the example of docs/guides/wrap-a-store.md.
const wrapped = root + "/docs/guides/wrap-a-store"

// registryInside is where pods reach the registry of the embedded cluster, which this machine reaches as localhost:$E2E_REGISTRY.
const registryInside = "10.200.0.1:5000"

// PostgreSQL becomes a store by the chart of somebody else, pushed to a registry, with an operator that has never seen it: two of them, side by side.
func TestAChartOfARegistryBecomesAStoreWithoutARebuild(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	cluster := connect(t)
	registry := "localhost:" + os.Getenv("E2E_REGISTRY")
	require.NotEqual(t, "localhost:", registry, "the embedded cluster has no registry: run `make test-e2e`")
	image := loadPostgres(ctx, t)
	chart := pushChart(ctx, t, filepath.Join(wrapped, "charts/postgres"), registry)

	refused := startPostgres(ctx, t, chart, image)
	refused.requireExit(t, 1)
	assert.Contains(t, refused.printed(), "the operator installs no charts of registries: add its place to storeCharts.allowed of charts/ringside")

	allow(ctx, t, `{"allowed": ["oci://`+registry+`/charts"], "mirrors": {"`+registry+`": "`+registryInside+`"}}`)
	t.Cleanup(func() { allow(context.WithoutCancel(ctx), t, `{"allowed": []}`) })
	command := startPostgres(ctx, t, chart, image)
	command.requireExit(t, 0)
	run := command.exportedRun(t)
	rows := readCSV(t, run)
	require.Len(t, rows, 2*2)
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["phase"], row["invalid_reasons"])
		assert.Equal(t, "postgres", row["store"])
		assert.Equal(t, "PostgreSQL", row["server_class"])
		assert.Equal(t, chart[strings.Index(chart, "@")+1:], row["chart_digest"])
		assert.NotEmpty(t, row["image_digest"])
		assert.Greater(t, number(t, row["ops"]), 100)
	}
	for _, m := range cluster.measurements(ctx, t, run) {
		assert.Equal(t, strings.TrimPrefix(m.Spec.Server, "commit-"), m.Status.Proof.Settings["synchronous_commit"])
	}
	assert.Contains(t, command.printed(), "TRANSACTIONS/S")
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
}

func startPostgres(ctx context.Context, t *testing.T, chart, image string) *command {
	t.Helper()
	return start(ctx, t, "run", "./docs/guides/wrap-a-store/experiments/postgres.yaml", "--profile", profile, "--rounds", "1", "--results", t.TempDir(),
		"--set", "spec.store.hosting=SideBySide", "--set", "spec.store.chart="+chart, "--set", "spec.store.values.postgresql.image="+image, "--set", "spec.load.image="+image,
		"--set", "spec.phases.update.duration=5s", "--set", "spec.phases.select.duration=5s")
}

// allow upgrades the operator with the value storeCharts.
func allow(ctx context.Context, t *testing.T, storeCharts string) {
	t.Helper()
	values := filepath.Join(t.TempDir(), "values.yaml")
	require.NoError(t, os.WriteFile(values, []byte("storeCharts: "+storeCharts+"\n"), 0o600))
	built := filepath.Join(t.TempDir(), "operator-values.json")
	require.NoError(t, os.WriteFile(built, []byte(within(ctx, t, root, program(t, "ringside-images"), "values", "operator")), 0o600))
	within(ctx, t, root, program(t, "ringside"), "install", "--profile", profile, "--values", values, "--built", built, "--monitoring", "none")
}

// loadPostgres builds the example's image, loads it into the nodes, and returns its reference.
func loadPostgres(ctx context.Context, t *testing.T) string {
	t.Helper()
	copied := houseWith(t, wrapped)
	images := program(t, "ringside-images")
	within(ctx, t, copied, images, "build", "postgres")
	archive := strings.TrimSpace(within(ctx, t, copied, images, "archives", "postgres"))
	within(ctx, t, copied, program(t, "ringside-cluster"), "--instance", os.Getenv("E2E_INSTANCE"), "--state", clusterState(t), "load-image", archive)
	var built struct {
		Image  struct{ Registry string }
		Images struct {
			Digests map[string]struct{ Tag string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(within(ctx, t, copied, images, "values", "operator")), &built))
	return fmt.Sprintf("%s/ringside-postgres:%s", built.Image.Registry, built.Images.Digests["postgres"].Tag)
}

var printedDigest = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// pushChart packages a chart and pushes it to the registry, and returns its reference.
func pushChart(ctx context.Context, t *testing.T, folder, registry string) string {
	t.Helper()
	folder, err := filepath.Abs(folder)
	require.NoError(t, err)
	packages := t.TempDir()
	within(ctx, t, root, "go", "tool", "helm", "package", folder, "-d", packages)
	archives, err := filepath.Glob(filepath.Join(packages, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, archives, 1)
	printed := within(ctx, t, root, "sh", "-c", `exec go tool helm push "$0" "oci://$1/charts" --plain-http 2>&1`, archives[0], registry)
	digest := printedDigest.FindString(printed)
	require.NotEmpty(t, digest, printed)
	return fmt.Sprintf("oci://%s/charts/%s@%s", registry, filepath.Base(folder), digest)
}
