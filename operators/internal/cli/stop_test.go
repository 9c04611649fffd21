package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

const (
	toyRun    = "20261121-001500"
	toyName   = "toy-" + toyRun
	toyFolder = "results/toy/" + toyRun
)

func (d *desk) experiment() *v1beta1.Experiment {
	d.t.Helper()
	var e v1beta1.Experiment
	require.NoError(d.t, d.api.Get(d.t.Context(), client.ObjectKey{Namespace: simulated.Namespace, Name: toyName}, &e))
	return &e
}

// started starts a run and waits until it has finished the given number of measurements.
func (d *desk) started(finished int32) {
	d.t.Helper()
	d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	require.Eventually(d.t, func() bool { return d.experiment().Status.Finished >= finished }, time.Minute, time.Millisecond)
}

// hanging starts a run and waits until it hangs in a measurement after the given number of finished ones.
func (d *desk) hanging(finished int) {
	d.t.Helper()
	d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	require.Eventually(d.t, func() bool { return len(d.measurements()) == finished+1 }, time.Minute, time.Millisecond)
}

func (d *desk) measurements() []v1beta1.Measurement {
	var all v1beta1.MeasurementList
	require.NoError(d.t, d.api.List(d.t.Context(), &all))
	return all.Items
}

func (d *desk) exportedRows() int {
	d.t.Helper()
	run, err := archive.Read(toyFolder)
	require.NoError(d.t, err)
	return len(run.Rows)
}

// As the account of nightly runs, which may not list Deployments and so cannot know that there is no operator.
func TestARunThatNoOperatorAcceptsEnds(t *testing.T) {
	d := newDesk(t, simulated.Operator{Deaf: true})
	d.faults.List = func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
		if _, is := list.(*appsv1.DeploymentList); is {
			return apierrors.NewForbidden(appsv1.Resource("deployments"), "", nil)
		}
		return c.List(ctx, list, opts...)
	}
	calls, begun := 0, d.app.Now()
	d.app.Now = func() time.Time { calls++; return begun.Add(time.Duration(calls-1) * 20 * time.Second) }
	_, said := d.do(exitUnavailable, "run", "toy", "--server", "slow")
	assert.Equal(t, 1, strings.Count(said, "the operator has not accepted the run after 30s: see kubectl logs "), said)
	assert.Contains(t, said, "ringside: following run "+toyRun+": no operator accepted it within 5m0s: see kubectl logs ")
	assert.Contains(t, said, "the run is stopped: ringside resume "+toyRun+" resumes it, ringside remove "+toyRun+" removes it [OperatorUnavailable]\n")
	assert.True(t, d.experiment().Spec.Suspend, "an operator that comes later does not start it")
	_, said = d.do(exitUnavailable, "watch")
	assert.Contains(t, said, "ringside watch "+toyRun+" follows it again [OperatorUnavailable]\n")
}

// Whatever prevents the export of results, they stay in the cluster.
func TestNothingIsRemovedThatCouldNotBeExported(t *testing.T) {
	refuse := errors.New("the API server does not answer")
	listFails := interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
		if _, is := list.(*v1beta1.MeasurementList); is {
			return refuse
		}
		return c.List(ctx, list, opts...)
	}}
	logTimesOut := interceptor.Funcs{Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
		if _, is := object.(*corev1.ConfigMap); is {
			return context.DeadlineExceeded
		}
		return c.Get(ctx, key, object, opts...)
	}}
	diskIsFull := func() { // a file in place of the folder blocks even root
		require.NoError(t, os.MkdirAll(toyFolder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(toyFolder, "hlog"), nil, 0o600))
	}
	for name, test := range map[string]struct {
		faults interceptor.Funcs
		before func()
		said   string
	}{
		"the measurements cannot be listed": {listFails, func() {}, "its measurements could not be read: "},
		"a log cannot be read in time":      {logTimesOut, func() {}, "could not be exported: reading log "},
		"the disk takes nothing":            {interceptor.Funcs{}, diskIsFull, "could not be exported: creating the folder of " + toyFolder + "/hlog/"},
	} {
		for _, command := range []string{"remove " + toyRun, "stop", "Ctrl-C"} {
			t.Run(name+", "+command, func(t *testing.T) {
				d := newDesk(t, simulated.Operator{HangAfter: 2})
				d.hanging(2)
				d.faults = test.faults
				test.before()
				var said string
				if command == "Ctrl-C" {
					d.signals <- os.Interrupt
					_, said = d.do(exitFailed, "run", "--resume", toyRun)
				} else {
					_, said = d.do(exitFailed, strings.Fields(command)...)
				}
				assert.Contains(t, said, test.said)
				assert.Contains(t, said, "nothing was removed: ringside ")
				assert.Contains(t, said, "tries again")
				e := d.experiment()
				assert.Nil(t, e.DeletionTimestamp)
				assert.True(t, e.Spec.Suspend)
				assert.Len(t, d.measurements(), 3)
			})
		}
	}
}

