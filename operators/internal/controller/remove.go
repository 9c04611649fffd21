package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
)

// removalGrace is the grace period of a store's process when its data is removed with it: there is nothing to flush.
const removalGrace = int64(2)

// removeStore deletes the store, repeatedly until nothing is left, and then removes it from the status.
type removeStore struct{ progress }

func (s removeStore) String() string { return s.message }

func (removeStore) repeated() {}

func (s removeStore) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if err := r.confirm(ctx, o, nil); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.report(ctx, o, s.progress); err != nil {
		return ctrl.Result{}, err
	}
	left := 0
	for _, release := range o.experiment.Status.Store.ReleaseNames() {
		gone, err := r.deleteStore(ctx, o, release)
		if err != nil {
			return ctrl.Result{}, err
		}
		if !gone {
			left++
		}
	}
	if left > 0 {
		return ctrl.Result{RequeueAfter: attentive}, nil
	}
	name := o.experiment.Status.Store.Release
	message := "store " + name + " and its data are removed"
	err := r.writeStatus(ctx, o, news{removed: message}, func(status *v1beta1.ExperimentStatus) { status.Store = nil })
	if err == nil {
		r.event(o.experiment, normal, "StoreRemoved", "Remove", message)
	}
	return again, err
}

// deleteStore uninstalls a release and deletes its pods and volume claims. It reports whether all of them are gone.
func (r *Reconciler) deleteStore(ctx context.Context, o observed, name string) (bool, error) {
	status, err := r.Releases.Status(ctx, name)
	if err != nil {
		return false, err
	}
	if status.State != storechart.Absent {
		if err := r.Releases.Uninstall(ctx, name); err != nil {
			return false, err
		}
	}
	namespace := o.experiment.Namespace
	selector := []client.ListOption{client.InNamespace(namespace), inReleases(name)}
	var pods corev1.PodList
	var claims corev1.PersistentVolumeClaimList
	// Read from the API server: an empty list must mean that nothing is left.
	if err := r.Reader.List(ctx, &pods, selector...); err != nil {
		return false, fmt.Errorf("list the pods of store %s: %w", name, err)
	}
	if err := r.Reader.List(ctx, &claims, selector...); err != nil {
		return false, fmt.Errorf("list the volume claims of store %s: %w", name, err)
	}
	for i := range claims.Items {
		if err := r.deleteObject(ctx, &claims.Items[i]); err != nil {
			return false, err
		}
	}
	for i := range pods.Items {
		if err := r.shortenGracePeriod(ctx, &pods.Items[i]); err != nil {
			return false, err
		}
	}
	return len(pods.Items) == 0 && len(claims.Items) == 0, nil
}

func (r *Reconciler) deleteObject(ctx context.Context, object client.Object) error {
	if object.GetDeletionTimestamp() != nil {
		return nil
	}
	if err := r.Client.Delete(ctx, object); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete %s: %w", object.GetName(), err)
	}
	return nil
}

// shortenGracePeriod shortens the grace period of a store's pod that is being deleted.
func (r *Reconciler) shortenGracePeriod(ctx context.Context, pod *corev1.Pod) error {
	if pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds <= removalGrace {
		return nil
	}
	if err := r.Client.Delete(ctx, pod, client.GracePeriodSeconds(removalGrace)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete pod %s: %w", pod.Name, err)
	}
	return nil
}
