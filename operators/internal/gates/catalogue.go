package gates

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Gate is a check of a measurement. Its reasons and warnings begin with its name and a colon.
type Gate struct {
	Name string
	// Field of spec.gates that sets the mode; empty for a gate that no experiment can switch off.
	Field string
	// Limit is a further field of spec.gates, and Tolerated its default; empty for a gate without one.
	Limit, Tolerated string
	// Always is the mode of a gate without a field.
	Always v1alpha1.GateMode
	// Fails says when it does, Cause and Fix what is behind it and what to do: sentences for docs/reference.
	Fails, Cause, Fix string
}

// Mode of the gate where the experiment sets none.
func (g Gate) Mode() v1alpha1.GateMode {
	if g.Field == "" {
		return g.Always
	}
	return modeOf("", v1alpha1.MeasurementSpec{})
}

// Catalogue returns all gates: those that an experiment sets, then the others.
func Catalogue() []Gate {
	var standard v1alpha1.Gates
	permille := func(n int64) string { return fmt.Sprint(n) }
	return []Gate{
		{
			Name: "errors", Field: "errors", Limit: "errorsMaxPermille", Tolerated: permille(standard.ErrorsMaxPermille),
			Fails: "More than `errorsMaxPermille` of the operations failed. Not checked in phases with faults.",
			Cause: "The store rejects operations or times out, or the load asks for more than the store can do.",
			Fix:   "Look at `errors_by_kind`. Lower the load, or tolerate a share with `errorsMaxPermille`.",
		},
		{
			Name: "store restart", Field: "storeRestart",
			Fails: "A store pod restarted or was not ready during the phase. A restart between two measurements is always a warning.",
			Cause: "The pod was killed for its memory, evicted, or failed a probe. After a restart its caches are cold.",
			Fix:   "Check the memory limit and the log of the pod.",
		},
		{
			Name: "load CPU", Field: "loadCPU", Limit: "loadCPUMaxPermille", Tolerated: permille(standard.LoadCPULimit()),
			Fails: "A load pod used `loadCPUMaxPermille` or more of the CPU that it could get, or its use is not known.",
			Cause: "The load generator has too little CPU, so it may have set the pace instead of the store.",
			Fix:   "Give it more CPU (`spec.load.resources`), more pods (`spec.load.pods`) or a node of its own.",
		},
		{
			Name: "load wait", Field: "loadWait", Limit: "loadWaitMaxPermille", Tolerated: permille(standard.LoadWaitLimit()),
			Fails: "The threads of a load pod waited for a core for more than `loadWaitMaxPermille` of the time in which they wanted one, or the time is not known.",
			Cause: "Other processes use the cores of the node. The load counts its own delay as the store's latency.",
			Fix:   "As for `load CPU`.",
		},
		{
			Name: "target rate", Field: "targetRate", Limit: "targetRateMinPermille", Tolerated: permille(standard.TargetRateLimit()),
			Fails: "Less than `targetRateMinPermille` of a constant rate was answered. Not checked in phases with faults or a kill.",
			Cause: "The store or the load cannot keep the rate, so latencies are those of a growing backlog.",
			Fix:   "Ask for a lower rate, or give the load more threads.",
		},
		{
			Name: "throttling", Field: "throttling", Limit: "throttlingMaxPermille", Tolerated: permille(standard.ThrottlingLimit()),
			Fails: "The CPU limit throttled a load pod for more than `throttlingMaxPermille` of the phase, or a LimitRange gave the store a CPU limit.",
			Cause: "A CPU limit of the load (`spec.load.resources`), or a LimitRange of the namespace.",
			Fix:   "Remove the limit. To measure under a limit, name it in the store's values.",
		},
		{
			Name: "colocation", Field: "colocation",
			Fails: "A load pod ran on a node of the store.",
			Cause: "There is no node without a store pod, so store and load compete for the same cores.",
			Fix:   "Add a node for the load. With `Warn`, ratios between servers remain comparable; absolute values do not.",
		},
		{
			Name: "other runs", Field: "otherRuns",
			Fails: "A run of another namespace had its store or its load on the same nodes.",
			Cause: "Two operators share nodes.",
			Fix:   "Wait for the other run, or use other nodes.",
		},
		{
			Name: "disk", Field: "disk",
			Fails: "A node of the store is not labelled `" + v1alpha1.LabelDisk + "=" + DiskSSD + "`.",
			Cause: "The node has no SSD, or nobody labelled it.",
			Fix:   "Label the nodes that have SSDs, or set `Warn`.",
		},
		{
			Name: "start skew", Field: "startSkew", Limit: "startSkewLimit", Tolerated: standard.SkewLimit().String(),
			Fails: "Load pods began more than `startSkewLimit` apart, or there was no time in which all of them drove load.",
			Cause: "A load pod started late, or the clocks of nodes differ.",
			Fix:   "Check the start of the load pods, and the clocks of their nodes.",
		},
		{
			Name: "variant", Always: v1alpha1.GateEnforce,
			Fails: "A store pod did not prove the server, class, port, build or settings that were asked for, or the load ran another image than the one that was built.",
			Cause: "An image or a plugin is older than the build, or a setting did not reach the store.",
			Fix:   "Build and load the images again (`make images-load`), or correct the setting that the reason names.",
		},
		{
			Name: "nodes", Always: v1alpha1.GateEnforce,
			Fails: "The store had fewer pods than were asked for, at the start or at the end of the phase.",
			Cause: "A store pod is pending, failed or lost.",
			Fix:   "Check the store's pods.",
		},
		{
			Name: "counts", Always: v1alpha1.GateEnforce,
			Fails: "Operations that were ordered neither were answered nor failed, no operation was answered, or operations that were due never began. In phases with faults or a kill, the last is a warning.",
			Cause: "The load tool lost operations, nothing was answered, or the rate was so high that operations waited until the load gave up.",
			Fix:   "Read the log of the load pod. Ask for a lower rate where operations did not begin.",
		},
		{
			Name: "capacity", Always: v1alpha1.GateEnforce,
			Fails: "A capacity search found no rate that keeps the objective, or every rate that it tried keeps it. A search that ran out of time, or with steps too short to detect a growing queue, is a warning.",
			Cause: "`capacity.from` is too high, `capacity.to` too low, or the phase too short.",
			Fix:   "Change `capacity.from`, `capacity.to`, `capacity.step` or the duration of the phase.",
		},
		{
			Name: "recovery", Always: v1alpha1.GateEnforce,
			Fails: "A killed store lost or changed acknowledged operations, although its proof promises to keep them, or the proof does not say what it promises. A loss that the proof announces is a warning.",
			Cause: "The store breaks its promise, or its proof makes none.",
			Fix:   "None: this is a result. If the proof makes no promise, add `" + v1alpha1.SurvivesKill + "` to it.",
		},
		{
			Name: "profile", Always: v1alpha1.GateWarn,
			Fails: "A part of a profile is missing.",
			Cause: "A store pod did not deliver its part of the profile.",
			Fix:   "Read the text of the warning: it names what is missing.",
		},
		{
			Name: "foreign container", Always: v1alpha1.GateWarn,
			Fails: "The load pods had containers that others added.",
			Cause: "A service mesh or another webhook added a sidecar.",
			Fix:   "Exclude the load pods with `spec.load.podAnnotations` or `podLabels`.",
		},
	}
}