func TestRemoveWithForceRemovesWhatCannotBeExported(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2})
	d.started(2)
	require.NoError(t, os.MkdirAll(toyFolder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(toyFolder, "hlog"), nil, 0o600))
	_, said := d.do(exitDone, "remove", toyRun, "--force")
	assert.Contains(t, said, "removing anyway, because of --force: ")
	_, said = d.do(exitBadInput, "watch")
	assert.Contains(t, said, "no such run")
}

// A phase ends between the export and the removal: its result is exported too.
func TestWhatIsFinishedJustBeforeTheRemovalIsExportedToo(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 1})
	d.hanging(1)
	var late atomic.Bool
	d.faults = interceptor.Funcs{Delete: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.DeleteOption) error {
		if late.CompareAndSwap(false, true) {
			d.finishTheHangingOne(ctx)
		}
		return c.Delete(ctx, object, opts...)
	}}
	_, said := d.do(exitDone, "remove", toyRun)
	assert.Contains(t, said, "removed; its 2 finished measurements")
	assert.Equal(t, 2, d.exportedRows())
}

func (d *desk) finishTheHangingOne(ctx context.Context) {
	all := d.measurements()
	for i := range all {
		m := &all[i]
		if m.Status.Result == nil {
			_, err := simulated.Finish(m, time.Date(2026, 11, 21, 0, 30, 0, 0, time.UTC))
			require.NoError(d.t, err)
			require.NoError(d.t, d.api.Status().Update(ctx, m))
		}
	}
	require.NoError(d.t, retry.RetryOnConflict(retry.DefaultRetry, func() error { // retried because the operator writes meanwhile
		e := d.experiment()
		e.Status.Finished++
		return d.api.Status().Update(ctx, e)
	}))
}

func TestAStoppedRunGoesOnToItsEnd(t *testing.T) {
	for _, resume := range [][]string{{"resume"}, {"resume", toyRun}, {"run", "--resume", toyRun}} {
		t.Run(resume[0], func(t *testing.T) {
			d := newDesk(t, simulated.Operator{Step: 20 * time.Millisecond})
			d.started(1)
			_, said := d.do(exitDone, "stop")
			assert.Contains(t, said, "of 4 measurements are finished and exported to "+toyFolder+
				"; the run is stopped and keeps its store: ringside resume "+toyRun+" resumes it, ringside remove "+toyRun+" removes both")
			out, _ := d.do(exitDone, "list")
			assert.Regexp(t, `toy +`+toyRun+` +Suspended .* ringside resume `+toyRun+` +complete`, out)
			_, said = d.do(exitBadInput, "run", "toy")
			assert.Contains(t, said, "run "+toyName+" is stopped and keeps its store, so no other run can start: ringside resume "+toyRun+" resumes it, ringside remove "+toyRun)

			_, said = d.do(exitDone, resume...)
			assert.Contains(t, said, "resuming run "+toyRun)
			assert.False(t, d.experiment().Spec.Suspend)
			assert.Equal(t, 4, d.exportedRows())
			out, _ = d.do(exitDone, "list")
			assert.NotContains(t, out, "ringside resume")
			_, said = d.do(exitBadInput, "resume")
			assert.Contains(t, said, "no run to resume")
		})
	}
}

