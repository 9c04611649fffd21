package loadgen

import (
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
)

// targets returns the variable with the targets of a measurement's load: the endpoints of one server or, in an interleaved phase, of every
// arm. The keys of endpoints are the servers' names, the values host:port.
func targets(spec v1beta1.MeasurementSpec, endpoints map[string][]string) []corev1.EnvVar {
	if len(spec.Arms) == 0 {
		return []corev1.EnvVar{{Name: orders.EnvEndpoints, Value: strings.Join(endpoints[spec.Server], ",")}}
	}
	var arms []string
	for _, arm := range serversOf(spec.Arms) {
		arms = append(arms, arm.Server+"="+strings.Join(endpoints[arm.Server], ","))
	}
	return []corev1.EnvVar{{Name: orders.EnvArms, Value: strings.Join(arms, ";")}}
}

// serversOf returns one arm for each server: in a duet, the baseline has several.
func serversOf(arms []v1beta1.Arm) []v1beta1.Arm {
	var out []v1beta1.Arm
	for _, arm := range arms {
		if !slices.ContainsFunc(out, func(other v1beta1.Arm) bool { return other.Server == arm.Server }) {
			out = append(out, arm)
		}
	}
	return out
}

// rounds returns the variables of interleaving; none for an ordinary phase.
func rounds(spec v1beta1.MeasurementSpec, baseline string) []corev1.EnvVar {
	if spec.Interleave == nil {
		return nil
	}
	mode := orders.InterleaveWindows
	if spec.Interleave.Mode == v1beta1.InterleaveDuet {
		mode = orders.InterleaveDuet
	}
	return []corev1.EnvVar{
		{Name: orders.EnvInterleave, Value: mode},
		{Name: orders.EnvWindowMillis, Value: strconv.FormatInt(spec.Interleave.Window.Milliseconds(), 10)},
		{Name: orders.EnvLeadInMillis, Value: strconv.FormatInt(spec.Interleave.LeadIn.Milliseconds(), 10)},
		{Name: orders.EnvWarmupSeconds, Value: strconv.FormatInt(int64(spec.Interleave.Warmup.Seconds()), 10)},
		{Name: orders.EnvBaseline, Value: baseline},
		{Name: orders.EnvReconnectBlocks, Value: reconnects(spec)},
	}
}

// reconnects returns the blocks of windows before which connections are reopened; empty if they stay open.
func reconnects(spec v1beta1.MeasurementSpec) string {
	if !spec.Interleave.Reconnect {
		return ""
	}
	var blocks []string
	for _, block := range plan.Reconnects(spec.Interleave, spec.Duration.Duration, len(serversOf(spec.Arms))) {
		blocks = append(blocks, strconv.Itoa(block))
	}
	return strings.Join(blocks, ",")
}

// search returns the variables of a capacity search; none for other phases. queue is the formula of the store's queue.
func search(capacity *v1beta1.CapacitySpec, queue string) []corev1.EnvVar {
	if capacity == nil {
		return nil
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	to := ""
	if capacity.To > 0 {
		to = number(capacity.To)
	}
	bound := corev1.EnvVar{Name: orders.EnvCapacityBoundMicros, Value: number(capacity.Bound.Microseconds())}
	if capacity.By == v1beta1.ByQueue {
		bound = corev1.EnvVar{Name: orders.EnvCapacityQueue, Value: queue}
	}
	return []corev1.EnvVar{
		{Name: orders.EnvCapacityPercentile, Value: capacity.Percentile},
		bound,
		{Name: orders.EnvCapacityFailedPermille, Value: number(capacity.FailedMax.Permille())},
		{Name: orders.EnvCapacityFrom, Value: number(capacity.From)},
		{Name: orders.EnvCapacityTo, Value: to},
		{Name: orders.EnvCapacityStepMillis, Value: number(capacity.Step.Milliseconds())},
		{Name: orders.EnvCapacityPrecisionPermille, Value: number(capacity.Precision.Permille())},
	}
}

// recovery returns the variables with the time and the addresses for killing the store; none for other phases.
func recovery(asked *v1beta1.RecoverySpec, killers []string) []corev1.EnvVar {
	if asked == nil {
		return nil
	}
	return []corev1.EnvVar{
		{Name: orders.EnvRecoveryKillMillis, Value: strconv.FormatInt(asked.KillAfter.Milliseconds(), 10)},
		{Name: orders.EnvKill, Value: strings.Join(killers, ",")},
	}
}

// failover tells the load to continue with the remaining nodes; none for a phase without faults.
func failover(faults []v1beta1.FaultSpec) []corev1.EnvVar {
	if len(faults) == 0 {
		return nil
	}
	return []corev1.EnvVar{{Name: orders.EnvFailover, Value: "true"}}
}

// readsCounters reports whether the load itself reads the store's counters.
func readsCounters(spec v1beta1.MeasurementSpec) bool {
	return spec.Interleave != nil || spec.Idle || spec.Capacity != nil && spec.Capacity.By == v1beta1.ByQueue
}

// Given returns the targets of a job's load. They equal Wanted while the store's endpoints do not change.
func Given(job *batchv1.Job) string {
	for _, container := range job.Spec.Template.Spec.Containers {
		for _, variable := range container.Env {
			if variable.Name == orders.EnvEndpoints || variable.Name == orders.EnvArms {
				return variable.Value
			}
		}
	}
	return ""
}

// Wanted returns the targets of a measurement's load for the current endpoints.
func Wanted(spec v1beta1.MeasurementSpec, endpoints map[string][]string) string {
	return targets(spec, endpoints)[0].Value
}
