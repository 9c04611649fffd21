package controller

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// step is the effect of one Reconcile. A decision returns it with all its input. Each type is in the file of its stage.
type step interface {
	// do performs the step.
	do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error)
	// String names the step in the log.
	String() string
}

// repeated steps repeat until something changes. The log shows them only at a higher verbosity.
type repeated interface{ repeated() }

// again requeues at once, after effects that no watch reports.
var again = ctrl.Result{RequeueAfter: time.Millisecond}

// nothing is the step of a run that needs no action.
type nothing struct{}

func (nothing) String() string { return "do nothing" }

func (nothing) repeated() {}

func (nothing) do(context.Context, *Reconciler, observed) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

// progress is what a step reports to users.
type progress struct {
	// reason and message are those of the Progressing condition; an empty reason leaves it unchanged.
	reason  string
	message string
	// current is the status line.
	current string
}

// wait requeues when something changes, at the latest after the given time.
type wait struct {
	progress
	after time.Duration
}

func (w wait) String() string { return "wait: " + w.message }

func (wait) repeated() {}

func (w wait) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: w.after}, r.report(ctx, o, w.progress)
}
