package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
)

// observed is the input of a decision.
type observed struct {
	now        time.Time
	experiment *v1beta1.Experiment
	// namespaceEnds reports that the namespace is being deleted, with all objects of the run.
	namespaceEnds bool
	plan          plan.Plan
	measurements  map[string]*v1beta1.Measurement
	// ahead names another experiment that is active, or that precedes this one in the queue.
	ahead string
	// release is the state of the first release of the store that is not deployed, which unfinished names, or of all, with the workloads of those that
	// are. It is read only while the store is being installed or a release has no pods.
	release    storechart.ReleaseStatus
	unfinished string
	objects    store.Objects
	// parts are what the load pods of the current attempt have reported, by measurement: see partsOf. spentParts are the names of finished
	// measurements with reports left, which they have recorded.
	parts      map[string][]v1beta1.Part
	spentParts []string
	// job and loadPods are those of the current attempt.
	job      *batchv1.Job
	loadPods []corev1.Pod
	// creationFault is why the controller of the store's or the load's pods cannot create them. It is read if pods are
	// missing.
	creationFault string
	// claimFault is why volume claims of the store get no volume. claimTrouble is why a store pod cannot be scheduled
	// because of its volume. Both are read if a pod with a claim has no node.
	claimFault, claimTrouble string
	// otherLoads are pods of other attempts that may still generate load. They are read before a job is created.
	otherLoads []corev1.Pod
	// activeJobs generate load for measurements that are not finished. (The job of a finished one ends by itself after
	// the last scrape of its metrics.)
	activeJobs []string
	// spentJobs are jobs of finished measurements in which all of Ringside's containers have ended, but a foreign
	// container keeps the job running. lingering ones have foreign containers too, and meter still waits in them for
	// its last scrape.
	spentJobs, lingering []string
	// undelivered names a load pod of the attempt that has succeeded but, according to the API server, has delivered
	// nothing.
	undelivered string
	// holders describes the pods that hold resources that a pod of this run waits for. It is read if one waits.
	holders string
}

