package controller

import (
	"context"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/loadjob"
)

// A load pod ends once meter has been scraped for the last time, and its Job with it. A container that others put there, as a mesh does, may go
// on for ever, and hold what the pod asked for: such a Job is deleted once all that is Ringside's in it has ended.

// observeSpent looks for Jobs of finished measurements that do not end by themselves.
func (r *Reconciler) observeSpent(ctx context.Context, o *observed, jobs []batchv1.Job) error {
	for i := range jobs {
		job := &jobs[i]
		measurement := o.measurements[job.Labels[v1alpha1.LabelMeasurement]]
		if measurement == nil || !finished(measurement) || !metav1.IsControlledBy(job, measurement) || jobEnded(job) || job.DeletionTimestamp != nil {
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

// strangers are the foreign containers of a Job's pods; ended, that Ringside's own have ended in all of them.
func strangers(pods []corev1.Pod) (foreign []string, ended bool) {
	ended = true
	for i := range pods {
		foreign = append(foreign, loadjob.Foreign(&pods[i])...)
		ended = ended && loadjob.Ended(&pods[i])
	}
	slices.Sort(foreign)
	return slices.Compact(foreign), ended
}

// removeSpent deletes Jobs that nothing of Ringside's runs in any more.
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
	return ctrl.Result{RequeueAfter: faultPause}, nil // the cache will tell
}

// closeRun finishes the run, once no load pod is left that would have to be removed.
func closeRun(o observed) step {
	if len(o.lingering) > 0 {
		return wait{after: attentive, progress: progress{reason: v1alpha1.ReasonMeasuring, current: "waits for the last scrape of its load pods",
			message: "waiting until meter has been scraped for the last time in the load pods of job " + o.lingering[0]}}
	}
	return finishRun{}
}
