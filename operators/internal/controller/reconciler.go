package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/release"
)

// Releases installs and removes stores.
type Releases interface {
	Status(ctx context.Context, name string) (release.Status, error)
	Install(ctx context.Context, order release.Order) error
	Uninstall(ctx context.Context, name string) error
}

// Reconciler runs experiments, one step at a time.
type Reconciler struct {
	// Client reads from the cache, Reader from the API server itself.
	Client   client.Client
	Reader   client.Reader
	Releases Releases
	Logs     Logs
	// Catalogue of the store charts that the operator carries.
	Catalogue release.Catalogue
	Images    release.Images
	// MeterImage brings meter into load pods: the operator's own image.
	MeterImage string
	Recorder   events.EventRecorder
	Clock      clock.PassiveClock
	// NewSeed draws the seed of an experiment that names none.
	NewSeed func() int64
}

// Reconcile takes one step of one experiment.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	experiment := &v1alpha1.Experiment{}
	if err := r.Client.Get(ctx, request.NamespacedName, experiment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	o, err := r.observe(ctx, experiment.DeepCopy())
	if err != nil {
		return ctrl.Result{}, err
	}
	next := nextStep(o)
	if next.action != doNothing {
		log.FromContext(ctx).V(verbosity(next.action)).Info(string(next.action), "store", next.store.Release, "cell", next.cell.Name, "message", next.message)
	}
	result, err := r.do(ctx, o, next)
	switch {
	case err == nil:
		return result, nil
	case apierrors.IsConflict(err):
		// Decided on objects that have moved on: decide again.
		return ctrl.Result{RequeueAfter: 50 * time.Millisecond}, nil
	}
	return again, r.refused(ctx, o, err)
}

// verbosity of steps that are taken over and over until something else has happened is that of details.
func verbosity(a action) int {
	switch a {
	case wait, awaitStoreReturned, clearRemains, removeStore:
		return 1
	default:
		return 0
	}
}

// again asks for the next step at once, for effects that no watch reports.
var again = ctrl.Result{RequeueAfter: time.Millisecond}

// do is the effect of a step.
func (r *Reconciler) do(ctx context.Context, o observed, next step) (ctrl.Result, error) {
	if unguarded(next.action) {
		if err := r.confirm(ctx, o, next); err != nil {
			return ctrl.Result{}, err
		}
	}
	switch next.action {
	case doNothing:
		return ctrl.Result{}, nil
	case addFinalizer:
		return again, r.setFinalizer(ctx, o.experiment, true)
	case dropFinalizer:
		return ctrl.Result{}, client.IgnoreNotFound(r.setFinalizer(ctx, o.experiment, false))
	case acceptSpec:
		return again, r.accept(ctx, o)
	case recordSpec:
		return again, r.recordSpec(ctx, o)
	case takeMachine:
		return again, r.takeMachine(ctx, o)
	case wait:
		return ctrl.Result{RequeueAfter: next.after}, r.report(ctx, o, next)
	case recordStore:
		return again, r.recordStore(ctx, o, next)
	case installStore:
		return again, r.install(ctx, o, next)
	case clearRemains:
		return r.clearRemains(ctx, o, next)
	case awaitStoreReturned:
		return ctrl.Result{RequeueAfter: next.after}, r.reportUnready(ctx, o, next)
	case proveStore:
		return r.prove(ctx, o, next)
	case createMeasurement:
		return again, r.createMeasurement(ctx, o, next)
	case beginAttempt:
		return again, r.beginAttempt(ctx, o, next)
	case createJob:
		return ctrl.Result{RequeueAfter: attentive}, r.createJob(ctx, o, next)
	case announceStart:
		return r.announceStart(ctx, o, next)
	case collectResult:
		return again, r.collect(ctx, o, next)
	case giveUpAttempt:
		return again, r.giveUp(ctx, o, next)
	case stopLoad:
		return ctrl.Result{RequeueAfter: attentive}, r.stopLoad(ctx, o, next)
	case removeStore:
		return r.remove(ctx, o, next)
	case failExperiment:
		return again, r.fail(ctx, o, next)
	case finishExperiment:
		return ctrl.Result{}, r.finish(ctx, o)
	}
	return ctrl.Result{}, fmt.Errorf("no effect for step %q", next.action)
}

func (r *Reconciler) setFinalizer(ctx context.Context, experiment *v1alpha1.Experiment, present bool) error {
	before := experiment.DeepCopy()
	if present {
		controllerutil.AddFinalizer(experiment, v1alpha1.Finalizer)
	} else {
		controllerutil.RemoveFinalizer(experiment, v1alpha1.Finalizer)
	}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Patch(ctx, experiment, patch); err != nil {
		return fmt.Errorf("patch the finalizer of experiment %s: %w", experiment.Name, err)
	}
	return nil
}

func (r *Reconciler) event(object client.Object, kind, reason, action, message string) {
	r.Recorder.Eventf(object, nil, kind, reason, action, "%s", shortened(message))
}

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
)
