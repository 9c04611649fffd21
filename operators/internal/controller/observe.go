package controller

import (
	"context"
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/release"
	"ringside.dev/ringside/operators/internal/store"
)

// observed is what a decision is made on.
type observed struct {
	now        time.Time
	experiment *v1alpha1.Experiment
	// namespaceEnds reports that the namespace is being deleted, and with it all that the run has.
	namespaceEnds bool
	// specChanged reports that the spec is not the one that the run began with.
	specChanged  bool
	plan         plan.Plan
	measurements map[string]*v1alpha1.Measurement
	// ahead names the other experiment that is under way, or that is before this one in the queue.
	ahead string
	// release of the store in the experiment's status; read only while it is installed or missing.
	release release.Status
	objects store.Objects
	// job and pods of the attempt under way.
	job      *batchv1.Job
	loadPods []corev1.Pod
	// creationFault is why the controller of the store's or the load's pods cannot make them; asked for where pods are missing.
	creationFault string
	// claimFault is why volume claims of the store get no volume, claimTrouble what keeps a store pod from a node for its volume; asked for where a
	// pod with a claim has no node.
	claimFault, claimTrouble string
	// otherLoads are pods of other attempts that may still drive load; asked for before a job is made.
	otherLoads []corev1.Pod
	// activeJobs drive load for measurements that are not finished. (The job of a finished one ends by itself, once its last
	// metrics were scraped.)
	activeJobs []string
	// spentJobs of finished measurements do not end by themselves though all that is Ringside's in them has ended; lingering ones will not
	// either, and meter still waits in them to be scraped.
	spentJobs, lingering []string
	// undelivered is a load pod of the attempt that has ended well and, by the API server's own word, has delivered nothing.
	undelivered string
	// holders are the pods that have what one of this run's waits for; asked for where one does.
	holders string
}

const instanceLabel = "app.kubernetes.io/instance"

// observe reads what the experiment's next step depends on, from the cache where that is harmless.
func (r *Reconciler) observe(ctx context.Context, experiment *v1alpha1.Experiment) (observed, error) {
	o := observed{now: r.Clock.Now(), experiment: experiment}
	var err error
	if o.namespaceEnds, err = r.namespaceEnds(ctx, experiment.Namespace); err != nil || o.namespaceEnds {
		return o, err
	}
	if experiment.Status.FinishedAt != nil && experiment.DeletionTimestamp == nil {
		return o, nil
	}
	if accepted := experiment.Status.AcceptedSpec; accepted != nil {
		if o.specChanged, err = specChanged(accepted, experiment.Spec); err != nil {
			return o, err
		}
	}
	if experiment.Status.Seed != nil {
		o.plan = plan.OfRun(experiment)
	}
	if experiment.Status.StartedAt == nil {
		if o.ahead, err = r.aheadInQueue(ctx, experiment); err != nil {
			return o, err
		}
	}
	if err := r.observeMeasurements(ctx, &o); err != nil {
		return o, err
	}
	if err := r.observeStore(ctx, &o); err != nil {
		return o, err
	}
	if err := r.observeLoad(ctx, &o); err != nil {
		return o, err
	}
	return o, r.observeHolders(ctx, &o)
}

// observeMeasurements reads those of the run, and what else bears the names of those that are next: however many other runs have left, none
// of theirs is copied. Those that are finished are held in part, and nobody changes them; those of the cell under way are whole.
func (r *Reconciler) observeMeasurements(ctx context.Context, o *observed) error {
	var list v1alpha1.MeasurementList
	err := r.Client.List(ctx, &list, client.InNamespace(o.experiment.Namespace), client.MatchingLabels{v1alpha1.LabelRun: o.experiment.RunID()}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return fmt.Errorf("list the run's measurements: %w", err)
	}
	o.measurements = make(map[string]*v1alpha1.Measurement, len(list.Items))
	for i := range list.Items {
		measurement := &list.Items[i]
		if !isHeldInPart(measurement) {
			measurement = measurement.DeepCopy()
		}
		o.measurements[measurement.Name] = measurement
	}
	if err := r.observeNext(ctx, o); err != nil {
		return err
	}
	return r.observeWhole(ctx, o)
}

