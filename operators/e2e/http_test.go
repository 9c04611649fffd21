//go:build e2e

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The store over HTTP: two numbers of workers over the same data, first with all keys there, then with nearly all missing.
func TestComparesWorkersOfAStoreOverHTTP(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "http-workers",
		"--server", "arrayqueue,arrayqueue-256", "--rounds", "2", "--set", "spec.phases.hits.profile=[CPU]", "--profile", profile, "--results", t.TempDir())
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	seen, profiled := map[string]int{}, 0
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["operation"], row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"], "%s %s", row["server"], row["operation"])
		assert.Equal(t, "java.util.concurrent.ArrayBlockingQueue", row["server_class"])
		if row["profile"] != "" {
			profiled++
			continue
		}
		seen[row["server"]+" "+row["phase"]]++
		switch row["phase"] {
		case "hits":
			assert.NotEmpty(t, row["switches_per_op"], "what the store counts is what the platform looks for")
			assert.True(t, strings.HasPrefix(row["outcomes"], "hit="), row["outcomes"])
			assert.NotContains(t, row["outcomes"], "miss=")
		case "misses":
			assert.Contains(t, row["outcomes"], "hit=")
			assert.Contains(t, row["outcomes"], "miss=")
		}
	}
	for _, server := range []string{"arrayqueue", "arrayqueue-256"} {
		for _, phase := range []string{"hits", "misses"} {
			assert.Equal(t, 2, seen[server+" "+phase], "%s %s", server, phase)
		}
	}
	assert.Equal(t, 2, profiled, "one of each server")
	requireFlameGraphs(t, run, 2, "java/util/concurrent/ThreadPoolExecutor")
	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	requireSameFigures(t, rows, measurements)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
	requireScraped(ctx, t, run)
}

// requireFlameGraphs of what the store's workers did, with the stacks that they were drawn from.
func requireFlameGraphs(t *testing.T, r run, graphs int, workers string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(r.folder, "report.html"))
	require.NoError(t, err)
	assert.Equal(t, graphs, strings.Count(string(page), `class="frames"`))
	assert.Contains(t, string(page), workers, "the workers of the store were seen")
	assert.Contains(t, string(page), "of an operation, by part of the store")
	files, err := filepath.Glob(filepath.Join(r.folder, "profiles", "*.collapsed.gz"))
	require.NoError(t, err)
	assert.Len(t, files, graphs)
}
