package controller

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// pace spaces the decisions that changes of pods and other objects of a run trigger. A load of 64 pods changes several hundred times within
// seconds, and each decision reads the whole run. Small runs decide in a millisecond or two and do not notice the pauses.
type pace struct {
	mutex sync.Mutex
	ended time.Time
	last  time.Duration
}

const (
	// restingShare is the ratio of the pause after a decision to its duration: changes cost at most about a twentieth of a core.
	restingShare = 19
	longestRest  = 500 * time.Millisecond
)

// took records a decision.
func (p *pace) took(began, ended time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.ended, p.last = ended, ended.Sub(began)
}

// rest returns the rest of the pause after the last decision; 0 if it is over.
func (p *pace) rest(now time.Time) time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return max(p.ended.Add(min(restingShare*p.last, longestRest)).Sub(now), 0)
}

// handler enqueues what a changed object maps to, at the end of the pause. Changes during the pause are one request.
func (p *pace) handler(requests handler.MapFunc) handler.EventHandler {
	enqueue := func(ctx context.Context, object client.Object, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
		for _, request := range requests(ctx, object) {
			queue.AddAfter(request, p.rest(time.Now()))
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			enqueue(ctx, e.Object, q)
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			enqueue(ctx, e.ObjectNew, q)
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			enqueue(ctx, e.Object, q)
		},
	}
}