// observeNext looks for whatever bears the names of the measurements that are next.
func (r *Reconciler) observeNext(ctx context.Context, o *observed) error {
	for cell, pending := o.currentCell(); pending; cell, pending = o.currentCell() {
		found := false
		for _, member := range o.plan.Group(cell) {
			if o.measurements[member.Name] != nil {
				continue
			}
			measurement, err := r.measurement(ctx, o.experiment.Namespace, member.Name)
			if err != nil {
				return err
			}
			if measurement != nil {
				o.measurements[member.Name], found = measurement, true
			}
		}
		if !found {
			break
		}
	}
	return nil
}

// measurement of that name, whoever's it is; nil where there is none.
func (r *Reconciler) measurement(ctx context.Context, namespace, name string) (*v1alpha1.Measurement, error) {
	var measurement v1alpha1.Measurement
	err := r.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &measurement)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for measurement %s: %w", name, err)
	}
	return &measurement, nil
}

func (r *Reconciler) observeStore(ctx context.Context, o *observed) error {
	installed := o.experiment.Status.Store
	if installed == nil {
		return nil
	}
	var err error
	if o.objects, err = r.storeObjects(ctx, o.experiment.Namespace, installed.Release); err != nil {
		return err
	}
	if installed.ReadyAt == nil || len(o.objects.Pods) == 0 {
		if o.release, err = r.Releases.Status(ctx, installed.Release); err != nil {
			return err
		}
	}
	if err := r.observeClaims(ctx, o); err != nil {
		return err
	}
	for i := range o.objects.StatefulSets {
		set := &o.objects.StatefulSets[i]
		if set.Spec.Replicas != nil && podsOf(set, o.objects.Pods) < int(*set.Spec.Replicas) {
			if err := r.observeCreation(ctx, o, set); err != nil {
				return err
			}
		}
	}
	return nil
}

// storeObjects lists what belongs to a release, from the cache.
func (r *Reconciler) storeObjects(ctx context.Context, namespace, releaseName string) (store.Objects, error) {
	var (
		sets        appsv1.StatefulSetList
		deployments appsv1.DeploymentList
		daemons     appsv1.DaemonSetList
		pods        corev1.PodList
		services    corev1.ServiceList
		slicesList  discoveryv1.EndpointSliceList
		claims      corev1.PersistentVolumeClaimList
	)
	for _, list := range []client.ObjectList{&sets, &deployments, &daemons, &pods, &services, &slicesList, &claims} {
		if err := r.Client.List(ctx, list, client.InNamespace(namespace), client.MatchingLabels{instanceLabel: releaseName}); err != nil {
			return store.Objects{}, fmt.Errorf("list the objects of store %s: %w", releaseName, err)
		}
	}
	return store.Objects{
		StatefulSets: sets.Items, Deployments: deployments.Items, DaemonSets: daemons.Items,
		Pods: pods.Items, Services: services.Items, Slices: slicesList.Items, Claims: claims.Items,
	}, nil
}

// currentCell is the first of the plan that is not finished.
func (o *observed) currentCell() (plan.Cell, bool) {
	for cell := range o.plan.All() {
		if measurement := o.measurements[cell.Name]; measurement == nil || !finished(measurement) {
			return *cell, true
		}
	}
	return plan.Cell{}, false
}

// storeOf the cell.
func (o *observed) storeOf(cell plan.Cell) plan.Store {
	for _, candidate := range o.plan.Stores {
		if slices.ContainsFunc(candidate.Cells, func(c plan.Cell) bool { return c.Name == cell.Name }) {
			return candidate
		}
	}
	return plan.Store{}
}

// readiness of the installed store, for the servers of the plan's store.
func (o *observed) readiness(installation plan.Store) store.Readiness {
	return store.Ready(o.release.Workloads, o.objects, o.nodes(), installation.HostedNames())
}

// nodes are the store's pods that were asked for.
func (o *observed) nodes() int {
	installed := o.experiment.Status.Store
	switch {
	case installed.Nodes > 0:
		return int(installed.Nodes)
	case installed.ReadyAt != nil:
		return len(installed.Pods) // an older operator did not record them
	}
	return store.Nodes(o.release.Workloads, o.objects)
}

// patience with the pods of store and load.
func (o *observed) patience() store.Patience {
	patience := store.Patience{Scheduling: o.experiment.Spec.Store.ReadyTimeout.Duration / 2}
	if installed := o.experiment.Status.Store; installed != nil {
		patience.Known = installed.Pods
	}
	return patience
}
