package controller_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/controller"
)

// laggingClient reads as an operator's cache does: each kind lags behind the API server by its own number of steps, so
// that one kind shows what another does not yet; and objects are reduced as in the cache. Writes go to the API server
// at once.
type laggingClient struct {
	client.Client
	h     *harness
	kinds map[schema.GroupVersionKind]*laggingKind
	// lags has the lag of kinds in steps, where the order does not give it; ordered is the number of the others.
	lags    map[string]int
	ordered int
	// hold is the transformation of objects in the operator's cache.
	hold toolscache.TransformFunc
}

// laggingKind is the cached state of a kind, which is refreshed after a number of steps.
type laggingKind struct {
	every, age int
	objects    []client.Object
}

func newLaggingClient(h *harness, inner client.Client) *laggingClient {
	return &laggingClient{Client: inner, h: h, kinds: map[schema.GroupVersionKind]*laggingKind{}, lags: map[string]int{"MeasurementPart": 3},
		hold: controller.CacheOptions(h.namespace).DefaultTransform}
}

// tick advances the cache by a step. Kinds lag by one to four steps, in the order in which they were first read.
func (c *laggingClient) tick() {
	for kind, cached := range c.kinds {
		if cached.age++; cached.age >= cached.every {
			c.refresh(kind, cached)
		}
	}
}

func (c *laggingClient) refresh(kind schema.GroupVersionKind, cached *laggingKind) {
	empty, err := c.Scheme().New(kind.GroupVersion().WithKind(kind.Kind + "List"))
	require.NoError(c.h.t, err)
	all := empty.(client.ObjectList)
	asked := []client.ListOption{client.InNamespace(c.h.namespace)}
	if kind.Kind == "Namespace" { // the cache has only its own namespace
		asked = []client.ListOption{client.MatchingFields{"metadata.name": c.h.namespace}}
	}
	require.NoError(c.h.t, bornReader{c.h.client, c.h}.List(c.h.ctx, all, asked...))
	items, err := meta.ExtractList(all)
	require.NoError(c.h.t, err)
	cached.age, cached.objects = 0, nil
	for _, item := range items {
		held, err := c.hold(item)
		require.NoError(c.h.t, err)
		cached.objects = append(cached.objects, held.(client.Object))
	}
}

func (c *laggingClient) cached(kind schema.GroupVersionKind) *laggingKind {
	if c.kinds[kind] == nil {
		every, set := c.lags[kind.Kind]
		if !set {
			every = 1 + c.ordered%4
			c.ordered++
		}
		c.kinds[kind] = &laggingKind{every: every}
		c.refresh(kind, c.kinds[kind])
	}
	return c.kinds[kind]
}

// Create creates the object at the API server. From then on it has a creation timestamp by the harness's clock.
func (c *laggingClient) Create(ctx context.Context, object client.Object, options ...client.CreateOption) error {
	if err := c.Client.Create(ctx, object, options...); err != nil {
		return err
	}
	c.h.bear(object)
	return nil
}

func (c *laggingClient) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	kind, err := apiutil.GVKForObject(into, c.Scheme())
	if err != nil {
		return err
	}
	for _, object := range c.cached(kind).objects {
		if client.ObjectKeyFromObject(object) == key {
			reflect.ValueOf(into).Elem().Set(reflect.ValueOf(object.DeepCopyObject()).Elem())
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, key.Name)
}

func (c *laggingClient) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	kind, err := apiutil.GVKForObject(into, c.Scheme())
	if err != nil {
		return err
	}
	kind.Kind = kind.Kind[:len(kind.Kind)-len("List")]
	asked := (&client.ListOptions{}).ApplyOptions(options)
	if asked.FieldSelector != nil {
		return fmt.Errorf("the cache has no index for %s", asked.FieldSelector)
	}
	var found []runtime.Object
	for _, object := range c.cached(kind).objects {
		if asked.LabelSelector == nil || asked.LabelSelector.Matches(labels.Set(object.GetLabels())) {
			found = append(found, object.DeepCopyObject())
		}
	}
	return meta.SetList(into, found)
}

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

// bear records when an object was created by the harness's clock: when the operator created it or first read it. The
// creation timestamp of the API server follows the machine's clock, which does not advance with the steps.
func (h *harness) bear(object client.Object) {
	at, known := h.born[object.GetUID()]
	if !known {
		at = metav1.NewTime(h.clock.Now())
		h.born[object.GetUID()] = at
	}
	object.SetCreationTimestamp(at)
}

// bornReader reads from the API server, and sets creation timestamps by the harness's clock.
type bornReader struct {
	client.Reader
	h *harness
}

func (r bornReader) Get(ctx context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	if err := r.Reader.Get(ctx, key, into, options...); err != nil {
		return err
	}
	r.h.bear(into)
	return nil
}

func (r bornReader) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	if err := r.Reader.List(ctx, into, options...); err != nil {
		return err
	}
	return meta.EachListItem(into, func(item runtime.Object) error {
		r.h.bear(item.(client.Object))
		return nil
	})
}
