package controller

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestThePauseAfterADecisionGrowsWithItsDuration(t *testing.T) {
	var p pace
	assert.Zero(t, p.rest(noon), "before the first decision")
	p.took(noon, noon.Add(2*time.Millisecond))
	assert.Equal(t, 38*time.Millisecond, p.rest(noon.Add(2*time.Millisecond)))
	assert.Equal(t, 28*time.Millisecond, p.rest(noon.Add(12*time.Millisecond)))
	assert.Zero(t, p.rest(noon.Add(time.Second)))
	p.took(noon, noon.Add(time.Minute))
	assert.Equal(t, longestRest, p.rest(noon.Add(time.Minute)))
}

// delays is a queue that records for how long each request is delayed.
type delays struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]
	all []time.Duration
}

func (d *delays) AddAfter(_ reconcile.Request, after time.Duration) { d.all = append(d.all, after) }

func TestChangesDuringThePauseWaitForItsEnd(t *testing.T) {
	var p pace
	mapped := func(context.Context, client.Object) []reconcile.Request { return []reconcile.Request{{}} }
	queue := &delays{}
	changed := p.handler(mapped)
	changed.Create(t.Context(), event.CreateEvent{Object: &v1beta1.MeasurementPart{}}, queue)
	now := time.Now()
	p.took(now.Add(-time.Minute), now)
	changed.Update(t.Context(), event.UpdateEvent{ObjectNew: &v1beta1.MeasurementPart{}}, queue)
	changed.Delete(t.Context(), event.DeleteEvent{Object: &v1beta1.MeasurementPart{}}, queue)
	assert.Zero(t, queue.all[0])
	for _, after := range queue.all[1:] {
		assert.Greater(t, after, time.Duration(0))
		assert.LessOrEqual(t, after, longestRest)
	}
}
