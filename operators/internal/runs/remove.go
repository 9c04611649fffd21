package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Removal holds the options of the removal of a run.
type Removal struct {
	// Poll is the interval at which the cluster is polled until the run is gone.
	Poll time.Duration
	// Patience is how long the operator may take to remove the store.
	Patience time.Duration
	// Force releases a run even if its store is not removed: no operator is left, or it has not removed the store in
	// time.
	Force bool
}

// ErrChanged reports that a run has changed since it was read.
var ErrChanged = errors.New("the run has changed meanwhile")

// ReleasedError reports that a run was released by force: the run is deleted, but its store was not removed.
type ReleasedError struct {
	// Why is the reason why the operator did not remove the store.
	Why string
	// Left describes what may be left behind, and the commands that delete it.
	Left string
}

// Error returns the message in one line.
func (e *ReleasedError) Error() string {
	return e.Why + "; the run was released by force: " + e.Left
}

// unattendedError reports why no operator removes stores.
type unattendedError struct{ why string }

func (e *unattendedError) Error() string { return e.why }

// Remove deletes the run if it is still in the given version. The operator removes its store. Remove returns when both
// are gone. A run that has changed since is kept, with ErrChanged: it may have finished a measurement that was not
// exported. If no operator removes the store, Remove returns an error or, with Force, releases the run and returns a
// ReleasedError.
func (c *Cluster) Remove(ctx context.Context, e *v1beta1.Experiment, how Removal) error {
	propagation := metav1.DeletePropagationForeground
	if how.Force {
		propagation = metav1.DeletePropagationBackground // foreground deletion would wait for objects that may never be deleted
	}
	err := c.client.Delete(ctx, e.DeepCopy(), client.PropagationPolicy(propagation), client.Preconditions{UID: &e.UID, ResourceVersion: &e.ResourceVersion})
	if apierrors.IsConflict(err) {
		return ErrChanged
	}
	if client.IgnoreNotFound(err) != nil {
		return c.explain(err)
	}
	err = c.awaitRemoval(ctx, e, how)
	unattended := (*unattendedError)(nil)
	switch {
	case errors.As(err, &unattended) && how.Force:
		return c.release(ctx, e, unattended.why)
	case errors.As(err, &unattended):
		return fmt.Errorf("%s, but only an operator removes its store: make install installs one; --force releases the run and leaves its store behind", unattended.why)
	case wait.Interrupted(err) && ctx.Err() == nil && how.Force:
		return c.release(ctx, e, fmt.Sprintf("the operator did not remove the store within %s", how.Patience))
	case wait.Interrupted(err) && ctx.Err() == nil:
		return fmt.Errorf("the operator did not remove the store within %s; the run's status says what it is waiting for", how.Patience)
	}
	return err
}

// absentPolls is the number of consecutive polls without an operator before it counts as absent: an operator that is
// being replaced returns.
const absentPolls = 15

// awaitRemoval returns when the run is gone, or when it is certain that no operator removes its store.
func (c *Cluster) awaitRemoval(ctx context.Context, e *v1beta1.Experiment, how Removal) error {
	absent := 0
	return wait.PollUntilContextTimeout(ctx, how.Poll, how.Patience, true, func(ctx context.Context) (bool, error) {
		var now v1beta1.Experiment
		err := c.client.Get(ctx, client.ObjectKeyFromObject(e), &now)
		if apierrors.IsNotFound(err) || err == nil && now.UID != e.UID {
			return true, nil
		}
		if err != nil {
			return false, nil // transient, or the timeout ends the wait
		}
		why := c.unattended(ctx)
		if why == "" {
			absent = 0
			return false, nil
		}
		if absent++; absent >= absentPolls {
			return false, &unattendedError{why}
		}
		return false, nil
	})
}

// unattended returns why no operator removes stores in the namespace; empty if one does, or if that is unknown.
func (c *Cluster) unattended(ctx context.Context) string {
	if c.ending(ctx) {
		return fmt.Sprintf("namespace %s is being deleted, with its operator", c.namespace)
	}
	var deployments appsv1.DeploymentList
	if err := c.client.List(ctx, &deployments, client.InNamespace(c.namespace), OperatorLabels()); err != nil {
		return ""
	}
	for _, deployment := range deployments.Items {
		if deployment.Status.AvailableReplicas > 0 {
			return ""
		}
	}
	return fmt.Sprintf("no operator runs in namespace %s", c.namespace)
}

// ending reports whether the namespace is being deleted.
func (c *Cluster) ending(ctx context.Context) bool {
	var namespace corev1.Namespace
	err := c.client.Get(ctx, client.ObjectKey{Name: c.namespace}, &namespace)
	return err == nil && namespace.DeletionTimestamp != nil
}

// release removes the finalizer of a deleted run that has no operator.
func (c *Cluster) release(ctx context.Context, e *v1beta1.Experiment, why string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var now v1beta1.Experiment
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := c.client.Get(ctx, client.ObjectKeyFromObject(e), &now); err != nil {
			return err
		}
		if now.UID != e.UID {
			return nil
		}
		before := now.DeepCopy()
		controllerutil.RemoveFinalizer(&now, v1beta1.Finalizer)
		return c.client.Patch(ctx, &now, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	})
	if apierrors.IsNotFound(err) {
		return nil // the operator has returned
	}
	if err != nil {
		return c.explain(err)
	}
	return &ReleasedError{Why: why, Left: c.leftBehind(ctx, &now)}
}

// leftBehind describes the objects of a run that no operator removes, and the commands that delete them.
func (c *Cluster) leftBehind(ctx context.Context, e *v1beta1.Experiment) string {
	switch {
	case c.ending(ctx):
		return "its objects are deleted with the namespace"
	case e.Status.Store == nil:
		return "it had no store"
	}
	const kinds = "statefulsets,deployments,daemonsets,jobs,pods,services,serviceaccounts,configmaps,networkpolicies,poddisruptionbudgets,persistentvolumeclaims"
	return fmt.Sprintf("its store %s may be left behind, with its data: kubectl -n %s delete %s -l %s=%s, and kubectl -n %s delete configmaps -l 'owner=helm,name in (%s)'",
		e.Status.Store.Release, c.namespace, kinds, v1beta1.LabelRun, e.RunID(), c.namespace, strings.Join(e.Status.Store.ReleaseNames(), ","))
}
