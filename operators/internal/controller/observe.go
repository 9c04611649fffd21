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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/loadjob"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/release"
	"ringside.dev/ringside/operators/internal/store"
)

// observed is what a decision is made on.
type observed struct {
	now        time.Time
	experiment *v1alpha1.Experiment
	// specChanged says that the spec is not the one that the run began with.
	specChanged  bool
	plan         plan.Plan
	measurements map[string]*v1alpha1.Measurement
	// holder names the other experiment that has the machine, or that is before this one in the queue.
	holder string
	// release of the store in the experiment's status; read only while it is installed or missing.
	release release.Status
	objects store.Objects
	// job and pods of the attempt under way.
	job      *batchv1.Job
	loadPods []corev1.Pod
	// creationFault is why the controller of the store's or the load's pods cannot make them; asked for where pods are missing.
	creationFault string
	// otherLoads are pods of other attempts that may still drive load; asked for before a job is made.
	otherLoads []corev1.Pod
	// activeJobs drive load for measurements that are not finished. (The job of a finished one ends by itself, once its last
	// metrics were scraped.)
	activeJobs []string
}

const (
	instanceLabel  = "app.kubernetes.io/instance"
	componentLabel = "app.kubernetes.io/component"

	// creationGrace is what the controller of a workload gets to make its pods before it is asked why it has not.
	creationGrace = 30 * time.Second
)

// observe reads what the experiment's next step depends on, from the cache where that is harmless.
func (r *Reconciler) observe(ctx context.Context, experiment *v1alpha1.Experiment) (observed, error) {
	o := observed{now: r.Clock.Now(), experiment: experiment}
	var err error
	if experiment.Status.FinishedAt != nil && experiment.DeletionTimestamp == nil {
		return o, nil
	}
	if accepted := experiment.Status.AcceptedSpec; accepted != nil {
		if o.specChanged, err = specChanged(accepted, experiment.Spec); err != nil {
			return o, err
		}
	}
	if experiment.Status.Seed != nil {
		o.plan = plan.Build(experiment, *experiment.Status.Seed)
	}
	if experiment.Status.StartedAt == nil {
		if o.holder, err = r.holder(ctx, experiment); err != nil {
			return o, err
		}
	}
	if err := r.observeMeasurements(ctx, &o); err != nil {
		return o, err
	}
	if err := r.observeStore(ctx, &o); err != nil {
		return o, err
	}
	return o, r.observeLoad(ctx, &o)
}

func (r *Reconciler) observeMeasurements(ctx context.Context, o *observed) error {
	var list v1alpha1.MeasurementList
	if err := r.Client.List(ctx, &list, client.InNamespace(o.experiment.Namespace)); err != nil {
		return fmt.Errorf("list the measurements: %w", err)
	}
	o.measurements = map[string]*v1alpha1.Measurement{}
	for i := range list.Items {
		o.measurements[list.Items[i].Name] = &list.Items[i]
	}
	return nil
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

// observeLoad reads the job of the attempt under way and its pods, and which jobs of the experiment are still active.
func (r *Reconciler) observeLoad(ctx context.Context, o *observed) error {
	var jobs batchv1.JobList
	if err := r.Client.List(ctx, &jobs, client.InNamespace(o.experiment.Namespace), client.HasLabels{v1alpha1.LabelMeasurement}); err != nil {
		return fmt.Errorf("list the load's jobs: %w", err)
	}
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if o.waitsFor(job) && !jobEnded(job) && job.DeletionTimestamp == nil {
			o.activeJobs = append(o.activeJobs, job.Name)
		}
	}
	slices.Sort(o.activeJobs)
	cell, pending := o.currentCell()
	measurement := o.measurements[cell.Name]
	if !pending || measurement == nil || measurement.Status.Attempt == 0 {
		return nil
	}
	job, err := r.findJob(ctx, jobs.Items, measurement)
	if err != nil {
		return err
	}
	if job == nil {
		return r.observeOtherLoads(ctx, o)
	}
	o.job = job
	if o.loadPods, err = podsOfJob(ctx, r.Client, job); err != nil {
		return err
	}
	if missesPod(partsOf(measurement), o.loadPods) {
		// The cache may not show a pod yet that has written already. That one is gone is believed only from the API server itself.
		if o.loadPods, err = podsOfJob(ctx, r.Reader, job); err != nil {
			return err
		}
	}
	if len(o.loadPods) < int(measurement.Spec.Pods) && !jobEnded(job) {
		return r.observeCreation(ctx, o, job)
	}
	return nil
}

