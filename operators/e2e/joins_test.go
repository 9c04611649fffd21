//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A new store joins by a chart, an image and an experiment file next to those of a copy of the repository: what builds, loads,
// installs and runs them is the house's own. The operator that this leaves knows that store too, which harms nobody.
func TestAStoreJoinsByAChartAnImageAndADocument(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	cluster := connect(t)
	copied := houseWith(t, "testdata/crier")
	const document = "experiments/crier.yaml"
	images := program(t, "ringside-images")
	within(ctx, t, copied, images, "build", "--experiment", document)
	archives := within(ctx, t, copied, images, "archives", "--experiment", document)
	within(ctx, t, copied, program(t, "ringside-cluster"),
		append([]string{"--instance", os.Getenv("E2E_INSTANCE"), "--state", clusterState(t), "load-image"}, strings.Fields(archives)...)...)
	built := filepath.Join(t.TempDir(), "operator-values.json")
	require.NoError(t, os.WriteFile(built, []byte(within(ctx, t, copied, images, "values", "operator")), 0o600))
	within(ctx, t, copied, program(t, "ringside"), "install", "--profile", profile, "--built", built, "--monitoring", "none")

	command := startIn(ctx, t, copied, "run", "crier", "--profile", profile, "--results", t.TempDir())
	command.requireExit(t, 0)
	run := command.exportedRun(t)
	rows := readCSV(t, run)
	require.Len(t, rows, 2)
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s: %s", row["server"], row["invalid_reasons"])
		assert.Equal(t, "crier", row["store"])
		assert.Equal(t, "crier.pl", row["server_class"])
		assert.Contains(t, row["outcomes"], "echoed=")
	}
	assert.Contains(t, command.printed(), "SHOUTS/S  MEDIAN µs", "in the units that its chart says")
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
}

// clusterState is where the embedded cluster of the tests keeps itself.
func clusterState(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Dir(os.Getenv("KUBECONFIG")))
	require.NoError(t, err)
	return path
}

// houseWith is the repository in a folder of its own, by links, with the charts, images and experiments of another folder among its own.
func houseWith(t *testing.T, joining string) string {
	t.Helper()
	house, err := filepath.Abs(root)
	require.NoError(t, err)
	copied := t.TempDir()
	link := func(folder string) {
		entries, err := os.ReadDir(filepath.Join(house, folder))
		require.NoError(t, err)
		for _, entry := range entries {
			path := filepath.Join(copied, folder, entry.Name())
			if _, err := os.Lstat(path); err == nil || entry.Name() == ".git" {
				continue
			}
			require.NoError(t, os.Symlink(filepath.Join(house, folder, entry.Name()), path))
		}
	}
	require.NoError(t, os.CopyFS(copied, os.DirFS(joining)))
	// The charts are copied: staging the operator takes folders, and no links.
	for _, chart := range chartsOf(t, house) {
		require.NoError(t, exec.Command("cp", "-RL", filepath.Join(house, "charts", chart), filepath.Join(copied, "charts")).Run())
	}
	for _, folder := range []string{"charts", "images", "experiments", ""} {
		link(folder)
	}
	return copied
}

func chartsOf(t *testing.T, house string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(house, "charts/*/Chart.yaml"))
	require.NoError(t, err)
	var charts []string
	for _, file := range files {
		charts = append(charts, filepath.Base(filepath.Dir(file)))
	}
	return charts
}

// within runs a program in the folder, as the Makefile does on the embedded cluster, and gives what it prints.
func within(ctx context.Context, t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	process := exec.CommandContext(ctx, name, arguments...)
	process.Dir = folder
	process.Env = append(os.Environ(), "BASE=bootstrap", "PWD="+folder)
	var errors strings.Builder
	process.Stderr = &errors
	out, err := process.Output()
	require.NoError(t, err, "%s %v:\n%s\n%s", name, arguments, out, errors.String())
	return string(out)
}
