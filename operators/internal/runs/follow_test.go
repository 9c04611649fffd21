package runs_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// traffic records a follower's requests to the API server, and the watches, which a test can end.
type traffic struct {
	mu          sync.Mutex
	whole, gets int
	versions    []string // at which watches of measurements began
	watches     []*watch.FakeWatcher
}

func (s *traffic) funcs() interceptor.Funcs {
	return interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if _, is := list.(*v1beta1.MeasurementList); is {
				s.count(&s.whole)
			}
			return c.List(ctx, list, opts...)
		},
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
			if _, is := object.(*v1beta1.Measurement); is {
				s.count(&s.gets)
			}
			return c.Get(ctx, key, object, opts...)
		},
		Watch: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error) {
			if _, is := list.(*v1beta1.MeasurementList); !is {
				return c.Watch(ctx, list, opts...)
			}
			options := (&client.ListOptions{}).ApplyOptions(opts)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.versions = append(s.versions, options.Raw.ResourceVersion)
			s.watches = append(s.watches, watch.NewFake())
			return s.watches[len(s.watches)-1], nil
		},
	}
}

func (s *traffic) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

func (s *traffic) read() (whole, gets int, versions []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole, s.gets, append([]string(nil), s.versions...)
}

// nthWatch waits until the given number of watches have begun.
func (s *traffic) nthWatch(t *testing.T, n int) *watch.FakeWatcher {
	t.Helper()
	require.Eventually(t, func() bool { _, _, versions := s.read(); return len(versions) >= n }, 10*time.Second, time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watches[n-1]
}

func TestFetchesAMeasurementOnlyWhenItChanged(t *testing.T) {
	operations := int64(100)
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 3, Threads: 5, Operations: &operations})
	c := simulated.NewClient()
	require.NoError(t, c.Create(t.Context(), e))
	var finished []*v1beta1.Measurement
	for _, cell := range plan.Build(e, 42).Cells() {
		m := simulated.Measurement(e, cell)
		require.NoError(t, c.Create(t.Context(), m))
		_, err := simulated.Finish(m, time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC))
		require.NoError(t, err)
		require.NoError(t, c.Status().Update(t.Context(), m))
		finished = append(finished, m)
	}
	var seen traffic
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	follower := runs.New(interceptor.NewClient(c, seen.funcs()), simulated.Namespace, "simulation").Follow(ctx, e)
	whole := func() bool {
		measurements := follower.Snapshot().Measurements
		for i := range measurements {
			if measurements[i].Status.Result == nil {
				return false
			}
		}
		return len(measurements) == 3
	}
	first := seen.nthWatch(t, 1)
	require.Eventually(t, whole, 10*time.Second, time.Millisecond)
	_, gets, _ := seen.read()
	assert.Equal(t, 3, gets)

	// A bookmark, and the server ends the watch: the next one resumes there, without other requests.
	first.Action(watch.Bookmark, &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "777"}})
	first.Stop()
	second := seen.nthWatch(t, 2)
	_, gets, versions := seen.read()
	assert.Equal(t, "777", versions[1])
	assert.Equal(t, 3, gets)

	// The version is too old: names and versions are listed again, and changed objects are fetched.
	finished[1].Status.Attempt = 2
	require.NoError(t, c.Status().Update(t.Context(), finished[1]))
	second.Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
	third := seen.nthWatch(t, 3)
	require.Eventually(t, func() bool { _, gets, _ := seen.read(); return gets == 4 }, 10*time.Second, time.Millisecond)

	// An event needs no further request.
	finished[2].Status.Attempt = 7
	third.Modify(finished[2])
	require.Eventually(t, func() bool {
		measurements := follower.Snapshot().Measurements
		for i := range measurements {
			if measurements[i].Status.Attempt == 7 {
				return true
			}
		}
		return false
	}, 10*time.Second, time.Millisecond)
	lists, gets, _ := seen.read()
	assert.Equal(t, 4, gets)
	assert.Zero(t, lists, "no list of whole measurements")
}

