//go:build e2e

package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The store over HTTP: two numbers of workers over the same data, first with all keys there, then with nearly all missing.
func TestComparesWorkersOfAStoreOverHTTP(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "http-workers",
		"--server", "arrayqueue,arrayqueue-256", "--rounds", "2", "--profile", profile, "--results", t.TempDir())
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	seen := map[string]int{}
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["operation"], row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"], "%s %s", row["server"], row["operation"])
		assert.Equal(t, "java.util.concurrent.ArrayBlockingQueue", row["server_class"])
		seen[row["server"]+" "+row["phase"]]++
		switch row["phase"] {
		case "hits":
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
	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	requireSameFigures(t, rows, measurements)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
}
