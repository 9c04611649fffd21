package controller

import (
	"fmt"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/loadjob"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// maxMessage keeps conditions and failures readable.
const maxMessage = 1500

// measureCell takes the cell one step on, and with it its companions where it leads an interleaved phase. The store was ready once.
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
	if o.experiment.Spec.Suspend {
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

// withoutJob is an attempt whose job is not there: not made yet, or taken away.
func withoutJob(o observed, wanted plan.Store, cell plan.Cell, measurement *v1alpha1.Measurement) step {
	if ended := loadEnded(o, cell, measurement); ended != nil {
		return ended
	}
	switch {
	case measurement.Status.StartAt != nil || len(partsOf(measurement)) > 0:
		return giveUp(cell, v1alpha1.FailureLoadPodLost, "the load's job was deleted")
	case len(o.activeJobs) > 0:
		return stopLoad{current: "stops an earlier attempt"}
	case len(o.otherLoads) > 0:
		return awaitOtherLoads(o, cell)
	case o.experiment.Spec.Suspend:
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

// awaitOtherLoads waits for the end of pods of earlier attempts: their grace period goes on after their job is deleted, and two
// loads at once would measure each other.
func awaitOtherLoads(o observed, cell plan.Cell) step {
	pod := o.otherLoads[0]
	timeout := o.experiment.Spec.Store.ReadyTimeout.Duration
	if pod.DeletionTimestamp != nil && o.now.Sub(pod.DeletionTimestamp.Time) > timeout {
		return failed(v1alpha1.ReasonLoadFailed, fmt.Sprintf("load pod %s of an earlier attempt did not end within %s of its deletion; see whether node %s is up, and delete the pod by force once it is known to be down",
			pod.Name, timeout, pod.Spec.NodeName))
	}
	return wait{after: attentive, progress: progress{reason: v1alpha1.ReasonMeasuring,
		message: fmt.Sprintf("measurement %s waits for the end of load pod %s of an earlier attempt", cell.Name, pod.Name),
		current: "waits for the end of an earlier load"}}
}

// superviseJob of an attempt whose job is there.
func superviseJob(o observed, wanted plan.Store, cell plan.Cell, measurement *v1alpha1.Measurement) step {
	if ended := loadEnded(o, cell, measurement); ended != nil {
		return ended
	}
	parts := partsOf(measurement)
	pods := int(measurement.Spec.Pods)
	if lost := attemptFailure(o, cell, parts); lost != nil {
		return lost
	}
	if fault := store.FindFault(o.loadPods, o.patience(), o.now); fault != nil {
		return failed(v1alpha1.ReasonLoadFailed, fault.Message+loadPlaceHint(o, fault))
	}
	if o.creationFault != "" && measurement.Status.StartAt == nil {
		return failed(v1alpha1.ReasonLoadFailed, o.creationFault)
	}
	waiting := wait{after: patient, progress: measuring(o, cell, measurement)}
	if measurement.Status.StartAt != nil {
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
		waiting.current += " waits for a node that takes its load"
	}
	return waiting
}

// readySoFar of load pods, in quarters where they are many: each other text is a write of the Experiment, and each of many pods would be one.
func readySoFar(ready, pods int) string {
	quarter := pods / 4
	if quarter < 2 {
		return fmt.Sprintf("%d of %d", ready, pods)
	}
	return fmt.Sprintf("at least %d of %d", ready-ready%quarter, pods)
}

// startLoad announces the start, on a store that is as it was when the load was made for it.
func startLoad(o observed, wanted plan.Store, cell plan.Cell, measurement *v1alpha1.Measurement) step {
	if returned := storeReturned(o, wanted); returned != nil {
		return returned
	}
	given, now := loadjob.Given(o.job), loadjob.Wanted(measurement.Spec, o.readiness(wanted).Endpoints)
	if given != now {
		return giveUp(cell, v1alpha1.FailureStoreRestarted, fmt.Sprintf("the store answered at %s when the load was made, and at %s when it was to begin", given, now))
	}
	return announceStart{cell: cell}
}

// loadPlaceHint says who has what load pods wait for, and what keeps them off the store's nodes, where that may be why none takes them.
func loadPlaceHint(o observed, fault *store.Fault) string {
	if !fault.Unschedulable {
		return ""
	}
	if o.experiment.Spec.Gates.Colocation.Or(v1alpha1.GateEnforce) != v1alpha1.GateEnforce {
		return heldBy(o)
	}
	return heldBy(o) + "; gates.colocation Enforce keeps load pods off the store's nodes, Warn would allow them there"
}

// countReady counts parts that wait for the start and whose pods are those of the present job.
func countReady(parts []v1alpha1.Part, pods []corev1.Pod) int {
	n := 0
	for _, part := range parts {
		alive := slices.ContainsFunc(pods, func(p corev1.Pod) bool { return p.Name == part.Pod && p.DeletionTimestamp == nil })
		if part.State == v1alpha1.PartReady && alive {
			n++
		}
	}
	return n
}

// attemptFailure says why the attempt cannot give a result any more, or nil. A part's failure counts once its pod has ended:
// the exit code tells a tool that failed from a pod that was killed.
func attemptFailure(o observed, cell plan.Cell, parts []v1alpha1.Part) step {
	reason, message, failed := jobFailure(o.job)
	if failed && reason == batchv1.JobReasonDeadlineExceeded {
		out := giveUp(cell, v1alpha1.FailureLoadTimedOut, fmt.Sprintf("the phase took longer than load.timeout (%s)", o.experiment.Spec.Load.Timeout.Duration))
		out.hopeless = true // a phase too slow once is too slow again
		return out
	}
	for i := range o.loadPods {
		if out := podFailure(cell, &o.loadPods[i], parts); out != nil {
			return ofTheStore(o, *out)
		}
	}
	for _, part := range parts {
		vanished := !slices.ContainsFunc(o.loadPods, func(p corev1.Pod) bool { return p.Name == part.Pod })
		if part.State != v1alpha1.PartDone && vanished {
			out := giveUp(cell, v1alpha1.FailureLoadPodLost, fmt.Sprintf("load pod %s went away %s", part.Pod, part.Message))
			return out
		}
	}
	if failed {
		out := giveUp(cell, v1alpha1.FailureLoadPodLost, strings.TrimSpace(reason+": "+message))
		return out
	}
	if o.undelivered != "" {
		return giveUp(cell, v1alpha1.FailureLoadPodLost, fmt.Sprintf("load pod %s ended with exit code 0 and delivered no result: something else ended it, or took its part out of the measurement; see the pod's logs", o.undelivered))
	}
	return nil
}

// ofTheStore is the failure of a tool that ended because the store went away under it: not the tool's, which another attempt would show as
// often as not. Where the store was to be hit the tool has to bear it.
func ofTheStore(o observed, failed giveUpAttempt) giveUpAttempt {
	measurement := o.measurements[failed.cell.Name]
	if failed.failure != v1alpha1.FailureLoadToolFailed || failed.hopeless || measurement.Spec.Recovery != nil || len(measurement.Spec.Faults) > 0 {
		return failed
	}
	change := store.Interruption(measurement.Status.StorePods, store.Lives(o.objects.Pods))
	if change == "" {
		return failed
	}
	return giveUp(failed.cell, v1alpha1.FailureStoreRestarted, change+"; "+failed.message)
}

// podFailure of a load pod that ended, or is being ended, without a finished part; nil where it did neither.
func podFailure(cell plan.Cell, pod *corev1.Pod, parts []v1alpha1.Part) *giveUpAttempt {
	said := ""
	for _, part := range parts {
		if part.Pod == pod.Name && part.State == v1alpha1.PartDone {
			return nil
		}
		if part.Pod == pod.Name {
			said = part.Message
		}
	}
	gone := pod.DeletionTimestamp != nil && pod.Status.Phase != corev1.PodSucceeded
	if !loadjob.Failed(pod) && !gone {
		return nil
	}
	out := giveUp(cell, v1alpha1.FailureLoadPodLost, fmt.Sprintf("load pod %s was lost %s", pod.Name, pod.Status.Message))
	for _, status := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		ended := status.State.Terminated
		if ended == nil || ended.ExitCode == 0 {
			continue
		}
		if !loadjob.Own(status.Name) { // nor does it say anything of the tool
			out.message = shortened(fmt.Sprintf("load pod %s ended with container %s, which others put there, and its exit code %d (%s)", pod.Name, status.Name, ended.ExitCode, ended.Reason))
			continue
		}
		if said == "" {
			said = ended.Message
		}
		out.message = shortened(fmt.Sprintf("load pod %s ended with exit code %d (%s): %s", pod.Name, ended.ExitCode, ended.Reason, strings.TrimSpace(said)))
		if !gone && blamesTool(ended.ExitCode) {
			out.failure = v1alpha1.FailureLoadToolFailed
			out.hopeless = ended.ExitCode == orders.ExitUsage
		}
	}
	return &out
}

// blamesTool says whether an exit code is the tool's own. Codes above 128 are signals, the pod was killed; and meter has
// its own for a result that nobody took, an attempt that nobody wants any more, and a tool that went without a word.
func blamesTool(code int32) bool {
	return code < 128 && code != orders.ExitUndelivered && code != orders.ExitSuperseded && code != orders.ExitToolLost
}

func giveUp(cell plan.Cell, reason v1alpha1.FailureReason, message string) giveUpAttempt {
	return giveUpAttempt{cell: cell, failure: reason, message: shortened(strings.TrimSpace(message))}
}

func shortened(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8("…"+message[len(message)-maxMessage:], "")
}
