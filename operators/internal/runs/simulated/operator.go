package simulated

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
)

// Operator processes runs as the real one does, without stores and loads.
type Operator struct {
	Client client.WithWatch
	// Step is the pause between two changes, so that a watcher sees each.
	Step time.Duration
	// Clock is the simulated time of the measurements; each takes Seconds of it.
	Clock time.Time
	// FailAfter ends a run with a failure after this number of measurements; 0 means never.
	FailAfter int
	// HangAfter stops a run within a measurement after this number of finished ones; 0 means never.
	HangAfter int
	// InvalidAt is the number of the measurement, from 1, that becomes invalid.
	InvalidAt int
	// KeepStore keeps the finalizer of a deleted run.
	KeepStore bool
	// Deaf accepts no run.
	Deaf bool
}

// Run performs one step of one run at a time until ctx ends.
func (o *Operator) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		var all v1beta1.ExperimentList
		if err := o.Client.List(ctx, &all); err != nil {
			return err
		}
		for i := range all.Items {
			if err := o.step(ctx, &all.Items[i]); err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && ctx.Err() == nil {
				return fmt.Errorf("simulating %s: %w", all.Items[i].Name, err)
			}
		}
		time.Sleep(o.Step)
	}
	return nil
}

func (o *Operator) step(ctx context.Context, e *v1beta1.Experiment) error {
	if o.Deaf {
		return nil
	}
	if !e.DeletionTimestamp.IsZero() {
		if o.KeepStore {
			return nil
		}
		controllerutil.RemoveFinalizer(e, v1beta1.Finalizer)
		return o.Client.Update(ctx, e)
	}
	if e.Status.FinishedAt != nil {
		return nil
	}
	if controllerutil.AddFinalizer(e, v1beta1.Finalizer) {
		return o.Client.Update(ctx, e)
	}
	if e.Status.Seed == nil {
		return o.accept(ctx, e)
	}
	progressing := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionProgressing)
	if suspended := progressing != nil && progressing.Reason == v1beta1.ReasonSuspended; suspended != e.Spec.Suspend && (suspended || !o.measuring(ctx, e)) {
		return o.suspend(ctx, e, !suspended)
	} else if suspended {
		return nil
	}
	for number, cell := range plan.Build(e, *e.Status.Seed).Cells() {
		var m v1beta1.Measurement
		err := o.Client.Get(ctx, client.ObjectKey{Namespace: e.Namespace, Name: cell.Name}, &m)
		switch {
		case apierrors.IsNotFound(err) && e.Spec.Suspend:
			return nil // the last measurement finished after the check of measuring
		case apierrors.IsNotFound(err):
			if o.FailAfter > 0 && number >= o.FailAfter {
				return o.end(ctx, e, v1beta1.ConditionFailed, "the store did not become ready within 10m: see its pods")
			}
			return o.begin(ctx, e, cell)
		case err != nil:
			return err
		case !m.Finished():
			if o.HangAfter > 0 && number >= o.HangAfter {
				return nil
			}
			return o.finish(ctx, e, &m, number+1)
		}
	}
	return o.end(ctx, e, v1beta1.ConditionComplete, "every measurement was taken")
}

// measuring reports whether a measurement is in progress. It finishes before the run is suspended.
func (o *Operator) measuring(ctx context.Context, e *v1beta1.Experiment) bool {
	for _, cell := range plan.Build(e, *e.Status.Seed).Cells() {
		var m v1beta1.Measurement
		if err := o.Client.Get(ctx, client.ObjectKey{Namespace: e.Namespace, Name: cell.Name}, &m); err == nil && !m.Finished() {
			return true
		}
	}
	return false
}

func (o *Operator) suspend(ctx context.Context, e *v1beta1.Experiment, suspend bool) error {
	reason := v1beta1.ReasonMeasuring
	if suspend {
		reason = v1beta1.ReasonSuspended
	}
	setCondition(e, v1beta1.ConditionProgressing, reason, "")
	return o.Client.Status().Update(ctx, e)
}

func (o *Operator) accept(ctx context.Context, e *v1beta1.Experiment) error {
	seed := int64(1)
	if e.Spec.Seed != nil {
		seed = *e.Spec.Seed
	}
	now := metav1.Now()
	e.Status.Seed, e.Status.StartedAt = &seed, &now
	e.Status.Planned = int32(len(plan.Build(e, seed).Cells()))
	e.Status.Current = "installing store"
	setCondition(e, v1beta1.ConditionAccepted, v1beta1.ReasonAccepted, "")
	setCondition(e, v1beta1.ConditionProgressing, v1beta1.ReasonInstallingStore, "")
	return o.Client.Status().Update(ctx, e)
}

func setCondition(e *v1beta1.Experiment, kind, reason, message string) {
	meta.SetStatusCondition(&e.Status.Conditions, metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: reason, Message: message})
}

