package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/internal/archive/depot/s3fake"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// The scripts run the command line in its own process, with a cluster and an operator in memory. SIM_* variables
// configure that operator; the runs end with the process.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ringside": simulatedMain})
}

func TestScripts(t *testing.T) {
	storage := s3fake.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			for name, value := range storage.Environment() {
				env.Setenv(name, value)
			}
			return layOut(env.WorkDir)
		},
	})
}

// layOut writes the charts that local checks read: the toy store and the real CRDs.
func layOut(work string) error {
	for from, to := range map[string]string{
		"../document/testdata/charts/toystore": "charts/toystore",
		"../../../charts/ringside/files/crds":  "charts/ringside/files/crds",
		"../document/testdata/toy.yaml":        "experiments/toy.yaml",
	} {
		if err := copyTree(from, filepath.Join(work, to)); err != nil {
			return err
		}
	}
	return nil
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
}

func simulatedMain() {
	ctx, cancel := context.WithCancel(context.Background())
	c := simulated.NewClient()
	operator := &simulated.Operator{
		Client: c, Step: 10 * time.Millisecond, Clock: time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC),
		FailAfter: setting("SIM_FAIL_AFTER"), HangAfter: setting("SIM_HANG_AFTER"), InvalidAt: setting("SIM_INVALID_AT"),
	}
	go func() {
		if err := operator.Run(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "simulated operator:", err)
			os.Exit(70)
		}
	}()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	begun := sync.OnceValue(time.Now) // from the first use of the clock, whatever the start of the process took: the time names the run
	commands := client.WithWatch(c)
	if setting("SIM_HANG_ON_STOP") > 0 {
		commands = interceptor.NewClient(c, interceptor.Funcs{Patch: hangOnStop})
	}
	app := &App{
		Out: os.Stdout, Err: os.Stderr, Width: func() int { return 80 }, Signals: signals, Tick: 20 * time.Millisecond,
		Terminal: setting("SIM_TERMINAL") > 0, Make: os.Getenv("RINGSIDE_MAKE"),
		Now: func() time.Time {
			return time.Date(2026, 11, 21, 0, 15+setting("SIM_MINUTES_LATER"), 0, 0, time.UTC).Add(time.Since(begun()))
		},
		Config: runs.Config,
		Connect: func(kubeconfig, contextName, namespace string) (*runs.Cluster, error) {
			if os.Getenv("SIM_NO_CLUSTER") != "" {
				return runs.Connect(kubeconfig, contextName, namespace)
			}
			return runs.New(commands, namespace, "simulation"), nil
		},
	}
	code := app.Main(ctx, os.Args[1:])
	cancel()
	os.Exit(code)
}

// hangOnStop never answers the request to suspend a run, and writes a file once it was sent.
func hangOnStop(ctx context.Context, _ client.WithWatch, _ client.Object, _ client.Patch, _ ...client.PatchOption) error {
	if err := os.WriteFile("stopping", nil, 0o600); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

func setting(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return 0
	}
	return value
}
