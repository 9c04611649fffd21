package controller

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// step is what one Reconcile does. A decision returns it with all that it needs; do is its one effect. Each type is in the file of
// its stage.
type step interface {
	// do the step, through what the reconciler is connected to.
	do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error)
	// String names the step, for the log.
	String() string
}

// repeated steps are taken over and over until something else has happened: to the log they are details.
type repeated interface{ repeated() }

// again asks for the next step at once, for effects that no watch reports.
var again = ctrl.Result{RequeueAfter: time.Millisecond}

// nothing is left to do.
type nothing struct{}

func (nothing) String() string { return "do nothing" }

func (nothing) repeated() {}

func (nothing) do(context.Context, *Reconciler, observed) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

// progress is what a step tells people.
type progress struct {
	// reason and message of the Progressing condition; none leaves it as it is.
	reason  string
	message string
	// current is the status line.
	current string
}

// wait until something happens, and at the latest for so long.
type wait struct {
	progress
	after time.Duration
}

func (w wait) String() string { return "wait: " + w.message }

func (wait) repeated() {}

func (w wait) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: w.after}, r.report(ctx, o, w.progress)
}
