package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// Standing is the state of a run with regard to a request to stop it.
type Standing int

// Values of Standing.
const (
	// Going: the run is active or queued, and was not asked to stop.
	Going Standing = iota
	// Stopping: the run was asked to stop, but its current phase has not ended.
	Stopping
	// Stopped: the run keeps its store and does nothing until it is resumed.
	Stopped
	// Ended: the run is complete or has failed.
	Ended
	// Leaving: the run is being deleted.
	Leaving
)

// StandingOf returns the standing of a run according to its status. Only the operator can report that a run has
// stopped; spec.suspend is only a request.
func StandingOf(e *v1beta1.Experiment) Standing {
	progressing := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionProgressing)
	switch {
	case !e.DeletionTimestamp.IsZero():
		return Leaving
	case e.Status.FinishedAt != nil:
		return Ended
	case !e.Spec.Suspend:
		return Going
	case progressing == nil, progressing.Reason == v1beta1.ReasonSuspended: // it has not started, or the operator reports that it has stopped
		return Stopped
	}
	return Stopping
}

// Stage returns the current stage of a run, as kubectl shows it in the column State.
func Stage(e *v1beta1.Experiment) string {
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionProgressing); progressing != nil {
		return progressing.Reason
	}
	return ""
}

// Troubles returns the reasons why runs in this namespace do not proceed, one line each: the namespace is being
// deleted, or the operator is missing. It ignores objects that the user may not read, and a cluster that does not
// answer: requests for the run itself report that.
func (c *Cluster) Troubles(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var troubles []string
	var namespace corev1.Namespace
	switch err := c.client.Get(ctx, client.ObjectKey{Name: c.namespace}, &namespace); {
	case apierrors.IsNotFound(err):
		troubles = append(troubles, fmt.Sprintf("namespace %s is gone", c.namespace))
	case err == nil && !namespace.DeletionTimestamp.IsZero():
		troubles = append(troubles, fmt.Sprintf("namespace %s is being deleted, with everything in it", c.namespace))
	}
	if away := (problem.Problem{}); errors.As(c.checkOperator(ctx), &away) && away.Reason == problem.OperatorUnavailable {
		troubles = append(troubles, away.What)
	}
	return troubles
}

// surroundingsPeriod is the interval at which namespace and operator are polled while a run is followed.
const surroundingsPeriod = 5 * time.Second

// keepTroubles polls namespace and operator until ctx ends.
func (f *Follower) keepTroubles(ctx context.Context) {
	for ctx.Err() == nil {
		troubles := f.cluster.Troubles(ctx)
		if ctx.Err() == nil && !slices.Equal(troubles, f.Snapshot().Troubles) {
			f.update(func() { f.troubles = troubles })
		}
		select {
		case <-ctx.Done():
		case <-time.After(surroundingsPeriod):
		}
	}
}
