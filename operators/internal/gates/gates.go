// Package gates judges whether a measurement's figures may be used. It is pure.
package gates

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Evidence is all that is known about a measurement once its load has ended.
type Evidence struct {
	Spec  v1beta1.MeasurementSpec
	Gates v1beta1.Gates
	Parts []v1beta1.Part
	// Faults are those that were requested during the phase.
	Faults []v1beta1.FaultStatus
	Result v1beta1.Result
	// Proofs are those of the measured server.
	Proofs []v1beta1.Proof
	// ExpectedClass is the class that the chart declares; empty if it declares none.
	ExpectedClass string
	// Asked are the settings that the experiment sets, by their names in a proof.
	Asked map[string]string
	// Upgraded are the store pods that the experiment had upgraded, with what they must prove since.
	Upgraded map[string]Promise
	// Ports are those that the load was sent to.
	Ports []int32
	// StorePods are all pods of the store. ServerPods are those that run the server: each must have a proof.
	StorePods, ServerPods []string
	// Nodes is the requested number of store pods, ReadyPods the number that were ready at the phase's end.
	Nodes     int
	ReadyPods int
	// StoreChange describes which store pod restarted or was not ready during the phase; empty if none.
	StoreChange string
	// RestartedBefore describes which store pod restarted between the previous measurement and this one; empty if none.
	RestartedBefore string
	// Repeated is the maintenance of the phase that a node has carried out before on the same store; empty if there is none.
	Repeated string
	// StoreLimited names containers of the store's pods with a CPU limit that the chart does not set.
	StoreLimited []string
	// StoreBuilt describes the build of the store's image; nil if unknown.
	StoreBuilt *v1beta1.Build
	// LoadImage is the image of the load pods; nil if it was not seen.
	LoadImage   *v1beta1.LoadImage
	Environment v1beta1.Environment
	// Machines are the nodes of each server's store pods, in the order of the experiment.
	Machines []ServerNodes
	// OtherRuns are runs of other namespaces during the phase.
	OtherRuns []OtherRun
	// KnewCompactions reports whether the store reported its pending compactions before an earlier phase.
	KnewCompactions bool
	// Impossible names figures that no measurement can have, with their values.
	Impossible []string
	// Foreign are containers that others injected into the load pods.
	Foreign []string
}

// Promise is what a store pod must prove.
type Promise struct {
	// Server is the type of server that it became.
	Server string
	// Class as in ExpectedClass, and Asked as in Asked of the evidence.
	Class string
	Asked map[string]string
}

// promiseOf returns what a store pod must prove.
func (e Evidence) promiseOf(pod string) Promise {
	if promise, upgraded := e.Upgraded[pod]; upgraded {
		return promise
	}
	return Promise{Class: e.ExpectedClass, Asked: e.Asked}
}

// Verdict is the result of all gates: a measurement with Invalid findings is invalid.
type Verdict struct {
	Invalid  Findings
	Warnings Findings
}

// Valid reports whether the figures may be used.
func (v Verdict) Valid() bool { return len(v.Invalid) == 0 }

// Judge evaluates all gates, so that all findings are reported at once.
func Judge(e Evidence) Verdict {
	var verdict Verdict
	verdict.Invalid = append(verdict.Invalid, Variant(e)...)
	verdict.Invalid = append(verdict.Invalid, nodes(e)...)
	verdict.Invalid = append(verdict.Invalid, loadBuild(e.LoadImage)...)
	verdict.Invalid = append(verdict.Invalid, counts(e)...)
	verdict.Invalid = append(verdict.Invalid, nothingFound(e)...)
	verdict.Invalid = append(verdict.Invalid, impossible(e)...)
	verdict.Warnings = append(verdict.Warnings, littleFound(e)...)
	if e.Spec.Recovery == nil && len(e.Spec.Faults) == 0 {
		verdict.Invalid = append(verdict.Invalid, notBegun(e)...)
	} else { // the time until the store recovers is measured, and known nevertheless
		verdict.Warnings = append(verdict.Warnings, notBegun(e)...)
	}
	verdict.Invalid = append(verdict.Invalid, capacity(e)...)
	verdict.Invalid = append(verdict.Invalid, recovery(e)...)
	verdict.Warnings = append(verdict.Warnings, lostAsPromised(e)...)
	verdict.Warnings = append(verdict.Warnings, restartedBefore(e)...)
	verdict.Warnings = append(verdict.Warnings, unsettled(e)...)
	verdict.Warnings = append(verdict.Warnings, unseen(e)...)
	verdict.Warnings = append(verdict.Warnings, profileLeftOut(e)...)
	verdict.Warnings = append(verdict.Warnings, foreignContainers(e)...)
	verdict.Warnings = append(verdict.Warnings, compactionsLeft(e)...)
	verdict.Warnings = append(verdict.Warnings, clocks(e)...)
	verdict.Warnings = append(verdict.Warnings, repeated(e)...)
	verdict.Warnings = append(verdict.Warnings, storeCPU(e)...)
	verdict.Warnings = append(verdict.Warnings, machines(e)...)
	const figures, data = true, false
	for _, gate := range []struct {
		mode v1beta1.GateMode
		// figures reports that the gate judges what the figures are worth, not whether the store has its data.
		figures bool
		check   func(Evidence) Findings
	}{
		{e.Gates.Errors, data, failedOperations},
		{e.Gates.StoreRestart, data, storeRestart},
		{e.Gates.LoadCPU, figures, ofLoad(loadCPU)},
		{e.Gates.LoadWait, figures, ofLoad(loadWait)},
		{e.Gates.TargetRate, figures, ofLoad(targetRate)},
		{e.Gates.Throttling, figures, ofLoad(throttling)},
		{e.Gates.Throttling, figures, storeLimited},
		{e.Gates.Colocation, figures, colocation},
		{e.Gates.OtherRuns, figures, otherRuns},
		{e.Gates.Disk, figures, disk},
		{e.Gates.StartSkew, figures, startSkew},
		{e.Gates.PendingCompactions.Or(pendingCompactionsMode), figures, pendingCompactions},
	} {
		switch modeOf(gate.mode, gate.figures, e.Spec) {
		case v1beta1.GateEnforce:
			verdict.Invalid = append(verdict.Invalid, gate.check(e)...)
		case v1beta1.GateWarn:
			verdict.Warnings = append(verdict.Warnings, gate.check(e)...)
		case v1beta1.GateOff:
		}
	}
	return verdict
}

