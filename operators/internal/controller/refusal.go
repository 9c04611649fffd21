package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// mendOf a refusal that asking again cannot lift; empty when err is none.
func mendOf(err error) string {
	status := apierrors.APIStatus(nil)
	isStatus := errors.As(err, &status)
	switch {
	case meta.IsNoMatchError(err):
		return "install what serves that kind, or take it out of the chart"
	case err != nil && strings.Contains(err.Error(), "etcdserver: request is too large"),
		isStatus && apierrors.IsRequestEntityTooLargeError(err):
		return "the object is larger than the cluster takes; ask for less in one run (fewer servers, shorter phases)"
	case !isStatus:
		return ""
	case apierrors.IsForbidden(err):
		return "grant the operator's Role that right, or raise the quota or relax the policy that the message names, and start a new run"
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return "correct the field that the message names, in the document or in the store's values, and start a new run"
	case apierrors.IsMethodNotSupported(err), apierrors.IsNotAcceptable(err), apierrors.IsUnsupportedMediaType(err):
		return "operator and cluster do not fit together; install the CRDs and the operator of one version"
	}
	return ""
}

// refused handles an error of a step. A refusal for good ends the run, so that it holds neither its store nor the queue; one
// that meets a run which is being ended is told, and tried again, because what is left of the run would disturb the next.
// Other errors are the queue's, to be tried again.
func (r *Reconciler) refused(ctx context.Context, o observed, err error) error {
	mend := mendOf(err)
	if mend == "" {
		return err
	}
	message := fmt.Sprintf("the API server refuses what the run needs: %s; %s", shortened(err.Error()), mend)
	ending := o.experiment.DeletionTimestamp != nil || o.experiment.Status.FinishedAt != nil ||
		meta.IsStatusConditionTrue(o.experiment.Status.Conditions, v1alpha1.ConditionFailed)
	if !ending {
		_, err = failRun{reason: v1alpha1.ReasonAPIRefused, message: message}.do(ctx, r, o)
		return err
	}
	r.event(o.experiment, warning, v1alpha1.ReasonAPIRefused, "Remove", message)
	told := r.report(ctx, o, progress{reason: v1alpha1.ReasonRemovingStore, message: message, current: "cannot be ended: " + message})
	return errors.Join(err, told)
}
