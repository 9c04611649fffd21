package runs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

// Snapshot is a run at one moment.
type Snapshot struct {
	// Experiment is the latest known state; nil once it is deleted.
	Experiment   *v1beta1.Experiment
	Measurements []v1beta1.Measurement
	// Lost is the reason why the cluster cannot be read at the moment. The other fields are then outdated.
	Lost error
	// Troubles are the reasons why the run does not proceed.
	Troubles []string
}

// Follower keeps a run's state up to date, and reconnects to a cluster that was unavailable. It fetches the histograms
// of a measurement once per change: lists read only metadata, and a new watch resumes at the version where the last one
// ended. Its methods may be called from several goroutines.
type Follower struct {
	cluster *Cluster
	run     *v1beta1.Experiment

	mu           sync.Mutex
	experiment   *v1beta1.Experiment
	measurements map[string]v1beta1.Measurement
	parts        map[string]v1beta1.MeasurementPart
	lost         map[string]error
	troubles     []string
	changed      chan struct{}
}

// kind describes a kind of objects that is followed.
type kind struct {
	name string
	list func() client.ObjectList
	get  func() client.Object
	// set stores a changed object. missing is called after a list, because the run may have been deleted while no watch
	// was active.
	set     func(object client.Object, gone bool)
	missing func(listed map[string]string)
	// known returns the stored version of the object with that name.
	known func(name string) string
}

// Follow follows a run until ctx ends.
func (c *Cluster) Follow(ctx context.Context, e *v1beta1.Experiment) *Follower {
	f := &Follower{
		cluster: c, run: e, experiment: e, measurements: map[string]v1beta1.Measurement{}, parts: map[string]v1beta1.MeasurementPart{},
		lost: map[string]error{}, changed: make(chan struct{}, 1),
	}
	go f.keep(ctx, kind{
		name: "Experiment", set: f.setExperiment, missing: f.missingExperiment, known: func(string) string { return "" },
		list: func() client.ObjectList { return &v1beta1.ExperimentList{} }, get: func() client.Object { return &v1beta1.Experiment{} },
	})
	go f.keep(ctx, kind{
		name: "Measurement", set: f.setMeasurement, missing: func(map[string]string) {}, known: f.knownMeasurement,
		list: func() client.ObjectList { return &v1beta1.MeasurementList{} }, get: func() client.Object { return &v1beta1.Measurement{} },
	})
	go f.keep(ctx, kind{
		name: "MeasurementPart", set: f.setPart, missing: f.missingParts, known: f.knownPart,
		list: func() client.ObjectList { return &v1beta1.MeasurementPartList{} }, get: func() client.Object { return &v1beta1.MeasurementPart{} },
	})
	go f.keepTroubles(ctx)
	return f
}

// Changed returns a channel that has an element after a change.
func (f *Follower) Changed() <-chan struct{} { return f.changed }

// Snapshot returns the latest known state of the run.
func (f *Follower) Snapshot() Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	snapshot := Snapshot{Experiment: f.experiment, Troubles: f.troubles}
	parts := slices.Collect(maps.Values(f.parts))
	for _, m := range f.measurements {
		if reported := plan.PartsOf(&m, parts)[m.Name]; len(reported) > 0 && !m.Finished() {
			m.Status.Parts = reported
		}
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
	} else if e, is := object.(*v1beta1.Experiment); is {
		f.experiment = e
	}
}

func (f *Follower) missingExperiment(listed map[string]string) {
	if _, there := listed[f.run.Name]; !there {
		f.experiment = nil
	}
}

func (f *Follower) setMeasurement(object client.Object, gone bool) {
	m, is := object.(*v1beta1.Measurement)
	if !is || m.Spec.Run != f.run.RunID() || m.Spec.Experiment != f.run.DocumentName() {
		return
	}
	if gone { // keep finished measurements: deleting a run deletes its measurements too
		return
	}
	f.measurements[m.Name] = *m
}

func (f *Follower) knownMeasurement(name string) string {
	m := f.measurements[name]
	return m.ResourceVersion
}

func (f *Follower) setPart(object client.Object, gone bool) {
	if gone {
		delete(f.parts, object.GetName())
	} else if part, is := object.(*v1beta1.MeasurementPart); is {
		f.parts[part.Name] = *part
	}
}

func (f *Follower) missingParts(listed map[string]string) {
	maps.DeleteFunc(f.parts, func(name string, _ v1beta1.MeasurementPart) bool {
		_, there := listed[name]
		return !there
	})
}

func (f *Follower) knownPart(name string) string {
	part := f.parts[name]
	return part.ResourceVersion
}

