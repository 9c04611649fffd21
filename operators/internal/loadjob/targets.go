package loadjob

import (
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
)

// targets are where a measurement's load is sent: to one server or, in an interleaved phase, to every arm's. endpoints are host:port by
// what the store calls its servers.
func targets(spec v1alpha1.MeasurementSpec, endpoints map[string][]string) []corev1.EnvVar {
	if len(spec.Arms) == 0 {
		return []corev1.EnvVar{{Name: orders.EnvEndpoints, Value: strings.Join(endpoints[spec.HostedAs()], ",")}}
	}
	var arms []string
	for _, arm := range serversOf(spec.Arms) {
		arms = append(arms, arm.Server+"="+strings.Join(endpoints[arm.HostedAs()], ","))
	}
	return []corev1.EnvVar{{Name: orders.EnvArms, Value: strings.Join(arms, ";")}}
}

// serversOf the arms, each once: in a duet the baseline is measured beside each other.
func serversOf(arms []v1alpha1.Arm) []v1alpha1.Arm {
	var out []v1alpha1.Arm
	for _, arm := range arms {
		if !slices.ContainsFunc(out, func(other v1alpha1.Arm) bool { return other.Server == arm.Server }) {
			out = append(out, arm)
		}
	}
	return out
}

// rounds is how the load goes round among the arms; nothing in an ordinary phase.
func rounds(spec v1alpha1.MeasurementSpec, baseline string) []corev1.EnvVar {
	if spec.Interleave == nil {
		return nil
	}
	mode := orders.InterleaveWindows
	if spec.Interleave.Mode == v1alpha1.InterleaveDuet {
		mode = orders.InterleaveDuet
	}
	return []corev1.EnvVar{
		{Name: orders.EnvInterleave, Value: mode},
		{Name: orders.EnvWindowMillis, Value: strconv.FormatInt(spec.Interleave.Window.Milliseconds(), 10)},
		{Name: orders.EnvLeadInMillis, Value: strconv.FormatInt(spec.Interleave.LeadIn.Milliseconds(), 10)},
		{Name: orders.EnvWarmupSeconds, Value: strconv.FormatInt(int64(spec.Interleave.Warmup.Seconds()), 10)},
		{Name: orders.EnvSeed, Value: strconv.FormatInt(spec.Seed, 10)},
		{Name: orders.EnvBaseline, Value: baseline},
		{Name: orders.EnvReconnectBlocks, Value: reconnects(spec)},
	}
}

// reconnects are the blocks of windows before which connections are opened again; empty where they stay.
func reconnects(spec v1alpha1.MeasurementSpec) string {
	if !spec.Interleave.Reconnect {
		return ""
	}
	var blocks []string
	for _, block := range plan.Reconnects(spec.Interleave, spec.Duration.Duration, len(serversOf(spec.Arms))) {
		blocks = append(blocks, strconv.Itoa(block))
	}
	return strings.Join(blocks, ",")
}

// search is what a load looks for; nothing in a phase that is no search. queue is which counters make the store's.
func search(capacity *v1alpha1.CapacitySpec, queue string) []corev1.EnvVar {
	if capacity == nil {
		return nil
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	to := ""
	if capacity.To > 0 {
		to = number(capacity.To)
	}
	bound := corev1.EnvVar{Name: orders.EnvCapacityBoundMicros, Value: number(capacity.Bound.Microseconds())}
	if capacity.By == v1alpha1.ByQueue {
		bound = corev1.EnvVar{Name: orders.EnvCapacityQueue, Value: queue}
	}
	return []corev1.EnvVar{
		{Name: orders.EnvCapacityPercentile, Value: capacity.Percentile},
		bound,
		{Name: orders.EnvCapacityFailedPermille, Value: number(capacity.FailedMaxPermille)},
		{Name: orders.EnvCapacityFrom, Value: number(capacity.From)},
		{Name: orders.EnvCapacityTo, Value: to},
		{Name: orders.EnvCapacityStepMillis, Value: number(capacity.Step.Milliseconds())},
		{Name: orders.EnvCapacityPrecisionPermille, Value: number(capacity.PrecisionPermille)},
	}
}

// recovery is when the store is to be killed, and where it is told to; nothing in a phase that it lives through.
func recovery(asked *v1alpha1.RecoverySpec, killers []string) []corev1.EnvVar {
	if asked == nil {
		return nil
	}
	return []corev1.EnvVar{
		{Name: orders.EnvRecoveryKillMillis, Value: strconv.FormatInt(asked.KillAfter.Milliseconds(), 10)},
		{Name: orders.EnvKill, Value: strings.Join(killers, ",")},
	}
}

// failover tells the load to go on with the nodes that are left; nothing in a phase in which none is lost.
func failover(faults []v1alpha1.FaultSpec) []corev1.EnvVar {
	if len(faults) == 0 {
		return nil
	}
	return []corev1.EnvVar{{Name: orders.EnvFailover, Value: "true"}}
}

// readsCounters reports whether the load itself asks the store what it counted.
func readsCounters(spec v1alpha1.MeasurementSpec) bool {
	return spec.Interleave != nil || spec.Idle || spec.Capacity != nil && spec.Capacity.By == v1alpha1.ByQueue
}

// readsIO reports whether meter asks the store, before and after the load, what it counted of bytes: where a load has the store to itself, and
// it lives through it.
func readsIO(spec v1alpha1.MeasurementSpec) bool {
	return spec.Interleave == nil && !spec.Idle && spec.Recovery == nil && len(spec.Faults) == 0 && spec.Profile == nil
}

// Given is where a job's load was told to go. It equals Wanted while the store answers where it did.
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

// Wanted is where a measurement's load is to go, given the endpoints by server.
func Wanted(spec v1alpha1.MeasurementSpec, endpoints map[string][]string) string {
	return targets(spec, endpoints)[0].Value
}
