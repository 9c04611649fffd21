package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
)

// observeLoad reads the job of the current attempt and its pods, and which jobs of the experiment are active.
func (r *Reconciler) observeLoad(ctx context.Context, o *observed) error {
	var jobs batchv1.JobList
	if err := r.Client.List(ctx, &jobs, client.InNamespace(o.experiment.Namespace), client.HasLabels{v1beta1.LabelMeasurement}, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("list the load's jobs: %w", err)
	}
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if o.waitsFor(job) && !jobEnded(job) && job.DeletionTimestamp == nil {
			o.activeJobs = append(o.activeJobs, job.Name)
		}
	}
	slices.Sort(o.activeJobs)
	if err := r.observeSpent(ctx, o, jobs.Items); err != nil {
		return err
	}
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
	if missesPod(o.parts[measurement.Name], o.loadPods) || missesFailure(job, o.loadPods) {
		// The cache may lag behind a pod that has written already, or behind the end of one. Only the API server can confirm that a pod is gone, and
		// how it ended: a Job's failure alone does not show whether the load tool is to blame.
		if o.loadPods, err = podsOfJob(ctx, r.Reader, job); err != nil {
			return err
		}
	}
	if o.undelivered, err = r.findUndelivered(ctx, o, measurement); err != nil {
		return err
	}
	if len(o.loadPods) < int(measurement.Spec.Pods) && !jobEnded(job) {
		return r.observeCreation(ctx, o, job)
	}
	return nil
}

// podsOfJob returns the pods of a Job by name. Those of a cache must not be modified.
func podsOfJob(ctx context.Context, reader client.Reader, job *batchv1.Job) ([]corev1.Pod, error) {
	var pods corev1.PodList
	if err := reader.List(ctx, &pods, client.InNamespace(job.Namespace),
		client.MatchingLabels{batchv1.ControllerUidLabel: string(job.UID)}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("list the pods of job %s: %w", job.Name, err)
	}
	slices.SortFunc(pods.Items, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return pods.Items, nil
}

// observeOtherLoads finds pods that may still generate load but do not belong to the current attempt: pods of a deleted
// job run until their grace period ends. A pod whose measurement has its result generates no load.
func (r *Reconciler) observeOtherLoads(ctx context.Context, o *observed) error {
	var pods corev1.PodList
	if err := r.Reader.List(ctx, &pods, client.InNamespace(o.experiment.Namespace),
		client.MatchingLabels{v1beta1.LabelComponent: loadgen.Component}, client.HasLabels{v1beta1.LabelMeasurement}); err != nil {
		return fmt.Errorf("list the pods of loads: %w", err)
	}
	for _, pod := range pods.Items {
		measurement, err := r.measurement(ctx, pod.Namespace, pod.Labels[v1beta1.LabelMeasurement])
		if err != nil {
			return err
		}
		idle := measurement != nil && measurement.Status.Result != nil
		if !idle && !loadgen.Ended(&pod) {
			o.otherLoads = append(o.otherLoads, pod)
		}
	}
	return nil
}

// findUndelivered returns a load pod that succeeded without delivering a result; empty if there is none. Meter delivers
// before it ends, but the cache may show the pod's end first. Only the API server can confirm that nothing was
// delivered.
func (r *Reconciler) findUndelivered(ctx context.Context, o *observed, measurement *v1beta1.Measurement) (string, error) {
	if undelivered(o.parts[measurement.Name], o.loadPods) == "" {
		return "", nil
	}
	var present v1beta1.MeasurementPartList
	if err := r.Reader.List(ctx, &present, client.InNamespace(measurement.Namespace), client.MatchingLabels{v1beta1.LabelMeasurement: measurement.Name}); err != nil {
		return "", fmt.Errorf("list the parts of measurement %s: %w", measurement.Name, err)
	}
	return undelivered(plan.PartsOf(measurement, present.Items)[measurement.Name], o.loadPods), nil
}

// undelivered returns the first pod that succeeded without a part that is done.
func undelivered(parts []v1beta1.Part, pods []corev1.Pod) string {
	for i := range pods {
		pod := &pods[i]
		done := slices.ContainsFunc(parts, func(part v1beta1.Part) bool { return part.Pod == pod.Name && part.State == v1beta1.PartDone })
		if loadgen.Ended(pod) && !loadgen.Failed(pod) && !done {
			return pod.Name
		}
	}
	return ""
}

// missesPod reports whether a part is not done and its pod is not among those given.
func missesPod(parts []v1beta1.Part, pods []corev1.Pod) bool {
	return slices.ContainsFunc(parts, func(part v1beta1.Part) bool {
		return part.State != v1beta1.PartDone && !slices.ContainsFunc(pods, func(p corev1.Pod) bool { return p.Name == part.Pod })
	})
}

// missesFailure reports whether a job has failed although none of its pods, as given, has.
func missesFailure(job *batchv1.Job, pods []corev1.Pod) bool {
	_, _, failed := jobFailure(job)
	return failed && !slices.ContainsFunc(pods, func(pod corev1.Pod) bool { return loadgen.Failed(&pod) })
}

// findJob returns the job of the measurement's attempt; nil if there is none. Only the API server can confirm that it
// is missing.
func (r *Reconciler) findJob(ctx context.Context, cached []batchv1.Job, measurement *v1beta1.Measurement) (*batchv1.Job, error) {
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

// waitsFor reports whether a job belongs to a measurement of this experiment that is not finished.
func (o *observed) waitsFor(job *batchv1.Job) bool {
	measurement := o.measurements[job.Labels[v1beta1.LabelMeasurement]]
	return measurement != nil && !measurement.Finished() && metav1.IsControlledBy(measurement, o.experiment)
}
