package runs

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Suspend lets the run stop before its next phase, and brings e up to date.
func (c *Cluster) Suspend(ctx context.Context, e *v1alpha1.Experiment) error {
	return c.setSuspend(ctx, e, true)
}

// Resume lets a suspended run go on, and brings e up to date.
func (c *Cluster) Resume(ctx context.Context, e *v1alpha1.Experiment) error {
	return c.setSuspend(ctx, e, false)
}

func (c *Cluster) setSuspend(ctx context.Context, e *v1alpha1.Experiment, suspend bool) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"suspend":%t}}`, suspend))
	return c.explain(c.client.Patch(ctx, e, patch))
}

// MarkExported notes on a finished run that all of it was exported, as it ended then. A person who may only read leaves no mark.
func (c *Cluster) MarkExported(ctx context.Context, e *v1alpha1.Experiment) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`,
		v1alpha1.AnnotationExportedEnd, v1alpha1.ExportMark(*e.Status.FinishedAt)))
	err := c.client.Patch(ctx, e, patch)
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return nil
	}
	return c.explain(err)
}

// Refresh brings e up to date.
func (c *Cluster) Refresh(ctx context.Context, e *v1alpha1.Experiment) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return c.explain(c.client.Get(ctx, client.ObjectKeyFromObject(e), e))
}

// Suspended reports whether a run was asked to stop, and waits to be resumed or will.
func Suspended(e *v1alpha1.Experiment) bool {
	return e.Spec.Suspend && e.Status.FinishedAt == nil && e.DeletionTimestamp.IsZero()
}

// Holding is the suspended run that keeps others from beginning, for it has its store; nil when there is none.
func Holding(all []v1alpha1.Experiment) *v1alpha1.Experiment {
	for i := range all {
		if Suspended(&all[i]) && all[i].Status.StartedAt != nil {
			return &all[i]
		}
	}
	return nil
}

// Resumable is the run to go on with when none is named, of runs from old to new: the latest suspended one, else the latest that has
// not ended; nil when there is none.
func Resumable(all []v1alpha1.Experiment) *v1alpha1.Experiment {
	var found *v1alpha1.Experiment
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
