package controller

import (
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// maxMessage keeps conditions and failures readable.
const maxMessage = 1500

// measureCell returns the next step of a cell, and of its companions if it leads an interleaved phase. The store has been ready once.
func measureCell(o observed, wanted plan.Store, cell plan.Cell) step {
	if blocked := groupBlocked(o, cell); blocked != nil {
		return blocked
	}
	measurement := o.measurements[cell.Name]
	if measurement != nil {
		if seen := faultSeen(o, cell, measurement); seen != nil {
			return seen
		}
	}
	switch {
	case measurement != nil && measurement.Status.Attempt > 0 && o.job != nil:
		return superviseJob(o, wanted, cell, measurement)
	case measurement != nil && measurement.Status.Attempt > 0:
		return withoutJob(o, wanted, cell, measurement)
	}
	if o.experiment.Spec.Suspend && measurement == nil { // a phase that exists is under way, and its time counts as used
		return suspended("before the next phase")
	}
	if returned := storeReturned(o, wanted); returned != nil {
		return returned
	}
	if o.groupMissing(cell) {
		return createMeasurement{cell: cell}
	}
	return beginAttempt{cell: cell}
}

// withoutJob returns the next step of an attempt without a Job, because it was not created yet or was deleted.
func withoutJob(o observed, wanted plan.Store, cell plan.Cell, measurement *v1beta1.Measurement) step {
	if ended := loadEnded(o, cell, measurement); ended != nil {
		return ended
	}
	switch {
	case measurement.Status.StartAt != nil || len(o.parts[measurement.Name]) > 0:
		return giveUp(cell, v1beta1.FailureLoadPodLost, "the load's job was deleted")
	case len(o.activeJobs) > 0:
		return stopLoad{current: "stopping an earlier attempt"}
	case len(o.otherLoads) > 0:
		return awaitOtherLoads(o, cell)
	case o.experiment.Spec.Suspend && len(measurement.Status.Failures) > 0:
		return suspended("before the next attempt")
	}
	if returned := storeReturned(o, wanted); returned != nil {
		return returned
	}
	if busy := awaitHelpers(o, cell); busy != nil {
		return busy
	}
	switch {
	case o.groupMissing(cell):
		return createMeasurement{cell: cell}
	case o.groupBehind(cell):
		return alignCompanions{cell: cell}
	}
	return createJob{cell: cell, store: wanted}
}

// awaitOtherLoads waits for the end of pods of earlier attempts: their grace period continues after their Job is deleted, and two
// loads at once would affect each other.
func awaitOtherLoads(o observed, cell plan.Cell) step {
	pod := o.otherLoads[0]
	timeout := o.experiment.Spec.Store.ReadyTimeout.Duration
	if pod.DeletionTimestamp != nil && o.now.Sub(pod.DeletionTimestamp.Time) > timeout {
		return failed(v1beta1.ReasonLoadFailed, fmt.Sprintf("load pod %s of an earlier attempt did not end within %s of its deletion; check node %s, and force the pod's deletion if the node is down",
			pod.Name, timeout, pod.Spec.NodeName))
	}
	return wait{after: attentive, progress: progress{reason: v1beta1.ReasonMeasuring,
		message: fmt.Sprintf("measurement %s is waiting for the end of load pod %s of an earlier attempt", cell.Name, pod.Name),
		current: "waiting for the end of an earlier load"}}
}

// superviseJob returns the next step of an attempt with a Job.
func superviseJob(o observed, wanted plan.Store, cell plan.Cell, measurement *v1beta1.Measurement) step {
	if ended := loadEnded(o, cell, measurement); ended != nil {
		return ended
	}
	parts := o.parts[measurement.Name]
	pods := int(measurement.Spec.Pods)
	if lost := attemptFailure(o, cell, parts); lost != nil {
		return lost
	}
	if fault := store.FindFault(o.loadPods, o.patience(), o.now); fault != nil {
		return failed(v1beta1.ReasonLoadFailed, fault.Message+loadPlaceHint(o, fault))
	}
	if o.creationFault != "" && measurement.Status.StartAt == nil {
		return failed(v1beta1.ReasonLoadFailed, o.creationFault)
	}
	waiting := wait{after: patient, progress: measuring(o, cell, measurement)}
	if measurement.Status.StartAt != nil {
		settling := len(parts) == pods && !slices.ContainsFunc(parts, func(part v1beta1.Part) bool { return !hasResult(part) })
		left := plan.EndsBy(o.experiment.Spec.Load, measurement, settling).Add(startTolerance).Sub(o.now)
		if left <= 0 {
			return timedOut(o, cell)
		}
		waiting.after = min(waiting.after, left)
		return faultDue(o, cell, measurement, waiting)
	}
	ready := countReady(parts, o.loadPods)
	if ready == pods {
		return startLoad(o, wanted, cell, measurement)
	}
	waiting.after = attentive
	placeless := delay(o, o.loadPods)
	waiting.message += fmt.Sprintf(": %s load pods are ready%s", readySoFar(ready, pods), placeless)
	if placeless != "" {
		waiting.current += " is waiting for its load" + placeless
	}
	return waiting
}

// readySoFar formats the number of ready load pods, in quarters if there are many: each change is a write of the Experiment.
func readySoFar(ready, pods int) string {
	quarter := pods / 4
	if quarter < 2 {
		return fmt.Sprintf("%d of %d", ready, pods)
	}
	return fmt.Sprintf("at least %d of %d", ready-ready%quarter, pods)
}

// startLoad announces the start, if the store has not changed since the load was created.
func startLoad(o observed, wanted plan.Store, cell plan.Cell, measurement *v1beta1.Measurement) step {
	if returned := storeReturned(o, wanted); returned != nil {
		return returned
	}
	given, now := loadgen.Given(o.job), loadgen.Wanted(measurement.Spec, o.endpoints(wanted))
	if given != now {
		return giveUp(cell, v1beta1.FailureStoreRestarted, fmt.Sprintf("the store's addresses changed from %s to %s before the load started", given, now))
	}
	return announceStart{cell: cell}
}

// loadPlaceHint describes what may keep load pods from being scheduled: pods that hold resources, and the colocation gate.
func loadPlaceHint(o observed, fault *store.Fault) string {
	if !fault.Unschedulable {
		return ""
	}
	if o.experiment.Spec.Gates.Colocation.Or(v1beta1.GateEnforce) != v1beta1.GateEnforce {
		return heldBy(o)
	}
	return heldBy(o) + "; gates.colocation=Enforce keeps load pods off the store's nodes, Warn allows them there"
}

// countReady counts parts that wait for the start and whose pods are those of the present job.
func countReady(parts []v1beta1.Part, pods []corev1.Pod) int {
	n := 0
	for _, part := range parts {
		alive := slices.ContainsFunc(pods, func(p corev1.Pod) bool { return p.Name == part.Pod && p.DeletionTimestamp == nil })
		if part.State == v1beta1.PartReady && alive {
			n++
		}
	}
	return n
}

// startTolerance is the time for a pod that ends in time to report it.
const startTolerance = 5 * time.Second

// timedOut ends an attempt for good, because the next one would be as slow.
func timedOut(o observed, cell plan.Cell) giveUpAttempt {
	load := o.experiment.Spec.Load
	limit := plan.Limit(load, &cell.Spec)
	message := fmt.Sprintf("the load took longer than load.timeout (%s)", limit)
	if limit < load.Timeout.Duration {
		message = fmt.Sprintf("the load did not end within %s, although its phase lasts %s; see whether its operations have a timeout", limit, plan.Takes(&cell.Spec))
	}
	out := giveUp(cell, v1beta1.FailureLoadTimedOut, message)
	out.hopeless = true
	return out
}

// attemptFailure returns why the attempt has failed, or nil. A part's failure counts once its pod has ended:
// the exit code distinguishes a failed tool from a killed pod.
func attemptFailure(o observed, cell plan.Cell, parts []v1beta1.Part) step {
	reason, message, failed := jobFailure(o.job)
	if failed && reason == batchv1.JobReasonDeadlineExceeded {
		return timedOut(o, cell)
	}
	for i := range o.loadPods {
		if out := podFailure(cell, &o.loadPods[i], parts); out != nil {
			return ofTheStore(o, *out)
		}
	}
	for _, part := range parts {
		vanished := !slices.ContainsFunc(o.loadPods, func(p corev1.Pod) bool { return p.Name == part.Pod })
		if !hasResult(part) && vanished {
			out := giveUp(cell, v1beta1.FailureLoadPodLost, fmt.Sprintf("load pod %s disappeared %s", part.Pod, part.Message))
			return out
		}
	}
	if failed {
		out := giveUp(cell, v1beta1.FailureLoadPodLost, strings.TrimSpace(reason+": "+message))
		return out
	}
	if o.undelivered != "" {
		return giveUp(cell, v1beta1.FailureLoadPodLost, fmt.Sprintf("load pod %s ended with exit code 0 but delivered no result: another client ended it, or deleted its MeasurementPart; see the pod's logs", o.undelivered))
	}
	return nil
}

// ofTheStore attributes the failure of a tool to the store if the store was interrupted: another attempt may succeed. It does not apply to phases
// with faults or recovery, which a tool must tolerate.
func ofTheStore(o observed, failed giveUpAttempt) giveUpAttempt {
	measurement := o.measurements[failed.cell.Name]
	if failed.failure != v1beta1.FailureLoadToolFailed || failed.hopeless || measurement.Spec.Recovery != nil || len(measurement.Spec.Faults) > 0 {
		return failed
	}
	change := store.Interruption(measurement.Status.StorePods, store.Lives(o.objects.Pods))
	if change == "" {
		return failed
	}
	return giveUp(failed.cell, v1beta1.FailureStoreRestarted, change+"; "+failed.message)
}

// podFailure returns the failure of a load pod that ended, or is being deleted, without a finished part; else nil.
func podFailure(cell plan.Cell, pod *corev1.Pod, parts []v1beta1.Part) *giveUpAttempt {
	said := ""
	for _, part := range parts {
		if part.Pod == pod.Name && hasResult(part) {
			return nil
		}
		if part.Pod == pod.Name {
			said = part.Message
		}
	}
	gone := pod.DeletionTimestamp != nil && pod.Status.Phase != corev1.PodSucceeded
	if !loadgen.Failed(pod) && !gone {
		return nil
	}
	out := giveUp(cell, v1beta1.FailureLoadPodLost, fmt.Sprintf("load pod %s was lost %s", pod.Name, pod.Status.Message))
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		ended := status.State.Terminated
		if ended == nil || ended.ExitCode == 0 {
			continue
		}
		if !loadgen.Own(status.Name) { // its exit code does not concern the tool
			out.message = shortened(fmt.Sprintf("load pod %s ended because its injected container %s ended with exit code %d (%s)", pod.Name, status.Name, ended.ExitCode, ended.Reason))
			continue
		}
		if said == "" {
			said = ended.Message
		}
		out.message = shortened(fmt.Sprintf("load pod %s ended with exit code %d (%s): %s", pod.Name, ended.ExitCode, ended.Reason, strings.TrimSpace(said)))
		if !gone && blamesTool(ended.ExitCode) {
			out.failure = v1beta1.FailureLoadToolFailed
			out.hopeless = ended.ExitCode == orders.ExitUsage
		}
	}
	return &out
}

// blamesTool reports whether an exit code is the tool's own. Codes above 128 are signals (the pod was killed), and meter has its own codes for a
// result that could not be delivered, an attempt that was superseded, and a tool that disappeared.
func blamesTool(code int32) bool {
	return code < 128 && code != orders.ExitUndelivered && code != orders.ExitSuperseded && code != orders.ExitToolLost
}

func giveUp(cell plan.Cell, reason v1beta1.FailureReason, message string) giveUpAttempt {
	return giveUpAttempt{cell: cell, failure: reason, message: shortened(strings.TrimSpace(message))}
}

func shortened(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8("…"+message[len(message)-maxMessage:], "")
}