// observe reads the input of the experiment's next decision, from the cache where stale data does no harm.
func (r *Reconciler) observe(ctx context.Context, experiment *v1beta1.Experiment) (observed, error) {
	o := observed{now: r.Clock.Now(), experiment: experiment}
	var err error
	if o.namespaceEnds, err = r.namespaceEnds(ctx, experiment.Namespace); err != nil || o.namespaceEnds {
		return o, err
	}
	if experiment.Status.FinishedAt != nil && experiment.DeletionTimestamp == nil {
		return o, nil
	}
	if experiment.Status.Seed != nil {
		o.plan = r.plans.of(experiment)
	}
	if experiment.Status.StartedAt == nil {
		if o.ahead, err = r.aheadInQueue(ctx, experiment); err != nil {
			return o, err
		}
	}
	if err := r.observeMeasurements(ctx, &o); err != nil {
		return o, err
	}
	if err := r.observeParts(ctx, &o); err != nil {
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

// observeMeasurements reads the measurements of the run, and others with the names of the next ones. It copies no
// measurement of another run. Finished measurements are held in part and must not be modified; those of the current
// cell are whole.
func (r *Reconciler) observeMeasurements(ctx context.Context, o *observed) error {
	var list v1beta1.MeasurementList
	err := r.Client.List(ctx, &list, client.InNamespace(o.experiment.Namespace), client.MatchingLabels{v1beta1.LabelRun: o.experiment.RunID()}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return fmt.Errorf("list the run's measurements: %w", err)
	}
	o.measurements = make(map[string]*v1beta1.Measurement, len(list.Items))
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

// observeNext reads the objects that have the names of the next measurements, whatever run they belong to.
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

// measurement returns the measurement with the name, of any run; nil if there is none.
func (r *Reconciler) measurement(ctx context.Context, namespace, name string) (*v1beta1.Measurement, error) {
	var measurement v1beta1.Measurement
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
	if o.objects, err = r.storeObjects(ctx, o.experiment.Namespace, installed.ReleaseNames()...); err != nil {
		return err
	}
	podless := func(release string) bool { return len(store.PodsOf(o.objects.Pods, release)) == 0 }
	if installed.ReadyAt == nil || slices.ContainsFunc(installed.ReleaseNames(), podless) {
		if err := r.observeReleases(ctx, o); err != nil {
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

// observeReleases reads Helm's records of the store's releases.
func (r *Reconciler) observeReleases(ctx context.Context, o *observed) error {
	o.release = storechart.ReleaseStatus{State: storechart.Deployed}
	for _, name := range o.experiment.Status.Store.ReleaseNames() {
		status, err := r.Releases.Status(ctx, name)
		if err != nil {
			return err
		}
		o.release.Workloads = append(o.release.Workloads, status.Workloads...)
		if o.unfinished == "" && status.State != storechart.Deployed {
			o.release.State, o.unfinished = status.State, name
		}
	}
	return nil
}

// inReleases selects the objects of releases.
func inReleases(names ...string) client.ListOption {
	requirement, err := labels.NewRequirement(v1beta1.LabelInstance, selection.In, names)
	if err != nil {
		return client.MatchingLabelsSelector{Selector: labels.Nothing()} // no release has such a name
	}
	return client.MatchingLabelsSelector{Selector: labels.NewSelector().Add(*requirement)}
}

// storeObjects lists what belongs to releases, from the cache, whose objects must not be modified.
func (r *Reconciler) storeObjects(ctx context.Context, namespace string, releases ...string) (store.Objects, error) {
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
		if err := r.Client.List(ctx, list, client.InNamespace(namespace), inReleases(releases...), client.UnsafeDisableDeepCopy); err != nil {
			return store.Objects{}, fmt.Errorf("list the objects of store %s: %w", strings.Join(releases, ", "), err)
		}
	}
	return store.Objects{
		StatefulSets: sets.Items, Deployments: deployments.Items, DaemonSets: daemons.Items,
		Pods: pods.Items, Services: services.Items, Slices: slicesList.Items, Claims: claims.Items,
	}, nil
}

// currentCell returns the first cell of the plan that is not finished.
func (o *observed) currentCell() (plan.Cell, bool) {
	for cell := range o.plan.All() {
		if measurement := o.measurements[cell.Name]; measurement == nil || !measurement.Finished() {
			return *cell, true
		}
	}
	return plan.Cell{}, false
}

// storeOf returns the store of the cell.
func (o *observed) storeOf(cell plan.Cell) plan.Store {
	for _, candidate := range o.plan.Stores {
		for i := range candidate.Cells {
			if candidate.Cells[i].Name == cell.Name {
				return candidate
			}
		}
	}
	return plan.Store{}
}

// readiness returns the readiness of the installed store, for the servers of the plan's store.
func (o *observed) readiness(installation plan.Store) store.Readiness {
	var servers []store.Server
	for _, release := range installation.Releases {
		for _, hosted := range release.Hosted() {
			servers = append(servers, store.Server{Release: release.Name, Name: hosted.Name})
		}
	}
	return store.Ready(o.release.Workloads, o.objects, o.nodes(), servers)
}

// endpoints returns the endpoints of the servers by their names in the experiment.
func (o *observed) endpoints(installation plan.Store) map[string][]string {
	ready, all := o.readiness(installation).Endpoints, map[string][]string{}
	for _, server := range o.experiment.Spec.Servers {
		all[server.Name] = ready[hostOf(installation, server.Name, server.HostedAs())]
	}
	return all
}

// hostOf returns the server of an arm in an installation, by the name that its release has for it.
func hostOf(installation plan.Store, server, hostedAs string) store.Server {
	return store.Server{Release: installation.ReleaseOf(server).Name, Name: hostedAs}
}

// podsOf returns the store pods of the cell's server.
func (o *observed) podsOf(cell plan.Cell) []corev1.Pod {
	return store.PodsOf(o.objects.Pods, o.storeOf(cell).ReleaseOf(cell.Spec.Server).Name)
}

// nodes returns the requested number of store pods.
func (o *observed) nodes() int {
	installed := o.experiment.Status.Store
	if installed.Nodes > 0 {
		return int(installed.Nodes)
	}
	return store.Nodes(o.release.Workloads, o.objects)
}

// patience returns how long pods of store and load may wait for a node.
func (o *observed) patience() store.Patience {
	patience := store.Patience{Scheduling: o.experiment.Spec.Store.ReadyTimeout.Duration / 2, Pulling: o.experiment.Spec.Store.ReadyTimeout.Duration}
	if installed := o.experiment.Status.Store; installed != nil {
		patience.Known = installed.Pods
	}
	return patience
}
