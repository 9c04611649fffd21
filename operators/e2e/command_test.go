//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// root of the repository, where a user stands.
const root = "../.."

// command is a running ringside, started as the Makefile starts it.
type command struct {
	results string
	done    chan struct{}
	err     error
	mu      sync.Mutex
	output  bytes.Buffer
}

// run is what a command exported: results/<experiment>/<id>.
type run struct{ folder, id string }

func start(ctx context.Context, t *testing.T, arguments ...string) *command {
	t.Helper()
	return startIn(ctx, t, root, arguments...)
}

// startIn is start where a user stands elsewhere.
func startIn(ctx context.Context, t *testing.T, folder string, arguments ...string) *command {
	t.Helper()
	c := &command{done: make(chan struct{})}
	for i, argument := range arguments {
		if argument == "--results" {
			c.results = arguments[i+1]
		}
	}
	if arguments[0] == "run" {
		arguments = append(arguments, "-o", "wide") // every measurement
	}
	process := exec.CommandContext(ctx, program(t, "ringside"), arguments...)
	process.Dir = folder
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	process.Stdout, process.Stderr = c, c
	require.NoError(t, process.Start())
	go func() {
		c.err = process.Wait()
		close(c.done)
	}()
	t.Cleanup(func() {
		select {
		case <-c.done:
		default:
			_ = process.Process.Signal(os.Interrupt)
			<-c.done
			// An interrupted run is kept with its store, and the next test's would wait behind it.
			removal := exec.Command(program(t, "ringside"), "remove", "latest", "--force", "--results", c.results)
			removal.Dir = folder
			if out, err := removal.CombinedOutput(); err != nil {
				t.Logf("removing the interrupted run: %v\n%s", err, out)
			}
		}
		if t.Failed() {
			t.Logf("ringside printed:\n%s", c.printed())
		}
	})
	return c
}

// program is the path of a built program, whichever folder it is run in.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "build/bin", name))
	require.NoError(t, err)
	return path
}

// Write keeps what the command prints.
func (c *command) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.Write(p)
}

func (c *command) printed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.String()
}

func (c *command) requireRunning(t *testing.T) {
	t.Helper()
	select {
	case <-c.done:
		require.FailNow(t, "ringside ended early", "%v\n%s", c.err, c.printed())
	default:
	}
}

func (c *command) requireExit(t *testing.T, code int) {
	t.Helper()
	<-c.done
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(c.err, &exit) {
		got = exit.ExitCode()
	} else {
		require.NoError(t, c.err)
	}
	require.Equal(t, code, got, "exit code; it printed:\n%s", c.printed())
}

func (c *command) exportedRun(t *testing.T) run {
	t.Helper()
	folder, err := filepath.EvalSymlinks(filepath.Join(c.results, "latest"))
	require.NoError(t, err)
	return run{folder: folder, id: filepath.Base(folder)}
}

// readCSV gives one map per row, by column.
func readCSV(t *testing.T, r run) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(r.folder, "measurements.csv"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// requireReportShows checks that the report stands alone and holds the CSV's figures.
func requireReportShows(t *testing.T, r run, rows []map[string]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(r.folder, "report.html"))
	require.NoError(t, err)
	for _, row := range rows {
		for _, column := range []string{"op_rate", "latency_median_ms", "latency_p95_ms", "latency_p999_ms"} {
			assert.True(t, strings.Contains(string(page), row[column]), "the report shows %s=%s of %s %s", column, row[column], row["server"], row["operation"])
		}
	}
	for _, remote := range []string{`src="http`, `href="http`, `@import`} {
		assert.NotContains(t, string(page), remote, "the report needs no network")
	}
}
