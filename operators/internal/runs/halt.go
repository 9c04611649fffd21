package runs

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Suspend makes the run stop before its next phase, and updates e.
func (c *Cluster) Suspend(ctx context.Context, e *v1beta1.Experiment) error {
	return c.setSuspend(ctx, e, true)
}

// Resume resumes a suspended run, and updates e.
func (c *Cluster) Resume(ctx context.Context, e *v1beta1.Experiment) error {
	return c.setSuspend(ctx, e, false)
}

func (c *Cluster) setSuspend(ctx context.Context, e *v1beta1.Experiment, suspend bool) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"suspend":%t}}`, suspend))
	return c.explain(c.client.Patch(ctx, e, patch))
}

// MarkExported records on a finished run that it was exported completely, in its final state. It does nothing for a
// user who may only read.
func (c *Cluster) MarkExported(ctx context.Context, e *v1beta1.Experiment) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`,
		v1beta1.AnnotationExportedEnd, v1beta1.ExportMark(*e.Status.FinishedAt)))
	err := c.client.Patch(ctx, e, patch)
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return nil
	}
	return c.explain(err)
}

// Refresh updates e.
func (c *Cluster) Refresh(ctx context.Context, e *v1beta1.Experiment) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return c.explain(c.client.Get(ctx, client.ObjectKeyFromObject(e), e))
}

// Suspended reports whether a run was asked to stop and has not ended.
func Suspended(e *v1beta1.Experiment) bool {
	return e.Spec.Suspend && e.Status.FinishedAt == nil && e.DeletionTimestamp.IsZero()
}

// Holding returns the suspended run that keeps others from starting because it has its store; nil if there is none.
func Holding(all []v1beta1.Experiment) *v1beta1.Experiment {
	for i := range all {
		if Suspended(&all[i]) && all[i].Status.StartedAt != nil {
			return &all[i]
		}
	}
	return nil
}

// Resumable returns the run to resume if none is named: the latest suspended one, else the latest that has not ended;
// nil if there is none. The runs must be ordered from old to new.
func Resumable(all []v1beta1.Experiment) *v1beta1.Experiment {
	var found *v1beta1.Experiment
	for i := range all {
		e := &all[i]
		if e.Status.FinishedAt != nil || !e.DeletionTimestamp.IsZero() {
			continue
		}
		if found == nil || Suspended(e) || !Suspended(found) {
			found = e
		}
	}
	return found
}
