package controller

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/validation"
)

// acceptSpec checks the spec and fixes the seed, or permanently rejects the experiment.
type acceptSpec struct{}

func (acceptSpec) String() string { return "check the spec" }

func (acceptSpec) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.accept(ctx, o)
}

func (r *Reconciler) accept(ctx context.Context, o observed) error {
	err := validation.Accept(ctx, o.experiment, r.Catalogue, r.Loads, r.Images)
	if refused := (problem.Problem{}); errors.As(err, &refused) {
		return r.refuse(ctx, o, refused)
	}
	if err != nil {
		return err
	}
	seed := o.experiment.Spec.Seed
	if seed == nil {
		drawn := r.NewSeed()
		seed = &drawn
	}
	chart, err := r.Catalogue.Open(o.experiment.Spec.Store.Chart)
	if err != nil {
		return err
	}
	o.plan = plan.Build(o.experiment, *seed)
	err = r.writeStatus(ctx, o, news{}, func(status *v1beta1.ExperimentStatus) {
		status.Seed = seed
		status.Units = chart.Units()
		status.Current = "accepted"
	})
	if err == nil {
		r.event(o.experiment, normal, v1beta1.ReasonAccepted, "Accept", "the spec can be run")
	}
	return err
}

// refuse ends an experiment that did not start. The condition Accepted has the reason, the others that it was refused.
func (r *Reconciler) refuse(ctx context.Context, o observed, why problem.Problem) error {
	err := r.writeStatus(ctx, o, news{refused: &why}, func(status *v1beta1.ExperimentStatus) {
		status.Current = ""
		now := metav1.NewTime(o.now)
		status.FinishedAt = &now
	})
	if err == nil {
		r.event(o.experiment, warning, v1beta1.ReasonRefused, "Accept", why.Error())
	}
	return err
}

// startRun starts the run. No other run of the namespace is active.
type startRun struct{}

func (startRun) String() string { return "start the run" }

func (startRun) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.writeStatus(ctx, o, news{activity: progress{reason: v1beta1.ReasonAccepted, message: "the run starts"}}, func(status *v1beta1.ExperimentStatus) {
		now := metav1.NewTime(o.now)
		status.StartedAt = &now
	})
}
