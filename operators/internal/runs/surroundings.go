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

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Standing is how far a run is from standing still.
type Standing int

// Standings of a run.
const (
	// Going runs or waits, and nobody asked it to stop.
	Going Standing = iota
	// Stopping was asked to stop, and is still at what it began before.
	Stopping
	// Stopped keeps its store and does nothing until it is resumed.
	Stopped
	// Ended is complete or failed.
	Ended
	// Going away: it is being deleted.
	Leaving
)

// StandingOf a run as its object says. The operator alone reports that it has stopped: a request to stop is no stop.
func StandingOf(e *v1alpha1.Experiment) Standing {
	progressing := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionProgressing)
	switch {
	case !e.DeletionTimestamp.IsZero():
		return Leaving
	case e.Status.FinishedAt != nil:
		return Ended
	case !e.Spec.Suspend:
		return Going
	case progressing == nil, progressing.Reason == v1alpha1.ReasonSuspended: // nothing was begun, or it says so
		return Stopped
	}
	return Stopping
}

// Stage is what a run is at, in the words of kubectl's column State.
func Stage(e *v1alpha1.Experiment) string {
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionProgressing); progressing != nil {
		return progressing.Reason
	}
	return ""
}

// Troubles are what keeps every run here from going on, a line each: the namespace is being deleted, the operator is away. What may not be
// read is no trouble, and neither is a cluster that does not answer: requests for the run itself report that.
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
	if away := (*Unavailable)(nil); errors.As(c.checkOperator(ctx), &away) && away.operator {
		troubles = append(troubles, away.What)
	}
	return troubles
}

// surroundingsPeriod is how often the namespace and the operator are asked for while a run is followed.
const surroundingsPeriod = 5 * time.Second

// keepTroubles asks for the run's surroundings until ctx ends.
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
