package controller

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

// recordStore records the store in the status before it is installed, so that any later operator can remove it.
type recordStore struct{ store plan.Store }

func (s recordStore) String() string { return "record store " + s.store.Release }

func (s recordStore) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	var releases []v1beta1.StoreRelease
	for _, release := range s.store.Releases {
		chart, err := r.Catalogue.Open(release.Chart)
		if problem.IsUnavailable(err) {
			return ctrl.Result{}, err // its registry may answer later
		}
		if err != nil {
			return failRun{reason: v1beta1.ReasonStoreFailed, message: err.Error()}.do(ctx, r, o)
		}
		releases = append(releases, v1beta1.StoreRelease{Name: release.Name, Servers: release.Servers, Built: chart.Built(r.Images)})
	}
	installing := "installing store " + s.store.Release
	what := news{unready: true, activity: progress{reason: v1beta1.ReasonInstallingStore, message: installing, current: installing}}
	return again, r.writeStatus(ctx, o, what, func(status *v1beta1.ExperimentStatus) {
		status.Store = &v1beta1.StoreStatus{
			Release:     s.store.Release,
			Round:       s.store.Round,
			Releases:    releases,
			InstalledAt: metav1.NewTime(o.now),
		}
		status.OnNodes = nil
	})
}

// installStore creates the objects of a release. A permanent rejection ends the run; other errors are tried again until the store's
// ready timeout has passed.
type installStore struct{ release plan.Release }

func (s installStore) String() string { return "install store " + s.release.Name }

func (s installStore) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if err := r.confirm(ctx, o, nil); err != nil {
		return ctrl.Result{}, err
	}
	order, _, err := r.storeOrder(o, s.release)
	if problem.IsUnavailable(err) {
		return ctrl.Result{}, err
	}
	if err != nil {
		return failRun{reason: v1beta1.ReasonStoreFailed, message: err.Error()}.do(ctx, r, o)
	}
	err = r.Releases.Install(ctx, order)
	if err == nil {
		r.event(o.experiment, normal, v1beta1.ReasonInstallingStore, "Install", "installed store "+s.release.Name)
		return again, nil
	}
	if refused := (problem.Problem{}); errors.As(err, &refused) {
		return failRun{reason: v1beta1.ReasonStoreFailed, message: refused.Error()}.do(ctx, r, o)
	}
	if fixOf(err) == "" {
		r.event(o.experiment, warning, v1beta1.ReasonStoreFailed, "Install", err.Error())
	}
	return ctrl.Result{}, err
}

// clearRemains removes what an interrupted installation left behind, before the next try.
type clearRemains struct {
	progress
	release string
}

func (s clearRemains) String() string { return s.message }

func (clearRemains) repeated() {}

func (s clearRemains) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if err := r.confirm(ctx, o, nil); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.report(ctx, o, s.progress); err != nil {
		return ctrl.Result{}, err
	}
	_, err := r.deleteStore(ctx, o, s.release)
	return ctrl.Result{RequeueAfter: attentive}, err
}

// storeOrder returns the order of a release and its settings.
func (r *Reconciler) storeOrder(o observed, release plan.Release) (storechart.Order, storechart.Settings, error) {
	spec := o.experiment.Spec
	chart, err := r.Catalogue.Open(release.Chart)
	if err != nil {
		return storechart.Order{}, storechart.Settings{}, err
	}
	values, err := validation.StoreValues(spec, release, chart.Images(r.Images))
	if err != nil {
		return storechart.Order{}, storechart.Settings{}, err
	}
	settings, err := chart.Settle(values)
	if err != nil {
		return storechart.Order{}, storechart.Settings{}, err
	}
	return storechart.Order{Release: release.Name, Chart: chart, Values: values, Labels: runLabels(o.experiment),
		Beside: len(o.experiment.Status.Store.Releases) > 1}, settings, nil
}

// runLabels returns the labels of every object of the run.
func runLabels(experiment *v1beta1.Experiment) map[string]string {
	return map[string]string{
		v1beta1.LabelExperiment: experiment.DocumentName(),
		v1beta1.LabelRun:        experiment.RunID(),
		v1beta1.LabelStore:      experiment.Spec.Store.Name(),
	}
}

func pullPolicy(images storechart.Images) corev1.PullPolicy {
	return corev1.PullPolicy(images.PullPolicy)
}
