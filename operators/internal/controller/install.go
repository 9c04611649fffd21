package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/accept"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/release"
)

// recordStore writes down what will be installed before anything is, so that whoever comes next can remove it.
func (r *Reconciler) recordStore(ctx context.Context, o observed, next step) error {
	message := fmt.Sprintf("installing store %s", next.store.Release)
	return r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) {
		status.Store = &v1alpha1.StoreStatus{
			Release:     next.store.Release,
			Round:       next.store.Round,
			Servers:     next.store.Servers,
			InstalledAt: metav1.NewTime(o.now),
		}
		o.condition(status, v1alpha1.ConditionStoreReady, false, v1alpha1.ReasonInstallingStore, message)
		o.condition(status, v1alpha1.ConditionProgressing, true, v1alpha1.ReasonInstallingStore, message)
		status.Current = "installs store " + next.store.Release
	})
}

// install creates the store's objects. A refusal for good ends the run; other errors are tried again, until the store's ready timeout has passed.
func (r *Reconciler) install(ctx context.Context, o observed, next step) error {
	order, _, err := r.storeOrder(o, next.store)
	if err != nil {
		return r.fail(ctx, o, failed(v1alpha1.ReasonStoreFailed, err.Error()))
	}
	err = r.Releases.Install(ctx, order)
	if err == nil {
		r.event(o.experiment, normal, v1alpha1.ReasonInstallingStore, "Install", "installed store "+next.store.Release)
		return nil
	}
	if mendOf(err) == "" {
		r.event(o.experiment, warning, v1alpha1.ReasonStoreFailed, "Install", err.Error())
	}
	return err
}

// storeOrder settles the values of an installation.
func (r *Reconciler) storeOrder(o observed, installation plan.Store) (release.Order, release.Settings, error) {
	spec := o.experiment.Spec
	chart, err := r.Catalogue.Open(spec.Store.Chart)
	if err != nil {
		return release.Order{}, release.Settings{}, err
	}
	values, err := release.Values(spec.Store.Values, accept.ServerValues(spec, installation), installation.Types, r.Images)
	if err != nil {
		return release.Order{}, release.Settings{}, err
	}
	settings, err := chart.Settle(values)
	if err != nil {
		return release.Order{}, release.Settings{}, err
	}
	return release.Order{Release: installation.Release, Chart: chart, Values: values, Labels: runLabels(o.experiment)}, settings, nil
}

// runLabels are on everything that belongs to the run.
func runLabels(experiment *v1alpha1.Experiment) map[string]string {
	return map[string]string{
		v1alpha1.LabelExperiment: experiment.DocumentName(),
		v1alpha1.LabelRun:        experiment.RunID(),
		v1alpha1.LabelStore:      experiment.Spec.Store.Chart,
	}
}

// clearRemains removes what an interrupted installation left, before the next try.
func (r *Reconciler) clearRemains(ctx context.Context, o observed, next step) (ctrl.Result, error) {
	if err := r.report(ctx, o, next); err != nil {
		return ctrl.Result{}, err
	}
	_, err := r.clear(ctx, o, next.store.Release)
	return ctrl.Result{RequeueAfter: next.after}, err
}

func pullPolicy(images release.Images) corev1.PullPolicy { return corev1.PullPolicy(images.PullPolicy) }