// modeOf returns the mode of a gate. For profiles, gates only warn, because no figure is compared; in prepare phases and warm-up rounds, those that
// judge figures do.
func modeOf(mode v1beta1.GateMode, figures bool, spec v1beta1.MeasurementSpec) v1beta1.GateMode {
	mode = mode.Or(v1beta1.GateEnforce)
	if (spec.Profile != nil || spec.Warmup && figures) && mode == v1beta1.GateEnforce {
		return v1beta1.GateWarn
	}
	return mode
}

// ofLoad returns a gate that does not apply to idle phases and profiles, in which no rate is measured.
func ofLoad(check func(Evidence) Findings) func(Evidence) Findings {
	return func(e Evidence) Findings {
		if e.Spec.Idle || e.Spec.Profile != nil {
			return nil
		}
		return check(e)
	}
}

// nodes checks the number of the store's pods: a store with fewer nodes is another store.
func nodes(e Evidence) Findings {
	var findings Findings
	if len(e.StorePods) < e.Nodes {
		findings = append(findings, finding(v1beta1.GateStoreNodesMissing, "nodes: the phase began on %d of %d requested store pods", len(e.StorePods), e.Nodes))
	}
	if e.ReadyPods < e.Nodes {
		findings = append(findings, finding(v1beta1.GateStoreNodesMissing, "nodes: %d of %d requested store pods were ready at the end of the phase", e.ReadyPods, e.Nodes))
	}
	return findings
}

// counts checks that every ordered operation was answered or failed.
func counts(e Evidence) Findings {
	var findings Findings
	for _, part := range e.Parts {
		if part.Message != "" {
			findings = append(findings, finding(v1beta1.GateLoadReportInconsistent, "counts: load pod %d: %s", part.Index, part.Message))
		}
	}
	made := e.Result.Operations + e.Result.Errors + e.Result.Unanswered
	switch {
	case e.Spec.Idle && (e.Result.StoreCPU == nil || e.Result.StoreCPU.IdleCores == ""):
		findings = append(findings, finding(v1beta1.GateIdleCPUUnknown, "counts: the store's CPU time at rest is not known: its pods did not report it"))
	case e.Spec.Idle:
	case e.Result.Operations == 0:
		findings = append(findings, finding(v1beta1.GateNothingAnswered, "counts: no operation was answered"))
	case e.Spec.Operations > 0 && made != e.Spec.Operations:
		neither := ""
		if e.Result.Unanswered > 0 {
			neither = fmt.Sprintf(", %d neither", e.Result.Unanswered)
		}
		findings = append(findings, finding(v1beta1.GateOperationsLost, "counts: %d operations were answered and %d failed%s, of %d ordered",
			e.Result.Operations, e.Result.Errors, neither, e.Spec.Operations))
	}
	return findings
}

// impossible rejects figures that are no numbers, infinite or negative.
func impossible(e Evidence) Findings {
	if len(e.Impossible) == 0 {
		return nil
	}
	return Findings{finding(v1beta1.GateFigureImpossible, "counts: no measurement can have %s", strings.Join(e.Impossible, ", "))}
}

// notBegun rejects operations that never started, regardless of the target-rate gate: a percentile without them would be too low.
func notBegun(e Evidence) Findings {
	if e.Result.NotBegun == 0 {
		return nil
	}
	return Findings{finding(v1beta1.GateOperationsNotBegun, "counts: %d operations were due but had not started within timeout-ms, so that no latency is known: use a lower rate", e.Result.NotBegun)}
}