func TestAfterCtrlCTheRunGoesOn(t *testing.T) {
	d := newDesk(t, simulated.Operator{Step: 20 * time.Millisecond})
	d.started(1)
	d.signals <- os.Interrupt
	_, said := d.do(exitInterrupted, "resume")
	assert.Regexp(t, `interrupted: \d of 4 measurements are finished and exported to `+toyFolder+`; the run is stopped and keeps its store: ringside resume `, said)
	assert.True(t, d.experiment().Spec.Suspend)
	d.do(exitDone, "resume")
	assert.Equal(t, 4, d.exportedRows())
}

// As if the command had been killed after it suspended the run.
func TestASuspendedRunThatNobodyFollowsShowsHowToGoOn(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 1})
	d.hanging(1)
	d.app.Make = "make CLUSTER=current"
	require.NoError(t, runs.New(d.api, simulated.Namespace, "simulation").Suspend(t.Context(), d.experiment()))
	out, _ := d.do(exitDone, "list")
	assert.Regexp(t, `InstallingStore .* make CLUSTER=current resume RUN=`+toyRun, out)
	d.signals <- os.Interrupt
	_, said := d.do(exitInterrupted, "watch")
	assert.NotContains(t, said, "ringside resume")
	d.signals <- os.Interrupt
	_, said = d.do(exitInterrupted, "resume", "--results", "else where")
	assert.Contains(t, said, "make CLUSTER=current resume RUN="+toyRun+" ARGS='--results '\\''else where'\\''' resumes the run")
}

func TestCtrlCEndsACommandThatWaits(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 1, KeepStore: true})
	d.started(1)
	go func() {
		for d.experiment().DeletionTimestamp.IsZero() {
			time.Sleep(time.Millisecond)
		}
		d.signals <- os.Interrupt
	}()
	_, said := d.do(exitInterrupted, "remove", toyRun)
	assert.Contains(t, said, "interrupted: the run could not be removed (context canceled); still in the cluster: experiment "+toyName)
}

// F10: a run that was asked to stop has not stopped yet.
func TestStopWaitsForTheMeasurementUnderWayAndExportsIt(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2})
	d.hanging(2)
	_, said := d.do(exitDone, "stop", "--timeout", "0s")
	assert.Contains(t, said, "2 of 4 measurements are finished and exported to "+toyFolder+"; the run stops after: installing store; ringside stop "+toyRun+" waits for that")
	assert.NotContains(t, said, "is stopped")
	_, said = d.do(exitFailed, "stop", "--timeout", "50ms")
	assert.Contains(t, said, "waiting until the run has stopped: timeout after 50ms; 2 of 4 measurements")

	d.app.Err = &listener{to: &d.err, word: "the run stops after", then: func() { d.finishTheHangingOne(t.Context()) }}
	_, said = d.do(exitDone, "stop")
	assert.Contains(t, said, "3 of 4 measurements are finished and exported to "+toyFolder+"; the run is stopped and keeps its store: ")
	assert.Equal(t, 3, d.exportedRows())
}

func TestCtrlCEndsTheWaitForAStop(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 1})
	d.hanging(1)
	d.app.Err = &listener{to: &d.err, word: "the run stops after", then: func() { d.signals <- os.Interrupt }}
	_, said := d.do(exitInterrupted, "stop")
	assert.Contains(t, said, "1 of 4 measurements are finished and exported to "+toyFolder+"; the run stops after: installing store")
}

// listener calls a function once a text was printed.
type listener struct {
	to   io.Writer
	word string
	then func()
	once sync.Once
}

func (l *listener) Write(text []byte) (int, error) {
	n, err := l.to.Write(text)
	if strings.Contains(string(text), l.word) {
		l.once.Do(l.then)
	}
	return n, err
}

