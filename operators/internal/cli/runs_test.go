package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// desk simulates a user: one cluster, and several commands one after the other.
type desk struct {
	t        *testing.T
	app      *App
	out, err bytes.Buffer
	signals  chan os.Signal
	// api is the cluster as the operator sees it; the commands see it with the errors that a test injects.
	api    client.WithWatch
	faults interceptor.Funcs
}

func newDesk(t *testing.T, operator simulated.Operator) *desk {
	t.Helper()
	work := t.TempDir()
	require.NoError(t, layOut(work))
	d := &desk{t: t, signals: make(chan os.Signal, 2)}
	c := simulated.NewClient()
	d.api = c
	operator.Client, operator.Step, operator.Clock = c, cmp.Or(operator.Step, 5*time.Millisecond), time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-ended)
	})
	d.app = &App{
		Out: &d.out, Err: &d.err, Width: func() int { return 80 }, Signals: d.signals, Tick: 10 * time.Millisecond,
		Now: func() time.Time { return time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC) },
		Connect: func(_, _, namespace string) (*runs.Cluster, error) {
			return runs.New(interceptor.NewClient(c, d.faults), namespace, "simulation"), nil
		},
	}
	t.Chdir(work)
	return d
}

func (d *desk) do(wantCode int, args ...string) (out, err string) {
	d.t.Helper()
	d.out.Reset()
	d.err.Reset()
	// A test that waits for a line that is not printed fails with what was printed.
	ctx, cancel := context.WithTimeout(d.t.Context(), 2*time.Minute)
	defer cancel()
	code := d.app.Main(ctx, args)
	require.NoError(d.t, ctx.Err(), "%v: %s", args, d.err.String())
	require.Equal(d.t, wantCode, code, "%v: %s", args, d.err.String())
	return d.out.String(), d.err.String()
}

func TestARunThatWasLeftGoingIsWatchedExportedAndReportedFromItsBundle(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	out, _ := d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	assert.Equal(t, "toy-20261121-001500\n", out)
	out, _ = d.do(exitDone, "watch")
	assert.Contains(t, out, "slow    write          1       1")
	out, _ = d.do(exitDone, "list")
	assert.Contains(t, out, "toy         20261121-001500  Finished         4        4        0  results/toy/20261121-001500                complete")

	out, _ = d.do(exitDone, "export")
	bundle := strings.TrimSpace(out)
	assert.Equal(t, filepath.Join("results", "toy", "20261121-001500", "toy-20261121-001500.tar.gz"), bundle)
	away := filepath.Join(t.TempDir(), "away.tar.gz")
	text, err := os.ReadFile(bundle)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(away, text, 0o600))
	out, _ = d.do(exitDone, "report", away)
	assert.Equal(t, strings.TrimSuffix(away, ".tar.gz")+".html\n", out)
	report, err := os.ReadFile(strings.TrimSpace(out))
	require.NoError(t, err)
	assert.Contains(t, string(report), "ringside run toy --server slow", "the command that repeats it")

	_, said := d.do(exitDone, "remove")
	assert.Contains(t, said, "removed; its 4 finished measurements are in results/toy/20261121-001500")
	_, said = d.do(exitBadInput, "watch")
	assert.Contains(t, said, "no such run in namespace ringside")
	out, _ = d.do(exitDone, "list")
	assert.Contains(t, out, "toy         20261121-001500  Finished         4        4        0  results/toy/20261121-001500                complete", "as it ended")
}

func TestCtrlCWhileWatchingLeavesTheRunGoing(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 1})
	d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	d.signals <- os.Interrupt
	_, said := d.do(exitInterrupted, "watch", "20261121-001500")
	assert.Contains(t, said, "the run continues: ringside watch 20261121-001500 follows it again")
	_, said = d.do(exitDone, "remove", "20261121-001500")
	assert.Contains(t, said, "removed;")
}

// A cluster that is temporarily unavailable has not rejected the document.
func TestOnlyARefusalIsBadInput(t *testing.T) {
	kind := schema.GroupResource{Group: v1beta1.GroupVersion.Group, Resource: "experiments"}
	for _, test := range []struct {
		name   string
		answer error
		code   int
	}{
		{"a refusal", apierrors.NewBadRequest("no such field"), exitBadInput},
		{"an error of the server's own", apierrors.NewInternalError(errors.New("etcd has no leader")), exitFailed},
		{"a server with too much to do", apierrors.NewTooManyRequests("try again", 1), exitFailed},
		{"no answer", errors.New("connection reset by peer"), exitUnavailable},
		{"a run of the same second", apierrors.NewAlreadyExists(kind, "toy"), exitBadInput},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, simulated.Operator{})
			d.faults.Create = func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error {
				return test.answer
			}
			_, said := d.do(test.code, "run", "toy")
			assert.Equal(t, test.code == exitBadInput, strings.Contains(said, "rejects the experiment"), said)
		})
	}
}