const (
	// retryPause is the pause before the next request to a cluster that does not answer.
	retryPause = time.Second
	// watchFor is the duration after which the server ends a watch. The next watch resumes at its version. This detects
	// a connection that broke without an end, and nothing is fetched twice.
	watchFor = time.Minute
	// watchGrace is the additional time to wait for the end of a watch.
	watchGrace = 15 * time.Second
	// watchLeast is the shortest duration of a watch that is not followed by a pause.
	watchLeast = 5 * time.Second
)

// pauses returns the backoff between watches that end at once, for example behind a proxy that cuts connections or with
// an overloaded API server. Each new watch costs it a request.
func pauses() wait.Backoff {
	return wait.Backoff{Duration: 50 * time.Millisecond, Factor: 2, Jitter: 0.2, Steps: 10, Cap: 15 * time.Second}
}

// keep follows one kind until ctx ends.
func (f *Follower) keep(ctx context.Context, k kind) {
	version := ""
	backoff := pauses()
	for ctx.Err() == nil {
		var err error
		begun := time.Now()
		version, err = f.pass(ctx, k, version)
		pause := time.Duration(0)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			version, pause = "", retryPause
			f.update(func() { f.lost[k.name] = err })
		case time.Since(begun) < watchLeast:
			pause = backoff.Step()
		default:
			backoff = pauses()
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// pass watches from the given version, or lists first if it is empty. It returns the version that it reached, or an
// empty one if that is too old to resume from.
func (f *Follower) pass(ctx context.Context, k kind, version string) (string, error) {
	var fetch []string
	if version == "" {
		listed, at, err := f.cluster.versions(ctx, k.name, runLabels(f.run))
		if err != nil {
			return "", err
		}
		version = at
		f.update(func() {
			k.missing(listed)
			for name, listedVersion := range listed {
				if k.known(name) != listedVersion {
					fetch = append(fetch, name)
				}
			}
		})
	}
	seconds := int64(watchFor / time.Second)
	watcher, err := f.cluster.client.Watch(ctx, k.list(), client.InNamespace(f.cluster.namespace), runLabels(f.run), &client.ListOptions{
		Raw: &metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds},
	})
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return "", nil
	}
	if err != nil {
		return "", f.cluster.explain(err)
	}
	defer watcher.Stop()
	if err := f.fetch(ctx, k, fetch); err != nil {
		return "", err
	}
	f.update(func() { delete(f.lost, k.name) })
	return f.events(ctx, k, watcher, version)
}

// fetch gets objects that are new or have changed.
func (f *Follower) fetch(ctx context.Context, k kind, names []string) error {
	for _, name := range names {
		object := k.get()
		request, cancel := context.WithTimeout(ctx, requestTimeout)
		err := f.cluster.client.Get(request, client.ObjectKey{Namespace: f.cluster.namespace, Name: name}, object)
		cancel()
		if apierrors.IsNotFound(err) {
			continue // the watch reports the deletion
		}
		if err != nil {
			return f.cluster.explain(err)
		}
		f.update(func() { k.set(object, false) })
	}
	return nil
}

func (f *Follower) events(ctx context.Context, k kind, watcher watch.Interface, version string) (string, error) {
	silent := time.After(watchFor + watchGrace)
	for {
		select {
		case <-ctx.Done():
			return version, nil
		case <-silent:
			return version, nil
		case event, open := <-watcher.ResultChan():
			if !open {
				return version, nil
			}
			if event.Type == watch.Error {
				return "", nil // usually the version is too old: list again
			}
			object, is := event.Object.(client.Object)
			if !is {
				continue
			}
			version = object.GetResourceVersion()
			if event.Type != watch.Bookmark {
				f.update(func() { k.set(object, event.Type == watch.Deleted) })
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
	default: // the pending signal covers this change
	}
}

// pageSize is the number of objects per page of a list, so that each response arrives within the timeout.
const pageSize = 50

// versions returns the versions of the objects of a kind by name, read from their metadata only, and the version of the
// list.
func (c *Cluster) versions(ctx context.Context, kind string, labels client.MatchingLabels) (map[string]string, string, error) {
	versions := map[string]string{}
	token := ""
	for {
		page := &metav1.PartialObjectMetadataList{}
		page.SetGroupVersionKind(v1beta1.GroupVersion.WithKind(kind + "List"))
		if err := c.page(ctx, page, labels, token); err != nil {
			return nil, "", fmt.Errorf("listing: %w", err)
		}
		for i := range page.Items {
			versions[page.Items[i].Name] = page.Items[i].ResourceVersion
		}
		if token = page.Continue; token == "" {
			return versions, page.ResourceVersion, nil
		}
	}
}

func (c *Cluster) page(ctx context.Context, into client.ObjectList, labels client.MatchingLabels, token string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return c.explain(c.client.List(ctx, into, client.InNamespace(c.namespace), labels, client.Limit(pageSize), client.Continue(token)))
}
