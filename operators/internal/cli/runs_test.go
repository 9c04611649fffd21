package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
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
