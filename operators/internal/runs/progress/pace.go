package progress

import (
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/plan"
)

// used of the budget, by what is finished.
func used(e *v1beta1.Experiment, measurements []v1beta1.Measurement) time.Duration {
	all := make([]*v1beta1.Measurement, len(measurements))
	for i := range measurements {
		all[i] = &measurements[i]
	}
	return precision.Used(e, all)
}

// left adds up what is still to come: the rest of this measurement, the measurements not begun (each as long as those of
// its phase were, with the time around their load), and the stores not installed (each as long as this one took).
func left(e *v1beta1.Experiment, measurements []v1beta1.Measurement, current *v1beta1.Measurement, fraction float64, now time.Time) time.Duration {
	if e.Status.Seed == nil {
		return -1
	}
	pace := paceOf(measurements, current, fraction, now)
	begun := map[string]bool{}
	for i := range measurements {
		if measurements[i].Finished() || &measurements[i] == current {
			begun[measurements[i].Name] = true
		}
	}
	total := 0.0
	if current != nil {
		total += pace.of(&current.Spec) * (1 - max(fraction, 0))
	}
	storesToCome := 0
	for _, store := range plan.OfRun(e).Stores {
		untouched := true
		for i := range store.Cells {
			if begun[store.Cells[i].Name] {
				untouched = false
				continue
			}
			if store.Cells[i].Spec.Lead != "" {
				continue // it takes no time of its own
			}
			total += pace.of(&store.Cells[i].Spec) + pace.around()
		}
		if untouched && (e.Status.Store == nil || e.Status.Store.Release != store.Release) {
			storesToCome++
		}
	}
	if installed := e.Status.Store; installed != nil && installed.ReadyAt != nil {
		total += float64(storesToCome) * installed.ReadyAt.Sub(installed.InstalledAt.Time).Seconds()
	}
	if math.IsNaN(total) {
		return -1
	}
	return time.Duration(total * float64(time.Second))
}

// pace is how long measurements take, in seconds, by phase and, for want of one, by operation.
type pace struct {
	phase map[string][]float64
	perOp []float64
	// overhead is the time around the load: load pods that start, results that are collected.
	overhead []float64
}

// early is the share of a measurement below which its own pace is no estimate.
const early = 0.05

func paceOf(measurements []v1beta1.Measurement, current *v1beta1.Measurement, fraction float64, now time.Time) pace {
	p := pace{phase: map[string][]float64{}}
	add := func(spec *v1beta1.MeasurementSpec, seconds float64) {
		p.phase[spec.Phase] = append(p.phase[spec.Phase], seconds)
		if spec.Operations > 0 {
			p.perOp = append(p.perOp, seconds/float64(spec.Operations))
		}
	}
	for i := range measurements {
		m := &measurements[i]
		if !m.Finished() || m.Status.Result == nil || m.Spec.Lead != "" {
			continue
		}
		driven := decimal(m.Status.Result.OperationSeconds)
		if m.Spec.Interleave != nil {
			driven = plan.Takes(&m.Spec).Seconds() // the result speaks of its own windows
		}
		driven = min(driven, passed(m))
		if m.Spec.Profile == nil { // else it has a time of its own
			add(&m.Spec, driven)
		}
		if finished := meta.FindStatusCondition(m.Status.Conditions, v1beta1.ConditionFinished); m.Status.Attempt == 1 && !m.CreationTimestamp.IsZero() {
			taken := finished.LastTransitionTime.Sub(m.CreationTimestamp.Time).Seconds() // in whole seconds; the mean of many is finer
			p.overhead = append(p.overhead, taken-driven)
		}
	}
	if current != nil && fraction > early && current.Spec.Profile == nil {
		add(&current.Spec, now.Sub(current.Status.StartAt.Time).Seconds()/fraction)
	}
	return p
}

// passed between a measurement's start and its end, in seconds; without a bound where that is not known. A log whose times are wrong covers
// hours of a load of seconds.
func passed(m *v1beta1.Measurement) float64 {
	finished := meta.FindStatusCondition(m.Status.Conditions, v1beta1.ConditionFinished)
	if m.Status.StartAt == nil || finished == nil || finished.LastTransitionTime.IsZero() {
		return math.Inf(1)
	}
	return max(finished.LastTransitionTime.Sub(m.Status.StartAt.Time).Seconds()+1, 0) // its end is in whole seconds, cut off
}

// of gives NaN when nothing is known yet.
func (p pace) of(spec *v1beta1.MeasurementSpec) float64 {
	if spec.Duration != nil {
		return plan.Takes(spec).Seconds()
	}
	if taken := p.phase[spec.Phase]; len(taken) > 0 {
		return mean(taken)
	}
	return mean(p.perOp) * float64(spec.Operations)
}

// around the load of a measurement passes this much; nothing, so far as is known, before the first.
func (p pace) around() float64 {
	if len(p.overhead) == 0 {
		return 0
	}
	return max(mean(p.overhead), 0)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values)) // NaN for none
}