func TestGroupsRowsByServerThenByOperation(t *testing.T) {
	var rows []results.Row
	for _, round := range []int{1, 2} {
		for _, server := range []string{"slow", "quick"} {
			for _, operation := range []string{"write", "read"} {
				rows = append(rows, results.Row{Round: round, Server: server, Operation: operation})
			}
		}
	}
	var order []string
	for _, row := range byServer(rows, []string{"quick"}) { // slow is not in the document, so it comes after those that are
		order = append(order, fmt.Sprintf("%s %s %d", row.Server, row.Operation, row.Round))
	}
	assert.Equal(t, []string{
		"quick write 1", "quick write 2", "quick read 1", "quick read 2",
		"slow write 1", "slow write 2", "slow read 1", "slow read 2",
	}, order)
}

// The recorded command that repeats a run is entered in a shell: it must call make with the same arguments.
func TestTheMakefilesCommandRepeatsExactly(t *testing.T) {
	const args = `--set 'spec.description=what it'\''s for' --profile "a b"`
	for name, test := range map[string]struct {
		words, environment []string
		want               string
	}{
		"nothing was said": {nil, nil, "make experiment EXPERIMENT=cassandra-quorum"},
		"everything was": {
			[]string{"EXPERIMENT=cassandra-duet", "SERVER=disruptor, hsha", "VARY=a.b=1,2 c={x},{y}", "OPS=1000", "ROUNDS=60", "PRECISION=3%", "BUDGET=20m", "CLUSTER=current", "REGISTRY=registry.example/x", "ARGS=" + args}, nil,
			"make experiment EXPERIMENT=cassandra-duet SERVER='disruptor, hsha' VARY='a.b=1,2 c={x},{y}' OPS=1000 ROUNDS=60 PRECISION='3%' BUDGET=20m CLUSTER=current REGISTRY=registry.example/x ARGS=" + quote(args),
		},
		"by the environment": {nil, []string{"SERVER=hsha"}, "make experiment EXPERIMENT=cassandra-quorum SERVER=hsha"},
		"what make would expand": {[]string{"ARGS=--set 'spec.load.parameters.query=$$1 $$(date)'"}, nil,
			"make experiment EXPERIMENT=cassandra-quorum ARGS=" + quote("--set 'spec.load.parameters.query=$$1 $$(date)'")},
		"an empty variable": {[]string{"SERVER=", "OPS= 5 "}, nil, "make experiment EXPERIMENT=cassandra-quorum OPS=5"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, repeatedBy(t, "experiment", test.words, test.environment))
		})
	}
}

