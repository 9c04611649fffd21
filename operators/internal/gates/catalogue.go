package gates

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Gate is a check of a measurement. The messages of its findings begin with its name and a colon.
type Gate struct {
	Name string
	// Field of spec.gates that sets the mode; empty for a gate that no experiment can switch off.
	Field string
	// Limit is a further field of spec.gates, and Tolerated its default; empty for a gate without one.
	Limit, Tolerated string
	// Default is the mode of a gate without a field, and of one with a field that is not set; empty for Enforce.
	Default v1beta1.GateMode
	// Neutral marks a gate whose findings do not depend on what is measured: the measurements that it invalidates are not the slow ones, or the fast
	// ones. A comparison may leave out any number of them.
	Neutral bool
	// Reasons are those of its findings.
	Reasons []v1beta1.Reason
	// Fails, Cause and Fix describe when the gate fails, why, and what to do, in sentences for docs/reference.
	Fails, Cause, Fix string
}

// roomForLoad helps a load that lacks CPU, and one that waits for it.
const roomForLoad = "Give the load more CPU (`spec.load.resources`), more pods (`spec.load.pods`) or a node of its own."

// Mode of the gate where the experiment sets none.
func (g Gate) Mode() v1beta1.GateMode {
	return g.Default.Or(v1beta1.GateEnforce)
}