// If a proxy ends every watch at once, the follower must not flood the server with requests.
func TestPausesWhereWatchesEndAtOnce(t *testing.T) {
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0)
	c := simulated.NewClient()
	require.NoError(t, c.Create(t.Context(), e))
	for name, end := range map[string]func(*watch.FakeWatcher){
		"closed":  func(w *watch.FakeWatcher) { w.Stop() },
		"too old": func(w *watch.FakeWatcher) { w.Error(&metav1.Status{Code: 410, Reason: metav1.StatusReasonExpired}) },
	} {
		t.Run(name, func(t *testing.T) {
			var watches atomic.Int64
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			runs.New(interceptor.NewClient(c, interceptor.Funcs{Watch: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) (watch.Interface, error) {
				watches.Add(1)
				w := watch.NewFakeWithChanSize(1, false)
				end(w)
				return w, nil
			}}), simulated.Namespace, "simulation").Follow(ctx, e)
			<-ctx.Done()
			assert.Less(t, watches.Load(), int64(20), "of two kinds in two seconds")
			assert.Greater(t, watches.Load(), int64(4))
		})
	}
}

func TestSeesWhatKeepsARunFromGoingOn(t *testing.T) {
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0)
	now := metav1.Now()
	for name, test := range map[string]struct {
		get  func(key client.ObjectKey, object client.Object) error
		list func(list client.ObjectList) error
		want []string
	}{
		"nothing": {},
		"the namespace is being deleted": {
			get: func(_ client.ObjectKey, object client.Object) error {
				object.SetDeletionTimestamp(&now)
				return nil
			},
			want: []string{"namespace ringside is being deleted, with everything in it"},
		},
		"the namespace is gone": {
			get: func(key client.ObjectKey, _ client.Object) error {
				return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
			},
			want: []string{"namespace ringside is gone"},
		},
		"the operator is gone": {
			list: func(list client.ObjectList) error { list.(*appsv1.DeploymentList).Items = nil; return nil },
			want: []string{"the operator is not installed on simulation"},
		},
		"the operator does not run": {
			list: func(list client.ObjectList) error {
				list.(*appsv1.DeploymentList).Items[0].Status.AvailableReplicas = 0
				return nil
			},
			want: []string{"the operator is not running"},
		},
		"what may not be read": {
			get: func(client.ObjectKey, client.Object) error {
				return apierrors.NewForbidden(schema.GroupResource{}, "", nil)
			},
			list: func(client.ObjectList) error { return apierrors.NewForbidden(schema.GroupResource{}, "", nil) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := interceptor.NewClient(simulated.NewClient(e.DeepCopy()), interceptor.Funcs{
				Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
					err := c.Get(ctx, key, object, opts...)
					if _, is := object.(*corev1.Namespace); is && test.get != nil {
						return test.get(key, object)
					}
					return err
				},
				List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
					err := c.List(ctx, list, opts...)
					if _, is := list.(*appsv1.DeploymentList); is && test.list != nil {
						return test.list(list)
					}
					return err
				},
			})
			cluster := runs.New(c, simulated.Namespace, "simulation")
			assert.Equal(t, test.want, cluster.Troubles(t.Context()))
			follower := cluster.Follow(t.Context(), e)
			require.Eventually(t, func() bool { return slices.Equal(test.want, follower.Snapshot().Troubles) }, 10*time.Second, time.Millisecond)
		})
	}
}

func TestARunHasStoppedWhenTheOperatorSaysSo(t *testing.T) {
	at := func(reason string, edit func(e *v1beta1.Experiment)) *v1beta1.Experiment {
		e := &v1beta1.Experiment{}
		if reason != "" {
			e.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionProgressing, Status: metav1.ConditionTrue, Reason: reason}}
		}
		edit(e)
		return e
	}
	suspend := func(e *v1beta1.Experiment) { e.Spec.Suspend = true }
	now := metav1.Now()
	for name, test := range map[string]struct {
		e    *v1beta1.Experiment
		want runs.Standing
	}{
		"measures":                     {at(v1beta1.ReasonMeasuring, func(*v1beta1.Experiment) {}), runs.Going},
		"was asked to, and measures":   {at(v1beta1.ReasonMeasuring, suspend), runs.Stopping},
		"was asked to, and installs":   {at(v1beta1.ReasonAwaitingStore, suspend), runs.Stopping},
		"has":                          {at(v1beta1.ReasonSuspended, suspend), runs.Stopped},
		"was never taken up":           {at("", suspend), runs.Stopped},
		"is resumed, not yet taken up": {at(v1beta1.ReasonSuspended, func(*v1beta1.Experiment) {}), runs.Going},
		"has ended":                    {at(v1beta1.ReasonFinished, func(e *v1beta1.Experiment) { e.Status.FinishedAt = &now }), runs.Ended},
		"is being deleted, and was asked to stop": {at(v1beta1.ReasonMeasuring, func(e *v1beta1.Experiment) {
			suspend(e)
			e.DeletionTimestamp = &now
		}), runs.Leaving},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, runs.StandingOf(test.e)) })
	}
}
