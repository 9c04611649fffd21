package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// createMeasurement creates the objects of the cell and its companions. Objects that exist already are kept.
type createMeasurement struct{ cell plan.Cell }

func (s createMeasurement) String() string { return "create measurement " + s.cell.Name }

func (s createMeasurement) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if err := r.confirm(ctx, o, nil); err != nil {
		return ctrl.Result{}, err
	}
	for _, cell := range o.plan.Group(s.cell) {
		if o.measurements[cell.Name] != nil {
			continue
		}
		measurement := &v1beta1.Measurement{
			ObjectMeta: metav1.ObjectMeta{
				Name:      cell.Name,
				Namespace: o.experiment.Namespace,
				Labels:    measurementLabels(o.experiment, cell),
				OwnerReferences: []metav1.OwnerReference{
					*metav1.NewControllerRef(o.experiment, v1beta1.GroupVersion.WithKind("Experiment")),
				},
			},
			Spec: *cell.Spec.DeepCopy(), // the answer is decoded into it
		}
		if err := r.Client.Create(ctx, measurement); err != nil && !apierrors.IsAlreadyExists(err) {
			return ctrl.Result{}, fmt.Errorf("create measurement %s: %w", cell.Name, err)
		}
	}
	// The watch reports the new objects. An immediate reconcile would create them again as long as the watch lags.
	return ctrl.Result{RequeueAfter: attentive}, nil
}

func measurementLabels(experiment *v1beta1.Experiment, cell plan.Cell) map[string]string {
	labels := runLabels(experiment)
	maps.Copy(labels, map[string]string{
		v1beta1.LabelServer:            cell.Spec.Server,
		v1beta1.LabelPhase:             cell.Spec.Phase,
		v1beta1.LabelOperation:         cell.Spec.Operation,
		v1beta1.LabelRound:             strconv.Itoa(int(cell.Spec.Round)),
		v1beta1.LabelRepeat:            strconv.Itoa(int(cell.Spec.Repeat)),
		v1beta1.LabelMeasurement:       cell.Name,
		"app.kubernetes.io/name":       "ringside",
		"app.kubernetes.io/part-of":    "ringside",
		"app.kubernetes.io/managed-by": "ringside-operator",
	})
	return labels
}

// beginAttempt counts the attempt before its job is created, so that parts of another attempt are never mistaken for
// its own.
type beginAttempt struct{ cell plan.Cell }

func (s beginAttempt) String() string { return "begin an attempt at measurement " + s.cell.Name }

func (s beginAttempt) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	measurement := o.measurements[s.cell.Name]
	return again, r.writeMeasurement(ctx, o, measurement, func(status *v1beta1.MeasurementStatus) { resetAttempt(status, 1) })
}

func resetAttempt(status *v1beta1.MeasurementStatus, attempt int32) {
	status.Attempt = attempt
	status.StartAt = nil
	status.Parts = nil
	status.StorePods = nil
	status.Faults = nil
	status.LoadImage = nil
}

// createJob starts the load pods. It succeeds if its own job exists already.
type createJob struct {
	cell  plan.Cell
	store plan.Store
}

func (s createJob) String() string { return "create the job of measurement " + s.cell.Name }

func (s createJob) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	measurement := o.measurements[s.cell.Name]
	if err := r.confirm(ctx, o, measurement); err != nil {
		return ctrl.Result{}, err
	}
	release := s.store.ReleaseOf(measurement.Spec.Server)
	installed, settings, err := r.storeOrder(o, release)
	if err != nil {
		return failRun{reason: v1beta1.ReasonStoreFailed, message: err.Error()}.do(ctx, r, o)
	}
	pods := o.objects.Pods
	if len(measurement.Spec.Arms) == 0 {
		pods = store.PodsOf(pods, release.Name)
	}
	job := loadgen.BuildJob(loadgen.JobOrder{
		Experiment:        o.experiment,
		Measurement:       measurement,
		Attempt:           measurement.Status.Attempt,
		Phase:             s.cell.Phase,
		Image:             r.Images.Reference(o.experiment.Spec.LoadImage(s.cell.Phase)),
		MeterImage:        r.MeterImage,
		PullPolicy:        pullPolicy(r.Images),
		Endpoints:         o.endpoints(s.store),
		Counters:          store.Counters(pods),
		Queue:             installed.Chart.Queue(),
		Killers:           store.Killers(pods),
		Profilers:         store.Profilers(pods),
		ReplicationFactor: settings.ReplicationFactor(),
		StoreReleases:     o.experiment.Status.Store.ReleaseNames(),
	})
	err = r.Client.Create(ctx, job)
	if apierrors.IsAlreadyExists(err) {
		var present batchv1.Job
		if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(job), &present); err != nil {
			return ctrl.Result{RequeueAfter: attentive}, client.IgnoreNotFound(err)
		}
		if strange := jobInTheWay(&present, measurement); strange != "" {
			return failRun{reason: v1beta1.ReasonLoadFailed, message: strange}.do(ctx, r, o)
		}
		return ctrl.Result{RequeueAfter: attentive}, nil // the cache will show the job, or its deletion
	}
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("create job %s: %w", job.Name, err)
	}
	if err := r.report(ctx, o, measuring(o, s.cell, measurement)); err != nil {
		return ctrl.Result{}, err
	}
	// Deleting them takes the API server up to seconds, which pass anyway until the load pods are ready. During the load it would disturb.
	return ctrl.Result{RequeueAfter: attentive}, removeParts{measurements: o.spentParts}.remove(ctx, r, o)
}

