package controller

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlbuilder "sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Watched returns the kinds, apart from Ringside's own, whose changes can trigger the next step of a run.
func Watched() []client.Object {
	return []client.Object{
		&batchv1.Job{}, &corev1.Pod{}, &appsv1.StatefulSet{}, &appsv1.Deployment{}, &appsv1.DaemonSet{},
		&corev1.Service{}, &discoveryv1.EndpointSlice{}, &corev1.PersistentVolumeClaim{},
	}
}

// CacheOptions restrict the cache to objects of runs, in one namespace.
func CacheOptions(namespace string) cache.Options {
	ofRuns, err := labels.NewRequirement(v1beta1.LabelExperiment, selection.Exists, nil)
	if err != nil {
		panic(err) // a constant is malformed
	}
	byObject := map[client.Object]cache.ByObject{&corev1.Namespace{}: ownNamespace(namespace)}
	for _, object := range Watched() {
		byObject[object] = cache.ByObject{Label: labels.NewSelector().Add(*ofRuns)}
	}
	return cache.Options{
		DefaultTransform:  leaner(),
		DefaultNamespaces: map[string]cache.Config{namespace: {}},
		ByObject:          byObject,
	}
}

// cacheSyncTimeout is how long the initial lists may take before the operator exits and is restarted. The history may
// be long and the API server slow: two minutes were too short for 12,000 measurements.
const cacheSyncTimeout = 15 * time.Minute

// SetupWithManager registers the controller. It reconciles one experiment at a time, because experiments share the
// machine.
func (r *Reconciler) SetupWithManager(manager ctrl.Manager) error {
	builder := ctrl.NewControllerManagedBy(manager).
		Named("experiment").
		For(&v1beta1.Experiment{}).
		Owns(&v1beta1.Measurement{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 1, CacheSyncTimeout: cacheSyncTimeout})
	for _, object := range Watched() {
		builder = builder.Watches(object, r.pace.handler(r.unfinished))
	}
	builder = builder.Watches(&v1beta1.MeasurementPart{}, r.pace.handler(r.unfinished), ctrlbuilder.WithPredicates(otherState()))
	builder = builder.Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(r.held))
	// When one experiment ends, the next one can start.
	builder = builder.Watches(&v1beta1.Experiment{}, handler.EnqueueRequestsFromMapFunc(r.unfinished), ctrlbuilder.WithPredicates(moves()))
	return builder.Complete(r)
}

// unfinished returns the unfinished experiments to reconcile after a change of an object: those of its run, or all if
// it is an experiment.
func (r *Reconciler) unfinished(ctx context.Context, object client.Object) []reconcile.Request {
	var list v1beta1.ExperimentList
	if err := r.Client.List(ctx, &list, client.InNamespace(object.GetNamespace()), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).Error(err, "list the experiments")
		return nil
	}
	_, isExperiment := object.(*v1beta1.Experiment)
	var requests []reconcile.Request
	for i := range list.Items {
		experiment := &list.Items[i]
		over := experiment.Status.FinishedAt != nil && experiment.DeletionTimestamp == nil
		mine := isExperiment || object.GetLabels()[v1beta1.LabelRun] == experiment.RunID()
		if !over && mine {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(experiment)})
		}
	}
	return requests
}
