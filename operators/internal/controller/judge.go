package controller

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/plan"
)

// toJudge returns how many rounds of a run that may end early are finished, and whether their precision is still to be
// computed. next is the first cell that is not finished.
func toJudge(o observed, next plan.Cell, pending bool) (rounds int32, due bool) {
	if !o.experiment.Spec.StopsByItself() || o.experiment.Status.Enough() {
		return 0, false
	}
	rounds = o.experiment.Spec.Rounds
	if pending {
		rounds = next.Spec.Round - 1
	}
	judged := o.experiment.Status.Precision
	return rounds, rounds > 0 && (judged == nil || judged.Rounds < rounds)
}

// judgeRounds records the precision of the finished rounds, and which phases are left out of later ones. The run ends after them if the
// precision is sufficient or its time has passed.
type judgeRounds struct{ rounds int32 }

func (s judgeRounds) String() string { return fmt.Sprintf("judge how precise %d rounds are", s.rounds) }

func (s judgeRounds) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	whole, err := r.wholeMeasurements(ctx, o)
	if err != nil {
		return ctrl.Result{}, err
	}
	var measurements []*v1beta1.Measurement
	for cell := range o.plan.All() {
		if measurement := whole[cell.Name]; measurement != nil && cell.Spec.Round <= s.rounds {
			measurements = append(measurements, measurement)
		}
	}
	judged, err := precision.Judge(o.experiment, s.rounds, measurements)
	if err != nil {
		return ctrl.Result{}, err
	}
	after := *o.experiment
	after.Status.Precision = &judged
	o.plan = plan.OfRun(&after) // its measurements are counted with the same write
	if err := r.writeStatus(ctx, o, news{}, func(status *v1beta1.ExperimentStatus) { status.Precision = &judged }); err != nil {
		return ctrl.Result{}, err
	}
	if judged.Reason != "" {
		r.event(o.experiment, normal, judged.Reason, "Judge", precision.Sentence(&o.experiment.Spec, &judged))
		return again, nil
	}
	for _, phase := range judged.Settled {
		if phase.Rounds == s.rounds {
			r.event(o.experiment, normal, v1beta1.ReasonPrecisionReached, "Judge", precision.Settled(phase)+"; later rounds are without it")
		}
	}
	return again, nil
}