func (o *Operator) begin(ctx context.Context, e *v1beta1.Experiment, cell plan.Cell) error {
	m := Measurement(e, cell)
	if err := o.Client.Create(ctx, m); err != nil {
		return err
	}
	start := metav1.NewMicroTime(time.Now())
	m.Status.Attempt, m.Status.StartAt = 1, &start
	meta.SetStatusCondition(&m.Status.Conditions, metav1.Condition{Type: v1beta1.ConditionStarted, Status: metav1.ConditionTrue, Reason: "Started"})
	if err := o.Client.Status().Update(ctx, m); err != nil {
		return err
	}
	part := partOf(m)
	return o.Client.Create(ctx, &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Name: part.Pod, Namespace: m.Namespace, Labels: m.ObjectLabels(),
		OwnerReferences: []metav1.OwnerReference{{APIVersion: v1beta1.GroupVersion.String(), Kind: "Measurement", Name: m.Name, UID: m.UID}}}, Part: part})
}

// partOf returns what the load pod of a measurement reports while it drives load.
func partOf(m *v1beta1.Measurement) v1beta1.Part {
	return v1beta1.Part{Index: 0, Attempt: 1, State: v1beta1.PartRunning, Pod: plan.JobName(m.Name, 1) + "-0-abcde", Operations: m.Spec.Operations / 2, OpRate: "812.5", P95Millis: "20.250"}
}

func (o *Operator) finish(ctx context.Context, e *v1beta1.Experiment, m *v1beta1.Measurement, number int) error {
	start := o.Clock
	o.Clock = start.Add((Seconds + 5) * time.Second)
	log, err := Finish(m, start)
	if err != nil {
		return err
	}
	if number == o.InvalidAt {
		Invalidate(m, "a store pod restarted")
	}
	m.Status.Parts = []v1beta1.Part{partOf(m)}
	m.Status.Parts[0].State = v1beta1.PartDone
	if m.Status.Parts[0].Logs, err = o.storeLog(ctx, m, log); err != nil {
		return err
	}
	if err := o.storeProfile(ctx, m); err != nil {
		return err
	}
	if err := o.Client.Status().Update(ctx, m); err != nil {
		return err
	}
	if err := o.Client.DeleteAllOf(ctx, &v1beta1.MeasurementPart{}, client.InNamespace(m.Namespace), client.MatchingLabels{v1beta1.LabelMeasurement: m.Name}); err != nil {
		return err
	}
	e.Status.Finished++
	if !m.Status.Valid {
		e.Status.Invalid++
	}
	return o.Client.Status().Update(ctx, e)
}

func (o *Operator) storeLog(ctx context.Context, m *v1beta1.Measurement, log *measure.Log) ([]string, error) {
	chunks, err := measure.PackLog(log, measure.MaxChunks)
	if err != nil {
		return nil, err
	}
	return o.store(ctx, m, 0, chunks)
}

// storeProfile stores the profile of a measurement that took one.
func (o *Operator) storeProfile(ctx context.Context, m *v1beta1.Measurement) error {
	packed, err := packProfile(m)
	if err != nil || packed == nil {
		return err
	}
	m.Status.Result.Profile.Chunks, err = o.store(ctx, m, len(m.Status.Parts[0].Logs), measure.Chunks(packed))
	return err
}

// store stores chunks, numbered from first.
func (o *Operator) store(ctx context.Context, m *v1beta1.Measurement, first int, chunks [][]byte) ([]string, error) {
	var names []string
	for i, chunk := range chunks {
		name := measure.LogName(m.Name, 1, 0, first+i, chunk)
		config := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: m.Namespace, Labels: map[string]string{v1beta1.LabelMeasurement: m.Name}},
			BinaryData: map[string][]byte{measure.LogKey: chunk},
		}
		if err := o.Client.Create(ctx, config); client.IgnoreAlreadyExists(err) != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func (o *Operator) end(ctx context.Context, e *v1beta1.Experiment, outcome, message string) error {
	now := metav1.Now()
	e.Status.FinishedAt, e.Status.Current = &now, ""
	reason := v1beta1.ReasonFinished
	if outcome == v1beta1.ConditionFailed {
		reason = v1beta1.ReasonStoreFailed
	}
	setCondition(e, outcome, reason, message)
	succeeded := metav1.Condition{Type: v1beta1.ConditionSucceeded, Status: metav1.ConditionTrue, Reason: reason, Message: message}
	if outcome == v1beta1.ConditionFailed {
		succeeded.Status = metav1.ConditionFalse
	}
	meta.SetStatusCondition(&e.Status.Conditions, succeeded)
	setCondition(e, v1beta1.ConditionProgressing, map[bool]string{true: v1beta1.ReasonFinished, false: v1beta1.ReasonFailed}[outcome == v1beta1.ConditionComplete], message)
	return o.Client.Status().Update(ctx, e)
}
