package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	apiclock "ringside.dev/ringside/operators/internal/meter/clock"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Releases installs and removes stores.
type Releases interface {
	Status(ctx context.Context, name string) (storechart.ReleaseStatus, error)
	Install(ctx context.Context, order storechart.Order) error
	Uninstall(ctx context.Context, name string) error
}

// Reconciler runs experiments, one step at a time.
type Reconciler struct {
	// Client reads from the cache, Reader from the API server.
	Client   client.Client
	Reader   client.Reader
	Releases Releases
	Logs     Logs
	// Catalogue has the store charts that the operator carries.
	Catalogue storechart.Catalogue
	// Loads has the schemas of the orders of our load images. Without them, orders are not checked.
	Loads  loadgen.Catalogue
	Images storechart.Images
	// MeterImage is the operator's own image. It contains meter for load pods and the fault helper for store pods.
	MeterImage string
	// SeesOtherNamespaces reports whether the operator may list Experiments of other namespaces, to find runs on the
	// same nodes.
	SeesOtherNamespaces bool
	Recorder            events.EventRecorder
	Clock               clock.PassiveClock
	// APIClock estimates the offset of the operator's clock to the API server's; nil: unknown.
	APIClock func() apiclock.Estimate
	// NewSeed draws the seed of an experiment that sets none.
	NewSeed func() int64

	// refusals are the rejections that runs wait out. One run is reconciled at a time.
	refusals refusals
	pace     pace
	plans    lastPlan
}

// Reconcile takes one step of one experiment.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	experiment := &v1beta1.Experiment{}
	if err := r.Client.Get(ctx, request.NamespacedName, experiment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	began := time.Now()
	o, err := r.observe(ctx, experiment)
	if err != nil {
		return ctrl.Result{}, err
	}
	next := nextStep(o)
	r.pace.took(began, time.Now())
	log.FromContext(ctx).V(verbosity(next)).Info(next.String())
	result, err := next.do(ctx, r, o)
	switch {
	case err == nil:
		r.refusals.over(experiment.UID)
		return result, nil
	case apierrors.IsConflict(err):
		// The decision was made on stale objects: decide again.
		return ctrl.Result{RequeueAfter: 50 * time.Millisecond}, nil
	}
	return r.refused(ctx, o, err)
}

func verbosity(s step) int {
	if _, is := s.(repeated); is {
		return 1
	}
	return 0
}

func (r *Reconciler) event(object client.Object, kind, reason, action, message string) {
	r.Recorder.Eventf(object, nil, kind, reason, action, "%s", shortened(message))
}

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
)
