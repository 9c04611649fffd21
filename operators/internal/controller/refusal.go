package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// fixOf returns the fix of a rejection that a retry cannot resolve; empty if err is none.
func fixOf(err error) string {
	status := apierrors.APIStatus(nil)
	isStatus := errors.As(err, &status)
	switch {
	case meta.IsNoMatchError(err):
		return "install the CRD or the API that serves that kind, or remove it from the chart"
	case err != nil && strings.Contains(err.Error(), "etcdserver: request is too large"),
		isStatus && apierrors.IsRequestEntityTooLargeError(err):
		return "the object is larger than the cluster accepts; use a smaller run (fewer servers, shorter phases)"
	case !isStatus:
		return ""
	case apierrors.IsForbidden(err):
		return "grant the operator's Role that right, or change the quota or policy that the message names, and start a new run"
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return "correct the field that the message names, in the experiment file or in the store's values, and start a new run"
	case apierrors.IsMethodNotSupported(err), apierrors.IsNotAcceptable(err), apierrors.IsUnsupportedMediaType(err):
		return "operator and CRDs have different versions; install both of the same version"
	}
	return ""
}

// refusalPatience is how long a right may be missing: a restarted API server answers Forbidden until it has read its roles, and an upgrade of the
// chart replaces them.
const refusalPatience = 3 * time.Minute

// lasting reports whether a rejection is permanent until the cluster or the run changes. Only a missing right may
// return.
func lasting(err error) bool {
	if !apierrors.IsForbidden(err) {
		return true
	}
	message := strings.ToLower(err.Error())
	return slices.ContainsFunc([]string{"quota", "policy", "podsecurity", "admission webhook", "denied", " usage per "}, // the last is a LimitRange's
		func(word string) bool { return strings.Contains(message, word) })
}

// refused handles an error of a step. A permanent rejection ends the run, so that it blocks neither its store nor the queue; a missing right does
// so after some minutes. If the run is being ended, a rejection is reported and tried again, because remains of the run would disturb the
// next. Other errors are returned to the queue, to be tried again.
func (r *Reconciler) refused(ctx context.Context, o observed, err error) (ctrl.Result, error) {
	if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return removeFinalizer{}.do(ctx, r, o) // the API server knows before the cache does
	}
	fix := fixOf(err)
	if fix == "" {
		return ctrl.Result{}, err
	}
	message := fmt.Sprintf("the API server rejects an object that the run needs: %s; %s", shortened(err.Error()), fix)
	ending := o.experiment.DeletionTimestamp != nil || o.experiment.Status.FinishedAt != nil ||
		meta.IsStatusConditionTrue(o.experiment.Status.Conditions, v1beta1.ConditionFailed)
	if ending {
		r.event(o.experiment, warning, v1beta1.ReasonAPIRefused, "Remove", message)
		told := r.report(ctx, o, progress{reason: v1beta1.ReasonRemovingStore, message: message, current: "cannot be ended: " + message})
		return ctrl.Result{}, errors.Join(err, told)
	}
	since := r.refusals.since(o.experiment.UID, o.now)
	if !lasting(err) && o.now.Sub(since) < refusalPatience {
		until := since.Add(refusalPatience).UTC().Format(time.TimeOnly)
		told := r.report(ctx, o, progress{reason: v1beta1.ReasonAPIRefused, message: fmt.Sprintf("%s (tried again until %s)", message, until), current: "waiting for a right: " + message})
		return ctrl.Result{RequeueAfter: attentive}, told
	}
	return failRun{reason: v1beta1.ReasonAPIRefused, message: message}.do(ctx, r, o)
}

// refusals holds since when the API server rejects objects of each run. A new operator counts from its start: it may have got the right with it.
type refusals map[types.UID]time.Time

// since returns when the first rejection of a run was, which is now if there was none before.
func (r *refusals) since(run types.UID, now time.Time) time.Time {
	if *r == nil {
		*r = refusals{}
	}
	if _, there := (*r)[run]; !there {
		(*r)[run] = now
	}
	return (*r)[run]
}

// over notes that a step of the run was done.
func (r refusals) over(run types.UID) { delete(r, run) }
