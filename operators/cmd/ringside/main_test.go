package main

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/charts"
	"ringside.dev/ringside/experiments"
	"ringside.dev/ringside/images"
	"ringside.dev/ringside/operators/internal/cli"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart"
)

const house = "../../../"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ringside": main, "kubectl-ringside": main, "authorities": authorities})
}

// authorities prints whether the program knows any authority that certifies servers.
func authorities() {
	pool, err := x509.SystemCertPool()
	fmt.Println(err == nil && !pool.Equal(x509.NewCertPool()))
}

// Runs the program in folders that have nothing of the repository.
func TestTheProgramNeedsNoCheckout(t *testing.T) {
	recorded := recordedRun(t)
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireExplicitExec: true, Setup: func(env *testscript.Env) error {
		env.Setenv("HOME", filepath.Join(env.WorkDir, "home")) // without a kubeconfig
		env.Setenv("KUBECONFIG", "")
		return os.CopyFS(filepath.Join(env.WorkDir, "recorded"), os.DirFS(recorded))
	}})
}

// recordedRun returns the results folder of a run on a simulated cluster.
func recordedRun(t *testing.T) string {
	t.Helper()
	const toys = house + "operators/internal/document/testdata"
	results := t.TempDir()
	c := simulated.NewClient()
	operator := &simulated.Operator{Client: c, Step: time.Millisecond, Clock: time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- operator.Run(ctx) }()
	var printed strings.Builder
	app := &cli.App{Out: io.Discard, Err: &printed, Now: time.Now, Tick: 10 * time.Millisecond, Width: func() int { return 80 }, BuiltIn: cli.BuiltIn{Charts: charts.Files},
		Connect: func(_, _, namespace string) (*runs.Cluster, error) {
			return runs.New(c, namespace, "simulation"), nil
		}}
	assert.Zero(t, app.Main(ctx, []string{"run", "toy", "--server", "quick,slow", "--ops", "1200", "--experiments", toys, "--charts", toys + "/charts", "--results", results}), &printed)
	cancel()
	require.NoError(t, <-ended)
	return results
}

// go install of a module ignores, and rejects, a replace directive: what it builds would be another program, or none.
func TestTheModuleCanBeInstalledByItsPath(t *testing.T) {
	text, err := os.ReadFile(house + "go.mod")
	require.NoError(t, err)
	assert.NotRegexp(t, `(?m)^(replace|exclude)\b`, string(text))
}

func TestAllStoresAndLoadsAreBuiltIn(t *testing.T) {
	stores, err := storechart.NewCatalogue(house + "charts").Stores()
	require.NoError(t, err)
	builtIn := storechart.CatalogueOf(source.BuiltIn(charts.Files))
	names, err := builtIn.Stores()
	require.NoError(t, err)
	assert.Equal(t, stores, names)
	for _, name := range names {
		chart, err := builtIn.Open(name)
		require.NoError(t, err)
		assert.Equal(t, "built in", chart.Where())
	}
	loads, err := loadgen.NewCatalogue(house + "images").Loads()
	require.NoError(t, err)
	names, err = loadgen.CatalogueOf(source.BuiltIn(images.Loads)).Loads()
	require.NoError(t, err)
	assert.Equal(t, loads, names)
}

// An experiment that passes its checks in a checkout passes them without one, too.
func TestAllBuiltInExperimentsPassTheirChecksInAnEmptyFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	files, err := fs.Glob(experiments.Files, "*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		var printed strings.Builder
		app := &cli.App{Out: io.Discard, Err: &printed, BuiltIn: builtIn()}
		assert.Zero(t, app.Main(t.Context(), []string{"check", strings.TrimSuffix(file, ".yaml")}), &printed)
	}
}