func podsOfJob(ctx context.Context, reader client.Reader, job *batchv1.Job) ([]corev1.Pod, error) {
	var pods corev1.PodList
	if err := reader.List(ctx, &pods, client.InNamespace(job.Namespace),
		client.MatchingLabels{batchv1.ControllerUidLabel: string(job.UID)}); err != nil {
		return nil, fmt.Errorf("list the pods of job %s: %w", job.Name, err)
	}
	slices.SortFunc(pods.Items, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return pods.Items, nil
}

// observeOtherLoads finds pods that may still drive load though they belong to no attempt under way: those of a job that was
// deleted or given up live on through their grace period. A pod whose measurement has its result drives none any more.
func (r *Reconciler) observeOtherLoads(ctx context.Context, o *observed) error {
	var pods corev1.PodList
	if err := r.Reader.List(ctx, &pods, client.InNamespace(o.experiment.Namespace),
		client.MatchingLabels{componentLabel: loadjob.Component}, client.HasLabels{v1alpha1.LabelMeasurement}); err != nil {
		return fmt.Errorf("list the pods of loads: %w", err)
	}
	for _, pod := range pods.Items {
		measurement := o.measurements[pod.Labels[v1alpha1.LabelMeasurement]]
		idle := measurement != nil && measurement.Status.Result != nil
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		if !idle && !ended {
			o.otherLoads = append(o.otherLoads, pod)
		}
	}
	return nil
}

// observeCreation asks why the controller of a workload has not made all its pods, once it has had time to.
func (r *Reconciler) observeCreation(ctx context.Context, o *observed, workload client.Object) error {
	if o.creationFault != "" || o.now.Sub(workload.GetCreationTimestamp().Time) < creationGrace {
		return nil
	}
	var events corev1.EventList
	if err := r.Reader.List(ctx, &events, client.InNamespace(workload.GetNamespace()),
		client.MatchingFields{"involvedObject.uid": string(workload.GetUID())}); err != nil {
		return fmt.Errorf("list the events of %s: %w", workload.GetName(), err)
	}
	if fault := store.CreationFault(events.Items); fault != "" {
		o.creationFault = fmt.Sprintf("the pods of %s cannot be made: %s; raise the quota, relax the policy or make what is missing", workload.GetName(), fault)
	}
	return nil
}

func podsOf(owner client.Object, pods []corev1.Pod) int {
	n := 0
	for i := range pods {
		if metav1.IsControlledBy(&pods[i], owner) {
			n++
		}
	}
	return n
}

// missesPod says whether a part is not done and its pod is not among those given.
func missesPod(parts []v1alpha1.Part, pods []corev1.Pod) bool {
	return slices.ContainsFunc(parts, func(part v1alpha1.Part) bool {
		return part.State != v1alpha1.PartDone && !slices.ContainsFunc(pods, func(p corev1.Pod) bool { return p.Name == part.Pod })
	})
}

// findJob of the measurement's attempt. That it is missing is believed only from the API server itself.
func (r *Reconciler) findJob(ctx context.Context, cached []batchv1.Job, measurement *v1alpha1.Measurement) (*batchv1.Job, error) {
	name := plan.JobName(measurement.Name, measurement.Status.Attempt)
	job := &batchv1.Job{}
	if i := slices.IndexFunc(cached, func(j batchv1.Job) bool { return j.Name == name }); i >= 0 {
		job = &cached[i]
	} else {
		err := r.Reader.Get(ctx, client.ObjectKey{Namespace: measurement.Namespace, Name: name}, job)
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("get job %s: %w", name, err)
		}
	}
	if job.DeletionTimestamp != nil || !metav1.IsControlledBy(job, measurement) {
		return nil, nil
	}
	return job, nil
}

// waitsFor says whether a job belongs to a measurement of this experiment that is not finished.
func (o *observed) waitsFor(job *batchv1.Job) bool {
	measurement := o.measurements[job.Labels[v1alpha1.LabelMeasurement]]
	return measurement != nil && !finished(measurement) && metav1.IsControlledBy(measurement, o.experiment)
}

// currentCell is the first of the plan that is not finished.
func (o *observed) currentCell() (plan.Cell, bool) {
	for _, cell := range o.plan.Cells() {
		if measurement := o.measurements[cell.Name]; measurement == nil || !finished(measurement) {
			return cell, true
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

// readiness of the installed store, for the server types of the plan's store.
func (o *observed) readiness(installation plan.Store) store.Readiness {
	return store.Ready(o.release.Workloads, o.objects, o.nodes(), installation.Types)
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

// holder is the experiment that this one must wait for: one that has begun and not ended, or an older one that may begin.
// Side by side, runs would disturb each other's figures. The list is read from the API server: two experiments must
// never both find the machine free.
func (r *Reconciler) holder(ctx context.Context, experiment *v1alpha1.Experiment) (string, error) {
	var list v1alpha1.ExperimentList
	if err := r.Reader.List(ctx, &list, client.InNamespace(experiment.Namespace)); err != nil {
		return "", fmt.Errorf("list the experiments: %w", err)
	}
	return pickHolder(experiment, list.Items), nil
}

func pickHolder(experiment *v1alpha1.Experiment, all []v1alpha1.Experiment) string {
	for _, other := range all {
		if other.UID != experiment.UID && other.Status.StartedAt != nil && other.Status.FinishedAt == nil {
			return other.Name
		}
	}
	var first *v1alpha1.Experiment
	for i := range all {
		other := &all[i]
		waiting := other.Status.StartedAt == nil && other.Status.FinishedAt == nil && other.DeletionTimestamp == nil && !other.Spec.Suspend
		if waiting && (first == nil || before(other, first)) {
			first = other
		}
	}
	if first == nil || first.UID == experiment.UID || before(experiment, first) {
		return ""
	}
	return first.Name
}

func before(a, b *v1alpha1.Experiment) bool {
	if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return a.CreationTimestamp.Before(&b.CreationTimestamp)
	}
	return a.Name < b.Name
}