// jobInTheWay describes the problem with a Job that has the name of the attempt's Job; empty if it is that Job, or will
// be deleted without action.
func jobInTheWay(job *batchv1.Job, measurement *v1beta1.Measurement) string {
	owner := metav1.GetControllerOf(job)
	switch {
	case metav1.IsControlledBy(job, measurement), job.DeletionTimestamp != nil:
		return ""
	case owner != nil && owner.Kind == "Measurement" && owner.Name == measurement.Name:
		return "" // of a measurement with this name that was deleted; its Job will be deleted too
	}
	return fmt.Sprintf("start the load of measurement %s: job %s with the same name does not belong to Ringside; delete it, or give this run another name, and start a new run", measurement.Name, job.Name)
}

func measuring(o observed, cell plan.Cell, measurement *v1beta1.Measurement) progress {
	return progress{reason: v1beta1.ReasonMeasuring, current: plan.Describe(o.experiment, &cell.Spec),
		message: fmt.Sprintf("measurement %s, attempt %d", measurement.Name, measurement.Status.Attempt)}
}

// announceStart sets the instant at which all load pods begin, and records the store pods at that time. The pods are
// read from the API server, so that an earlier change is not mistaken for an interruption of the phase.
type announceStart struct{ cell plan.Cell }

func (s announceStart) String() string { return "announce the start of measurement " + s.cell.Name }

func (s announceStart) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	measurement := o.measurements[s.cell.Name]
	met, err := r.storeLives(ctx, o)
	if err != nil {
		return ctrl.Result{}, err
	}
	if store.Change(o.experiment.Status.Store.Pods, met) != "" || store.ReadyPods(met) < o.nodes() {
		return ctrl.Result{RequeueAfter: time.Second}, nil // the cache will show the change
	}
	startAt := metav1.NewMicroTime(o.now.Add(orders.StartNotice(measurement.Spec.Pods)))
	for _, member := range append(o.companions(s.cell), measurement) { // the load begins when the lead has its start
		err = r.writeMeasurement(ctx, o, member, func(status *v1beta1.MeasurementStatus) {
			status.StartAt = &startAt
			status.StorePods = met
			status.LoadImage = r.loadImage(o, s.cell, nil)
		})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: patient}, r.report(ctx, o, measuring(o, s.cell, measurement))
}

// storeLives returns the lives of the store's pods, read from the API server.
func (r *Reconciler) storeLives(ctx context.Context, o observed) ([]v1beta1.StorePod, error) {
	pods, err := r.storePods(ctx, o)
	return store.Lives(pods), err
}

// storePods returns the store's pods, read from the API server.
func (r *Reconciler) storePods(ctx context.Context, o observed) ([]corev1.Pod, error) {
	var pods corev1.PodList
	installed := o.experiment.Status.Store
	if err := r.Reader.List(ctx, &pods, client.InNamespace(o.experiment.Namespace), inReleases(installed.ReleaseNames()...)); err != nil {
		return nil, fmt.Errorf("list the pods of store %s: %w", installed.Release, err)
	}
	return store.Pods(pods.Items), nil
}

// loadImage returns the image of the attempt's load pods, with the digests that their nodes have reported and those in
// before.
func (r *Reconciler) loadImage(o observed, cell plan.Cell, before *v1beta1.LoadImage) *v1beta1.LoadImage {
	image := o.experiment.Spec.LoadImage(cell.Phase)
	out := &v1beta1.LoadImage{Reference: r.Images.Reference(image), Built: r.Images.Built(image)}
	if before != nil {
		out.Digests = slices.Clone(before.Digests)
	}
	for _, pod := range o.loadPods {
		if digest := store.ImageDigest(pod, loadgen.Container); digest != "" && !slices.Contains(out.Digests, digest) {
			out.Digests = append(out.Digests, digest)
		}
	}
	slices.Sort(out.Digests)
	return out
}

// stopLoad deletes the experiment's jobs that still run; meter ends the tool in its grace period.
type stopLoad struct{ current string }

func (s stopLoad) String() string { return s.current }

func (s stopLoad) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if err := r.confirm(ctx, o, nil); err != nil {
		return ctrl.Result{}, err
	}
	for _, name := range o.activeJobs {
		if err := r.deleteJob(ctx, o.experiment.Namespace, name); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: attentive}, r.report(ctx, o, progress{current: s.current})
}

func (r *Reconciler) deleteJob(ctx context.Context, namespace, name string) error {
	job := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	job.SetGroupVersionKind(jobKind)
	if err := r.Client.Delete(ctx, job, client.PropagationPolicy(metav1.DeletePropagationBackground)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete job %s: %w", name, err)
	}
	return nil
}