// profileLeftOut returns what is missing from a profile.
func profileLeftOut(e Evidence) Findings {
	if e.Spec.Profile == nil {
		return nil
	}
	if e.Result.Profile == nil {
		return Findings{finding(v1beta1.GateProfileIncomplete, "profile: the load pod reported none")}
	}
	var out Findings
	for _, line := range e.Result.Profile.LeftOut {
		out = append(out, finding(v1beta1.GateProfileIncomplete, "profile: %s", line))
	}
	return out
}

// foreignContainers warns of injected containers: they may use the load's CPU, and a mesh's proxy is on its way to the store.
func foreignContainers(e Evidence) Findings {
	if len(e.Foreign) == 0 {
		return nil
	}
	return Findings{finding(v1beta1.GateForeignContainer, "foreign container: %s was injected into the load pods and may affect the figures; exclude it with spec.load.podAnnotations or podLabels", strings.Join(e.Foreign, ", "))}
}

func failedOperations(e Evidence) Findings {
	if len(e.Spec.Faults) > 0 {
		return nil // errors under faults are measured
	}
	failed, made := e.Result.Errors, e.Result.Operations+e.Result.Errors+e.Result.Unanswered
	tolerated := e.Gates.ErrorsMax.Permille()
	if e.Spec.Capacity != nil {
		tolerated = max(tolerated, e.Spec.Capacity.FailedMax.Permille()) // the objective's limit
	}
	switch {
	case failed*1000 <= made*tolerated:
		return nil
	case tolerated == 0:
		return Findings{finding(v1beta1.GateOperationsFailed, "errors: %d operations failed%s", failed, lastError(e))}
	}
	return Findings{finding(v1beta1.GateOperationsFailed, "errors: %d of %d operations failed, more than the tolerated %s%s", failed, made, percent(tolerated), lastError(e))}
}

// lastError returns the last error of the first load pod that has one, for a message.
func lastError(e Evidence) string {
	for _, part := range e.Parts {
		if part.LastError != "" {
			return ": " + part.LastError
		}
	}
	return ""
}

func storeRestart(e Evidence) Findings {
	if e.StoreChange == "" {
		return nil
	}
	return Findings{finding(v1beta1.GateStoreRestarted, "store restart: %s", e.StoreChange)}
}

// restartedBefore warns of a store with cold caches. Its data is still there, else the run would have ended.
func restartedBefore(e Evidence) Findings {
	if e.RestartedBefore == "" {
		return nil
	}
	return Findings{finding(v1beta1.GateStoreRestartedBefore, "store restart: %s", e.RestartedBefore)}
}

// repeated warns of maintenance that had less to do than the first time.
func repeated(e Evidence) Findings {
	if e.Repeated == "" {
		return nil
	}
	return Findings{finding(v1beta1.GateTaskRepeated, "maintenance: %s was carried out before on this store, and may have had less to do; use a store for each round (spec.store.hosting: Dedicated)", e.Repeated)}
}

// storeLimited rejects a store with a CPU limit of the namespace, which may throttle it for an unknown time.
func storeLimited(e Evidence) Findings {
	var out Findings
	for _, container := range e.StoreLimited {
		out = append(out, finding(v1beta1.GateStoreCPULimited, "throttling: a LimitRange of the namespace gave %s a CPU limit: remove the default from it, or set a limit in the store's values (resources)", container))
	}
	return out
}

func colocation(e Evidence) Findings {
	var out Findings
	for _, part := range e.Parts {
		if slices.ContainsFunc(e.Environment.StoreNodes, func(n v1beta1.NodeInfo) bool { return n.Name == part.Node }) ||
			slices.ContainsFunc(e.Machines, func(s ServerNodes) bool { return slices.Contains(s.Nodes, part.Node) }) {
			out = append(out, finding(v1beta1.GateLoadOnStoreNode, "colocation: load pod %d ran on the store's node %s", part.Index, part.Node))
		}
	}
	return out
}

func disk(e Evidence) Findings {
	var out Findings
	for _, node := range e.Environment.StoreNodes {
		if node.Disk != DiskSSD {
			out = append(out, finding(v1beta1.GateDiskNotSSD, "disk: the store's node %s is not labelled %s=%s but %s", node.Name, v1beta1.LabelDisk, DiskSSD, node.Disk))
		}
	}
	return out
}

func startSkew(e Evidence) Findings {
	if e.Spec.Pods > 1 && e.Result.Common == nil {
		return Findings{finding(v1beta1.GateLoadNeverTogether, "start skew: the load pods never drove load at the same time")}
	}
	skew := time.Duration(e.Result.StartSkewMillis) * time.Millisecond
	if skew <= e.Gates.SkewLimit() {
		return nil
	}
	return Findings{finding(v1beta1.GateLoadStartSkewed, "start skew: load pods began %s apart", skew)}
}

// DiskSSD is the label value of a node whose volumes are on an SSD.
const DiskSSD = "ssd"