func TestTheCommandsOwnWordsRepeatExactly(t *testing.T) {
	words := []string{"run", "my files/a 'b' $c.yaml", "--server", "hsha, xedin", "--baseline", "xedin", "--vary", "a=1,{b: 2}", "--vary", "c=1,2", "--set", `spec.load.parameters.query=SELECT "a", 'b' WHERE k = $1; -- ü $(date) ~ \`, "--set", "", "--profile", "~/p.yaml",
		"--experiments", "other experiments", "--charts", "c", "--images", "i"}
	var flags runFlags
	cmd := (&App{}).runCommandOf(&flags)
	require.NoError(t, cmd.ParseFlags(words[1:]))
	printed, err := exec.Command("sh", "-c", "ringside() { printf '%s\\0' \"$@\"; }; "+flags.commandLine("ringside", cmd.Flags().Arg(0))).Output()
	require.NoError(t, err)
	var again runFlags
	repeated := (&App{}).runCommandOf(&again)
	require.NoError(t, repeated.ParseFlags(strings.Split(strings.TrimSuffix(string(printed), "\x00"), "\x00")[1:]))
	assert.Equal(t, cmd.Flags().Args(), repeated.Flags().Args())
	assert.Equal(t, flags.choices, again.choices)
}

func TestComparingTheServersIsARunThatEndsByItself(t *testing.T) {
	assert.Equal(t, "make experiment EXPERIMENT=cassandra-interleaved ROUNDS=60 PRECISION='3%' BUDGET=20m", repeatedBy(t, "compare-servers", nil, nil))
	assert.Equal(t, "make experiment EXPERIMENT=cassandra-interleaved SERVER=hsha,xedin ROUNDS=60 PRECISION='1.5%' BUDGET=40m",
		repeatedBy(t, "compare-servers", []string{"PRECISION=1.5%", "BUDGET=40m", "SERVER=hsha,xedin"}, nil))
}

// repeatedBy returns the recorded command of a run that make started. make only prints its commands; the test runs the
// one that starts the run.
func repeatedBy(t *testing.T, target string, words, environment []string) string {
	t.Helper()
	printed := filepath.Join(t.TempDir(), "words")
	program := filepath.Join(t.TempDir(), "ringside")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s\\0' \"$@\" >"+printed+"\n"), 0o755))
	make := exec.Command("make", append([]string{"--no-print-directory", "-C", "../../..", "-n", target, "RINGSIDE=" + program}, words...)...)
	for _, variable := range os.Environ() { // variables of a make that may run these tests
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "MAKE") && name != "MFLAGS" {
			make.Env = append(make.Env, variable)
		}
	}
	make.Env = append(make.Env, environment...)
	out, err := make.CombinedOutput()
	require.NoError(t, err, string(out))
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "exec "+program+" run ") {
			continue
		}
		require.NoError(t, exec.Command("bash", "-c", line).Run(), line)
		given, err := os.ReadFile(printed)
		require.NoError(t, err)
		var flags runFlags
		cmd := (&App{}).runCommandOf(&flags)
		require.NoError(t, cmd.ParseFlags(strings.Split(strings.TrimSuffix(string(given), "\x00"), "\x00")[1:]))
		return flags.commandLine("ringside", cmd.Flags().Arg(0))
	}
	require.Fail(t, "make starts no run", string(out))
	return ""
}

func TestVersionNamesTheReleaseTheCommitAndTheLibraries(t *testing.T) {
	built := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Deps: []*debug.Module{
		{Path: "helm.sh/helm/v4", Version: "v4.3.1"}, {Path: "k8s.io/api", Version: "v0.37.0"}, {Path: "k8s.io/client-go", Version: "v0.37.1"},
	}}
	installed := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.2.1"}}
	platform := "go1.26.8 " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for name, test := range map[string]struct {
		version, commit string
		info            *debug.BuildInfo
		want            string
	}{
		"a release":       {"0.2.0", "c0ffee", built, "ringside 0.2.0\ncommit c0ffee\nKubernetes client 0.37.1\nHelm 4.3.1\n" + platform},
		"a checkout":      {"", "", built, "ringside dev\nKubernetes client 0.37.1\nHelm 4.3.1\n" + platform},
		"by go install":   {"", "", installed, "ringside 0.2.1\n" + platform},
		"nothing on hand": {"", "", &debug.BuildInfo{}, "ringside dev\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			describe(&out, test.version, test.commit, test.info)
			assert.Equal(t, test.want, out.String())
		})
	}
}

// testdata/archives has one archive of each kind of experiment, whose figures commit f598315 wrote with simulated.Archive, and the CSV that its compare and
// table printed of it. Since then columns were added at the end only, and the manifests were rewritten for this version of the API.
func TestArchivesOfAnEarlierCommitHaveTheSameFigures(t *testing.T) {
	bundles, err := filepath.Glob("testdata/archives/*.tar.gz")
	require.NoError(t, err)
	require.Len(t, bundles, 4)
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, bundle := range bundles {
		bundle = filepath.Join(here, bundle)
		name := strings.TrimSuffix(bundle, ".tar.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			d := &desk{t: t}
			d.app = &App{Out: &d.out, Err: &d.err, Width: func() int { return 80 }, Now: time.Now}
			t.Chdir(t.TempDir())
			for _, verb := range []string{"compare", "table"} {
				printed, _ := d.do(exitDone, verb, bundle, "-o", "csv")
				text, err := os.ReadFile(name + "-" + verb + ".csv")
				require.NoError(t, err)
				want, got := csvOf(t, string(text)), csvOf(t, printed)
				require.Len(t, got, len(want), verb)
				for i := range want {
					require.GreaterOrEqual(t, len(got[i]), len(want[i]))
					for j, column := range want[0] {
						if column == compare.StatementColumn {
							continue // words for people, which repeat figures of other columns
						}
						assert.Equal(t, want[i][j], got[i][j], "%s, row %d: %s", verb, i, column)
					}
				}
			}
			d.do(exitDone, "report", bundle, "--out", "report.html")
			assert.FileExists(t, "report.html")
		})
	}
}

func csvOf(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return rows
}
