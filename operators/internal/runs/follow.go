package runs

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Snapshot is a run at one moment.
type Snapshot struct {
	// Experiment as last seen; nil once it is deleted.
	Experiment   *v1alpha1.Experiment
	Measurements []v1alpha1.Measurement
	// Lost is why the cluster cannot be seen at the moment; what is above is then old.
	Lost error
}

// Follower keeps a run's state up to date. It survives a cluster that goes away for a while.
type Follower struct {
	cluster *Cluster
	run     *v1alpha1.Experiment

	mu           sync.Mutex
	experiment   *v1alpha1.Experiment
	measurements map[string]v1alpha1.Measurement
	lost         map[string]error
	changed      chan struct{}
}

// Follow begins to follow a run until ctx ends.
func (c *Cluster) Follow(ctx context.Context, e *v1alpha1.Experiment) *Follower {
	f := &Follower{
		cluster: c, run: e, experiment: e, measurements: map[string]v1alpha1.Measurement{},
		lost: map[string]error{}, changed: make(chan struct{}, 1),
	}
	go f.keep(ctx, "experiment", func() client.ObjectList { return &v1alpha1.ExperimentList{} }, f.setExperiment)
	go f.keep(ctx, "measurements", func() client.ObjectList { return &v1alpha1.MeasurementList{} }, f.setMeasurement)
	return f
}

// Changed has an element after something changed.
func (f *Follower) Changed() <-chan struct{} { return f.changed }

// Snapshot of the run as last seen.
func (f *Follower) Snapshot() Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	snapshot := Snapshot{Experiment: f.experiment}
	for _, m := range f.measurements {
		snapshot.Measurements = append(snapshot.Measurements, m)
	}
	for _, err := range f.lost {
		snapshot.Lost = errors.Join(snapshot.Lost, err)
	}
	return snapshot
}

func (f *Follower) setExperiment(object client.Object, gone bool) {
	if object.GetName() != f.run.Name || object.GetUID() != f.run.UID {
		return
	}
	if gone {
		f.experiment = nil
	} else if e, is := object.(*v1alpha1.Experiment); is {
		f.experiment = e
	}
}

func (f *Follower) setMeasurement(object client.Object, gone bool) {
	m, is := object.(*v1alpha1.Measurement)
	if !is || m.Spec.Run != f.run.RunID() || m.Spec.Experiment != f.run.DocumentName() {
		return
	}
	if gone { // what was finished is still wanted: deleting a run takes its measurements along
		return
	}
	f.measurements[m.Name] = *m
}

// retryPause between two tries at a cluster that does not answer.
const retryPause = time.Second

// relistPeriod bounds how long a watch that went silent without an end can go unnoticed.
const relistPeriod = time.Minute

// keep lists and watches one kind for as long as ctx lasts.
func (f *Follower) keep(ctx context.Context, kind string, empty func() client.ObjectList, set func(client.Object, bool)) {
	for ctx.Err() == nil {
		err := f.listAndWatch(ctx, kind, empty, set)
		if err != nil && ctx.Err() == nil {
			f.update(func() { f.lost[kind] = err })
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		}
	}
}

func (f *Follower) listAndWatch(ctx context.Context, kind string, empty func() client.ObjectList, set func(client.Object, bool)) error {
	list := empty()
	opts := []client.ListOption{client.InNamespace(f.cluster.namespace), runLabels(f.run)}
	request, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if err := f.cluster.client.List(request, list, opts...); err != nil {
		return f.cluster.explain(err)
	}
	objects, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	f.update(func() {
		delete(f.lost, kind)
		present := false
		for _, object := range objects {
			if o, is := object.(client.Object); is {
				set(o, false)
				present = present || o.GetUID() == f.run.UID
			}
		}
		if _, is := list.(*v1alpha1.ExperimentList); is && !present {
			f.experiment = nil // deleted while nobody watched
		}
	})
	// From the list's version on, so that nothing between list and watch is missed.
	opts = append(opts, &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}})
	watcher, err := f.cluster.client.Watch(ctx, list, opts...)
	if err != nil {
		return f.cluster.explain(err)
	}
	defer watcher.Stop()
	relist := time.After(relistPeriod)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-relist:
			return nil
		case event, open := <-watcher.ResultChan():
			if !open || event.Type == watch.Error {
				return nil // expired: list again
			}
			if object, is := event.Object.(client.Object); is {
				f.update(func() { set(object, event.Type == watch.Deleted) })
			}
		}
	}
}

func (f *Follower) update(change func()) {
	f.mu.Lock()
	change()
	f.mu.Unlock()
	select {
	case f.changed <- struct{}{}:
	default: // a change that was not yet seen covers this one
	}
}