// F2: the follower's output matches the state in the cluster.
func TestAFollowedRunThatCannotGoOnIsNotCalledStopped(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2})
	d.hanging(2)
	var once sync.Once
	d.faults.Watch = func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error) {
		once.Do(func() { // the operator disappears once the run is followed
			assert.NoError(t, d.api.DeleteAllOf(ctx, &appsv1.Deployment{}, client.InNamespace(simulated.Namespace)))
		})
		return c.Watch(ctx, list, opts...)
	}
	d.app.Err = &listener{to: &d.err, word: "the run is blocked: the operator is not installed on simulation; its finished measurements are in " + toyFolder,
		then: func() { d.signals <- os.Interrupt }}
	_, said := d.do(exitInterrupted, "resume")
	assert.Contains(t, said, "2 of 4 measurements are finished and exported to "+toyFolder+
		"; the run was asked to stop, but the operator is not installed on simulation: its objects stay in the cluster, and ringside watch "+toyRun+" shows its state")
	assert.NotContains(t, said, "the run is stopped")
	assert.Equal(t, 2, d.exportedRows())
}

func TestAMeasurementThatIsDeletedAfterItWasExportedStaysExported(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2})
	d.hanging(2)
	go func() {
		// Both must be exported; the run need not count both: the follower's watch of measurements may lag.
		for run, err := archive.Read(toyFolder); err != nil || len(run.Rows) < 2; run, err = archive.Read(toyFolder) {
			time.Sleep(time.Millisecond)
		}
		all := d.measurements()
		at := slices.IndexFunc(all, func(m v1beta1.Measurement) bool { return m.Status.Result != nil })
		assert.NoError(t, d.api.Delete(t.Context(), &all[at]))
		d.signals <- os.Interrupt
	}()
	d.do(exitInterrupted, "resume")
	assert.Equal(t, 2, d.exportedRows())
	out, _ := d.do(exitDone, "table")
	assert.Equal(t, 2, strings.Count(out, "\nslow "))
}

func TestAFollowedRunThatIsDeletedIsReported(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2, KeepStore: true})
	d.hanging(2)
	d.app.Err = &listener{to: &d.err, word: " of 4 ", then: func() { assert.NoError(t, d.api.Delete(t.Context(), d.experiment())) }}
	go func() {
		for d.experiment().DeletionTimestamp.IsZero() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond) // the follower processes it meanwhile
		d.signals <- os.Interrupt
	}()
	_, said := d.do(exitInterrupted, "resume")
	assert.Contains(t, said, "the run is being deleted by someone else: its finished measurements are exported as long as they can be read")
	assert.Contains(t, said, "2 of 4 measurements are finished and exported to "+toyFolder+"; the run is being deleted, with its store and its unfinished measurements")
	assert.NotContains(t, said, "is stopped")
}

// F13: a run that was not named may be another user's.
func TestRemoveWithoutANameTakesAFinishedRunOrAsks(t *testing.T) {
	d := newDesk(t, simulated.Operator{HangAfter: 2})
	d.hanging(2)
	_, said := d.do(exitBadInput, "remove")
	assert.Contains(t, said, "no run given, and run "+toyName+" has not ended (InstallingStore, 2 of 4 measurements): name the run to remove: ringside remove "+toyRun+" (InstallingStore)")
	assert.False(t, d.experiment().Spec.Suspend, "it goes on")

	var asked string
	d.app.Ask = func(question string) bool { asked = question; return false }
	_, said = d.do(exitBadInput, "remove")
	assert.Equal(t, "run "+toyName+" has not ended (InstallingStore, 2 of 4 measurements); remove it and its store?", asked)
	assert.Contains(t, said, "nothing was removed")
	assert.Nil(t, d.experiment().DeletionTimestamp)
	d.app.Ask = func(string) bool { return true }
	_, said = d.do(exitDone, "remove")
	assert.Contains(t, said, "removed; its 2 finished measurements")
}

func TestOnlyYesIsYes(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "Yes\n": true, "yes": true, "\n": false, "": false, "n\n": false, "yep\n": false} {
		var out strings.Builder
		assert.Equal(t, want, Confirm(strings.NewReader(answer), &out, "remove it?"), "%q", answer)
		assert.Contains(t, out.String(), "remove it? [y/N] ")
	}
}