// Catalogue returns all gates: those that an experiment sets, then the others.
func Catalogue() []Gate {
	var standard v1beta1.Gates
	percentage := func(permille int64) string { return fmt.Sprintf("%g%%", float64(permille)/10) }
	return []Gate{
		{
			Name: "errors", Field: "errors", Limit: "errorsMax", Tolerated: percentage(standard.ErrorsMax.Permille()),
			Reasons: []v1beta1.Reason{v1beta1.GateOperationsFailed},
			Fails:   "More than `errorsMax` of the operations failed. Not checked in phases with faults.",
			Cause:   "The store rejects operations or times out, or the load asks for more than the store can do.",
			Fix:     "Look at `errors_by_kind`. Lower the load, or tolerate a share with `errorsMax`.",
		},
		{
			Name: "store restart", Field: "storeRestart",
			Reasons: []v1beta1.Reason{v1beta1.GateStoreRestarted, v1beta1.GateStoreRestartedBefore},
			Fails:   "A store pod restarted or was not ready during the phase. A restart between two measurements is always a warning.",
			Cause:   "The pod was killed for its memory, evicted, or failed a probe. After a restart its caches are cold.",
			Fix:     "Check the memory limit and the log of the pod.",
		},
		{
			Name: "load CPU", Field: "loadCPU", Limit: "loadCPUMax", Tolerated: percentage(standard.LoadCPULimit()),
			Reasons: []v1beta1.Reason{v1beta1.GateLoadCPUSaturated, v1beta1.GateLoadCPUUnknown},
			Fails:   "A load pod used `loadCPUMax` or more of the CPU that it could get, or its use is not known.",
			Cause:   "The load generator has too little CPU, so it may have set the pace instead of the store.",
			Fix:     roomForLoad,
		},
		{
			Name: "load wait", Field: "loadWait", Limit: "loadWaitMax", Tolerated: percentage(standard.LoadWaitLimit()),
			Reasons: []v1beta1.Reason{v1beta1.GateLoadWaited, v1beta1.GateLoadWaitUnknown},
			Fails:   "The threads of a load pod waited for a core for more than `loadWaitMax` of the time in which they wanted one, or the time is not known.",
			Cause:   "Other processes use the cores of the node. The load counts its own delay as the store's latency.",
			Fix:     roomForLoad,
		},
		{
			Name: "target rate", Field: "targetRate", Limit: "targetRateMin", Tolerated: percentage(standard.TargetRateLimit()),
			Reasons: []v1beta1.Reason{v1beta1.GateTargetRateMissed, v1beta1.GateTargetRateUnknown},
			Fails:   "Less than `targetRateMin` of a constant rate was answered. Not checked in phases with faults or a kill.",
			Cause:   "The store or the load cannot keep the rate, so latencies are those of a growing backlog.",
			Fix:     "Ask for a lower rate, or give the load more threads.",
		},
		{
			Name: "throttling", Field: "throttling", Limit: "throttlingMax", Tolerated: percentage(standard.ThrottlingLimit()),
			Reasons: []v1beta1.Reason{v1beta1.GateLoadThrottled, v1beta1.GateLoadThrottlingUnknown, v1beta1.GateStoreCPULimited},
			Fails:   "The CPU limit throttled a load pod for more than `throttlingMax` of the phase, or a LimitRange gave the store a CPU limit.",
			Cause:   "A CPU limit of the load (`spec.load.resources`), or a LimitRange of the namespace.",
			Fix:     "Remove the limit. To measure under a limit, name it in the store's values.",
		},
		{
			Name: "colocation", Field: "colocation", Neutral: true,
			Reasons: []v1beta1.Reason{v1beta1.GateLoadOnStoreNode},
			Fails:   "A load pod ran on a node of the store.",
			Cause:   "There is no node without a store pod, so store and load compete for the same cores.",
			Fix:     "Add a node for the load. With `Warn`, ratios between servers remain comparable; absolute values do not.",
		},
		{
			Name: "other runs", Field: "otherRuns", Neutral: true,
			Reasons: []v1beta1.Reason{v1beta1.GateNodesShared},
			Fails:   "A run of another namespace had its store or its load on the same nodes.",
			Cause:   "Two operators share nodes.",
			Fix:     "Wait for the other run, or use other nodes.",
		},
		{
			Name: "disk", Field: "disk", Neutral: true,
			Reasons: []v1beta1.Reason{v1beta1.GateDiskNotSSD},
			Fails:   "A node of the store is not labelled `" + v1beta1.LabelDisk + "=" + DiskSSD + "`.",
			Cause:   "The node has no SSD, or nobody labelled it.",
			Fix:     "Label the nodes that have SSDs, or set `Warn`.",
		},
		{
			Name: "start skew", Field: "startSkew", Limit: "startSkewMax", Tolerated: standard.SkewLimit().String(),
			Reasons: []v1beta1.Reason{v1beta1.GateLoadStartSkewed, v1beta1.GateLoadNeverTogether},
			Fails:   "Load pods began more than `startSkewMax` apart, or there was no time in which all of them drove load.",
			Cause:   "A load pod started late, or the clocks of nodes differ.",
			Fix:     "Check the start of the load pods, and the clocks of their nodes.",
		},
		{
			Name: "pending compactions", Field: "pendingCompactions", Default: pendingCompactionsMode,
			Reasons: []v1beta1.Reason{v1beta1.GateCompactionsPending, v1beta1.GateCompactionsUnknown, v1beta1.GateCompactionsLeft},
			Fails:   "Compactions were pending or running in the store when the phase began; or the store did not report `pending_compactions` then, although it did before an earlier phase or the gate is `Enforce`. Compactions that were pending at the end of a phase with figures of the store's disk use are a warning. Not checked in phases of type Prepare and warm-up rounds.",
			Cause:   "The phase before wrote data that the store is still compacting. The compactions use disks and cores during this phase.",
			Fix:     "Set `awaitCompactions` in the phase before, or a longer one. With `Off`, the phase measures a store that compacts. If the store does not report them, read its log, or do not enforce the gate.",
		},
		{
			Name: "clocks", Default: v1beta1.GateWarn,
			Reasons: []v1beta1.Reason{v1beta1.GateClocksDiffer, v1beta1.GateClockUnknown},
			Fails:   "In a phase with faults, a clock is more than 100 ms off the API server's, or could not be compared with it: that of a load pod or of a node with a fault, or the operator's for a kill. Differences that are known are corrected.",
			Cause:   "The nodes' clocks are not synchronized, or a network policy keeps the store's pods from the API server.",
			Fix:     "Run a time service, such as chrony, on every node.",
		},
		{
			Name: "maintenance", Default: v1beta1.GateWarn,
			Reasons: []v1beta1.Reason{v1beta1.GateTaskRepeated},
			Fails:   "A node of the store had carried out the phase's task of maintenance before.",
			Cause:   "The rounds of the run share a store.",
			Fix:     "Use a store for each round (`spec.store.hosting: Dedicated`).",
		},
		{
			Name: "machines", Default: v1beta1.GateWarn, Neutral: true,
			Reasons: []v1beta1.Reason{v1beta1.GateStoreNodesDiffer},
			Fails:   "With a store for each server at the same time (`spec.store.hosting: SideBySide`), the store of another server was on other nodes.",
			Cause:   "A node has no room for a pod of every server, so ratios between servers also compare the nodes.",
			Fix:     "Use nodes with room for a pod of every server, or lower the store's requests.",
		},
		{
			Name: "store CPU", Default: v1beta1.GateWarn,
			Reasons: []v1beta1.Reason{v1beta1.GateStoreCPUUnknown},
			Fails:   "The store did not report its CPU time in more than a tenth of the windows. No CPU time is reported then: the lost windows are the busiest ones.",
			Cause:   "A store pod answered its counters port late or not at all, or no pod is on the hosts of the server's endpoints.",
			Fix:     "Read the log of the load pod: it names the pod.",
		},
		{
			Name: "variant", Default: v1beta1.GateEnforce, Neutral: true,
			Reasons: []v1beta1.Reason{v1beta1.GateProofMissing, v1beta1.GateServerMismatch, v1beta1.GateClassMismatch, v1beta1.GatePortMismatch, v1beta1.GateSettingsUnknown, v1beta1.GateSettingMismatch, v1beta1.GateImageMismatch, v1beta1.GatePluginMismatch, v1beta1.GateBuildsDiffer, v1beta1.GateLoadImageMismatch, v1beta1.GateLoadImagesDiffer, v1beta1.GateLoadImageUnknown},
			Fails:   "A store pod did not prove the server, class, port, build or settings that were asked for, or the load ran another image than the one that was built.",
			Cause:   "An image or a plugin is older than the build, or a setting did not reach the store.",
			Fix:     "Build and load the images again (`make images-load`), or correct the setting that the reason names.",
		},
		{
			Name: "nodes", Default: v1beta1.GateEnforce,
			Reasons: []v1beta1.Reason{v1beta1.GateStoreNodesMissing},
			Fails:   "The store had fewer pods than were asked for, at the start or at the end of the phase.",
			Cause:   "A store pod is pending, failed or lost.",
			Fix:     "Check the store's pods.",
		},
		{
			Name: "counts", Default: v1beta1.GateEnforce,
			Reasons: []v1beta1.Reason{v1beta1.GateOperationsLost, v1beta1.GateNothingAnswered, v1beta1.GateOperationsNotBegun, v1beta1.GateLoadReportInconsistent, v1beta1.GateIdleCPUUnknown, v1beta1.GateNothingFound, v1beta1.GateLittleFound, v1beta1.GateFigureImpossible},
			Fails:   "Operations that were ordered neither were answered nor failed, no operation was answered, or operations that were due never began. In phases with faults or a kill, the last is a warning. No query of one kind found anything; if more than 1% found nothing, it is a warning. A figure is no number, infinite or negative.",
			Cause:   "The load tool lost operations, nothing was answered, or the rate was so high that operations waited until the load gave up.",
			Fix:     "Read the log of the load pod. Ask for a lower rate where operations did not begin.",
		},
		{
			Name: "capacity", Default: v1beta1.GateEnforce,
			Reasons: []v1beta1.Reason{v1beta1.GateCapacityUnknown, v1beta1.GateCapacityBelowRange, v1beta1.GateCapacityAboveRange, v1beta1.GateCapacityUnsettled, v1beta1.GateQueueGrowthUndetected},
			Fails:   "A capacity search found no rate that keeps the objective, or every rate that it tried keeps it. A search that ran out of time, or with steps too short to detect a growing queue, is a warning.",
			Cause:   "`capacity.from` is too high, `capacity.to` too low, or the phase too short.",
			Fix:     "Change `capacity.from`, `capacity.to`, `capacity.step` or the duration of the phase.",
		},
		{
			Name: "recovery", Default: v1beta1.GateEnforce,
			Reasons: []v1beta1.Reason{v1beta1.GateRecoveryUnknown, v1beta1.GateDurabilityUnknown, v1beta1.GateDataLost, v1beta1.GateDataLostAsStated, v1beta1.GateDataChanged},
			Fails:   "A killed store lost or changed acknowledged operations, although its proof promises to keep them, or the proof does not say what it promises. A loss that the proof announces is a warning.",
			Cause:   "The store breaks its promise, or its proof makes none.",
			Fix:     "None: this is a result. If the proof makes no promise, add `" + v1beta1.SurvivesKill + "` to it.",
		},
		{
			Name: "profile", Default: v1beta1.GateWarn,
			Reasons: []v1beta1.Reason{v1beta1.GateProfileIncomplete},
			Fails:   "A part of a profile is missing.",
			Cause:   "A store pod did not deliver its part of the profile.",
			Fix:     "Read the text of the warning: it names what is missing.",
		},
		{
			Name: "foreign container", Default: v1beta1.GateWarn,
			Reasons: []v1beta1.Reason{v1beta1.GateForeignContainer},
			Fails:   "The load pods had containers that others added.",
			Cause:   "A service mesh or another webhook added a sidecar.",
			Fix:     "Exclude the load pods with `spec.load.podAnnotations` or `podLabels`.",
		},
	}
}

// CanDependOnFigure reports whether a measurement may be invalid for this reason because of its figures, as one that missed its rate is.
func CanDependOnFigure(reason v1beta1.Reason) bool {
	return !slices.ContainsFunc(Catalogue(), func(g Gate) bool { return g.Neutral && slices.Contains(g.Reasons, reason) })
}

// Fix returns what to do about a reason; empty for an unknown one.
func Fix(reason v1beta1.Reason) string {
	for _, gate := range Catalogue() {
		if slices.Contains(gate.Reasons, reason) {
			return gate.Fix
		}
	}
	return ""
}
