package controller_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// countingClient counts creations of measurements.
type countingClient struct {
	client.Client
	creations int
}

func (c *countingClient) Create(ctx context.Context, object client.Object, options ...client.CreateOption) error {
	if _, is := object.(*v1beta1.Measurement); is {
		c.creations++
	}
	return c.Client.Create(ctx, object, options...)
}

func TestAMeasurementThatTheWatchDoesNotShowYetIsSeldomMadeAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	counting := &countingClient{Client: h.client}
	h.operateWith(counting, h.releases)
	h.cache.lags = map[string]int{"Experiment": 1, "Measurement": 1000}
	experiment := h.create(nil)
	h.until(experiment, func() bool { return counting.creations > 0 })
	// From here on, two reads are as far apart as the operator requests.
	const lag = 10 * time.Second
	for waited := time.Duration(0); waited < lag; {
		result, err := h.reconciler.Reconcile(h.ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(experiment)})
		require.NoError(t, err)
		require.Positive(t, result.RequeueAfter, "it does not count on the watch alone")
		require.LessOrEqual(t, counting.creations, 4)
		waited += result.RequeueAfter
	}
	assert.Greater(t, counting.creations, 1, "it was not seen, and asked for again")
	assert.Len(t, h.measurements(), 1)
	h.restart() // with a current cache
	assert.Zero(t, h.run(experiment).Status.Invalid)
}
