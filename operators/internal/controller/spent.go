package controller

import (
	"context"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
)

// A load pod and its Job end once meter was scraped for the last time. An injected container, as of a service mesh, may run forever and keep the
// pod's resources: such a Job is deleted once Ringside's containers in it have ended.

// observeSpent looks for Jobs of finished measurements that do not end by themselves.
func (r *Reconciler) observeSpent(ctx context.Context, o *observed, jobs []batchv1.Job) error {
	for i := range jobs {
		job := &jobs[i]
		measurement := o.measurements[job.Labels[v1beta1.LabelMeasurement]]
		if measurement == nil || !measurement.Finished() || !metav1.IsControlledBy(job, measurement) || jobEnded(job) || job.DeletionTimestamp != nil {
			continue
		}
		pods, err := podsOfJob(ctx, r.Client, job)
		if err != nil {
			return err
		}
		switch foreign, ended := strangers(pods); {
		case len(foreign) == 0:
		case ended:
			o.spentJobs = append(o.spentJobs, job.Name)
		default:
			o.lingering = append(o.lingering, job.Name)
		}
	}
	slices.Sort(o.spentJobs)
	slices.Sort(o.lingering)
	return nil
}

// strangers returns the foreign containers of a Job's pods, and whether Ringside's own containers have ended in all of them.
func strangers(pods []corev1.Pod) (foreign []string, ended bool) {
	ended = true
	for i := range pods {
		foreign = append(foreign, loadgen.Foreign(&pods[i])...)
		ended = ended && loadgen.Ended(&pods[i])
	}
	slices.Sort(foreign)
	return slices.Compact(foreign), ended
}

// removeSpent deletes Jobs in which no container of Ringside runs any more.
type removeSpent struct{ jobs []string }

func (s removeSpent) String() string {
	return "remove load pods in which only containers of others still run: " + strings.Join(s.jobs, ", ")
}

func (s removeSpent) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	for _, name := range s.jobs {
		if err := r.deleteJob(ctx, o.experiment.Namespace, name); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: faultPause}, nil // the cache will show the deletion
}

// closeRun finishes the run, once no load pod is left that would have to be removed.
func closeRun(o observed) step {
	if len(o.lingering) > 0 {
		return wait{after: attentive, progress: progress{reason: v1beta1.ReasonMeasuring, current: "waiting for the last scrape of its load pods",
			message: "waiting for the last scrape of the load pods of job " + o.lingering[0]}}
	}
	return finishRun{}
}
