// Package gates judges whether a measurement's figures may be used. It is pure.
package gates

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Evidence is all that is known about a measurement once its load has ended.
type Evidence struct {
	Spec   v1alpha1.MeasurementSpec
	Gates  v1alpha1.Gates
	Parts  []v1alpha1.Part
	Result v1alpha1.Result
	// Proofs of the server type that was driven.
	Proofs []v1alpha1.Proof
	// ExpectedClass as the chart declares it; empty when it does not.
	ExpectedClass string
	// Asked are the settings that the experiment asks for, by their names in a proof.
	Asked map[string]string
	// Ports that the load was sent to.
	Ports []int32
	// StorePods that must each have given a proof.
	StorePods []string
	// Nodes are the store pods that were asked for, ReadyPods those that were ready at the phase's end.
	Nodes     int
	ReadyPods int
	// StoreChange says which store pod restarted or was not ready during the phase; empty when none was.
	StoreChange string
	// RestartedBefore says which store pod restarted between the measurement before and this one; empty when none did.
	RestartedBefore string
	// StoreLimited names containers of the store's pods that have a CPU limit which nobody asked for.
	StoreLimited []string
	// StoreBuilt is what was built of the store's image; nil when nobody said.
	StoreBuilt *v1alpha1.Build
	// LoadImage is what drove the load; nil when it was not seen.
	LoadImage   *v1alpha1.LoadImage
	Environment v1alpha1.Environment
	// OtherRuns of other namespaces that were under way meanwhile.
	OtherRuns []OtherRun
	// Foreign containers that others put into the load pods.
	Foreign []string
}

// Verdict on a measurement: invalid when there are Reasons.
type Verdict struct {
	Reasons  []string
	Warnings []string
}

// Valid says whether the figures may be used.
func (v Verdict) Valid() bool { return len(v.Reasons) == 0 }

// Judge looks at everything, so that all reasons are told at once.
func Judge(e Evidence) Verdict {
	var verdict Verdict
	verdict.Reasons = append(verdict.Reasons, Variant(e)...)
	verdict.Reasons = append(verdict.Reasons, nodes(e)...)
	verdict.Reasons = append(verdict.Reasons, loadBuild(e.LoadImage)...)
	verdict.Reasons = append(verdict.Reasons, counts(e)...)
	if e.Spec.Recovery == nil && len(e.Spec.Faults) == 0 {
		verdict.Reasons = append(verdict.Reasons, notBegun(e)...)
	} else { // how long the store takes to come back is what is measured, and known all the same
		verdict.Warnings = append(verdict.Warnings, notBegun(e)...)
	}
	verdict.Reasons = append(verdict.Reasons, capacity(e)...)
	verdict.Reasons = append(verdict.Reasons, recovery(e)...)
	verdict.Warnings = append(verdict.Warnings, lostAsPromised(e)...)
	verdict.Warnings = append(verdict.Warnings, restartedBefore(e)...)
	verdict.Warnings = append(verdict.Warnings, unsettled(e)...)
	verdict.Warnings = append(verdict.Warnings, unseen(e)...)
	verdict.Warnings = append(verdict.Warnings, profileLeftOut(e)...)
	verdict.Warnings = append(verdict.Warnings, foreignContainers(e)...)
	for _, gate := range []struct {
		mode   v1alpha1.GateMode
		speaks func(Evidence) []string
	}{
		{e.Gates.Errors, failedOperations},
		{e.Gates.StoreRestart, storeRestart},
		{e.Gates.LoadCPU, ofLoad(loadCPU)},
		{e.Gates.LoadWait, ofLoad(loadWait)},
		{e.Gates.TargetRate, ofLoad(targetRate)},
		{e.Gates.Throttling, ofLoad(throttling)},
		{e.Gates.Throttling, storeLimited},
		{e.Gates.Colocation, colocation},
		{e.Gates.OtherRuns, otherRuns},
		{e.Gates.Disk, disk},
		{e.Gates.StartSkew, startSkew},
	} {
		switch modeOf(gate.mode, e.Spec) {
		case v1alpha1.GateEnforce:
			verdict.Reasons = append(verdict.Reasons, gate.speaks(e)...)
		case v1alpha1.GateWarn:
			verdict.Warnings = append(verdict.Warnings, gate.speaks(e)...)
		case v1alpha1.GateOff:
		}
	}
	return verdict
}

// modeOf a gate: what is wrong beside a profile takes no figure away, for there is none to be compared.
func modeOf(mode v1alpha1.GateMode, spec v1alpha1.MeasurementSpec) v1alpha1.GateMode {
	mode = mode.Or(v1alpha1.GateEnforce)
	if spec.Profile != nil && mode == v1alpha1.GateEnforce {
		return v1alpha1.GateWarn
	}
	return mode
}

// ofLoad is a gate that has nothing to say where nobody's pace was measured: at rest, when who only looks is hardly ever at it, and while
// the store is looked into.
func ofLoad(speaks func(Evidence) []string) func(Evidence) []string {
	return func(e Evidence) []string {
		if e.Spec.Idle || e.Spec.Profile != nil {
			return nil
		}
		return speaks(e)
	}
}

// nodes holds the number of the store's pods against what was asked for: fewer nodes are another store.
func nodes(e Evidence) []string {
	var reasons []string
	if len(e.StorePods) < e.Nodes {
		reasons = append(reasons, fmt.Sprintf("nodes: the phase began on %d store pods, of %d asked for", len(e.StorePods), e.Nodes))
	}
	if e.ReadyPods < e.Nodes {
		reasons = append(reasons, fmt.Sprintf("nodes: %d store pods were ready at the end of the phase, of %d asked for", e.ReadyPods, e.Nodes))
	}
	return reasons
}

// counts must add up: every operation that was ordered was answered or failed.
func counts(e Evidence) []string {
	var reasons []string
	for _, part := range e.Parts {
		if part.Message != "" {
			reasons = append(reasons, fmt.Sprintf("counts: load pod %d: %s", part.Index, part.Message))
		}
	}
	made := e.Result.Operations + e.Result.Errors + e.Result.Unanswered
	switch {
	case e.Spec.Idle && (e.Result.StoreCPU == nil || e.Result.StoreCPU.IdleCores == ""):
		reasons = append(reasons, "counts: what the store used at rest is not known: its pods did not tell")
	case e.Spec.Idle:
	case e.Result.Operations == 0:
		reasons = append(reasons, "counts: no operation was answered")
	case e.Spec.Operations > 0 && made != e.Spec.Operations:
		neither := ""
		if e.Result.Unanswered > 0 {
			neither = fmt.Sprintf(", %d did neither", e.Result.Unanswered)
		}
		reasons = append(reasons, fmt.Sprintf("counts: %d operations were answered and %d failed%s, of %d ordered",
			e.Result.Operations, e.Result.Errors, neither, e.Spec.Operations))
	}
	return reasons
}

// notBegun operations are lost, whatever share of the rate may be missed: a percentile without them is that of the quicker ones.
func notBegun(e Evidence) []string {
	if e.Result.NotBegun == 0 {
		return nil
	}
	return []string{fmt.Sprintf("counts: %d operations were due and had not begun when the load's patience (timeout-ms) was over, so that no latency is known: ask for a lower rate", e.Result.NotBegun)}
}

// profileLeftOut is what is not in a profile that was to be taken.
func profileLeftOut(e Evidence) []string {
	if e.Spec.Profile == nil {
		return nil
	}
	if e.Result.Profile == nil {
		return []string{"profile: the load pod told of none"}
	}
	var out []string
	for _, line := range e.Result.Profile.LeftOut {
		out = append(out, "profile: "+line)
	}
	return out
}

// foreignContainers may use what the load was given, and a mesh's is in its way to the store.
func foreignContainers(e Evidence) []string {
	if len(e.Foreign) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("foreign container: %s ran in the load pods, put there by others: the figures may be of it too; keep it out by spec.load.podAnnotations or podLabels", strings.Join(e.Foreign, ", "))}
}

func failedOperations(e Evidence) []string {
	if len(e.Spec.Faults) > 0 {
		return nil // what fails when a node is lost is what is measured
	}
	failed, made := e.Result.Errors, e.Result.Operations+e.Result.Errors+e.Result.Unanswered
	tolerated := e.Gates.ErrorsMaxPermille
	if e.Spec.Capacity != nil {
		tolerated = max(tolerated, e.Spec.Capacity.FailedMaxPermille) // the objective has its own
	}
	switch {
	case failed*1000 <= made*tolerated:
		return nil
	case tolerated == 0:
		return []string{fmt.Sprintf("errors: %d operations failed", failed)}
	}
	return []string{fmt.Sprintf("errors: %d of %d operations failed, more than the %s that are tolerated", failed, made, percent(tolerated))}
}

func storeRestart(e Evidence) []string {
	if e.StoreChange == "" {
		return nil
	}
	return []string{"store restart: " + e.StoreChange}
}

// restartedBefore warns of a store that is not warm. Its data is there, or the run would have ended.
func restartedBefore(e Evidence) []string {
	if e.RestartedBefore == "" {
		return nil
	}
	return []string{"store restart: " + e.RestartedBefore}
}

// storeLimited: a store that is held back by a limit of the namespace is another one than was asked for. How long it was is not known.
func storeLimited(e Evidence) []string {
	var out []string
	for _, container := range e.StoreLimited {
		out = append(out, fmt.Sprintf("throttling: a LimitRange of the namespace gave %s a CPU limit: take the default out of it, or name a limit in the store's values (resources)", container))
	}
	return out
}

func colocation(e Evidence) []string {
	var out []string
	for _, part := range e.Parts {
		if slices.ContainsFunc(e.Environment.StoreNodes, func(n v1alpha1.NodeInfo) bool { return n.Name == part.Node }) {
			out = append(out, fmt.Sprintf("colocation: load pod %d ran on the store's node %s", part.Index, part.Node))
		}
	}
	return out
}

func disk(e Evidence) []string {
	var out []string
	for _, node := range e.Environment.StoreNodes {
		if node.Disk != DiskSSD {
			out = append(out, fmt.Sprintf("disk: the store's node %s is not labelled %s=%s but %s", node.Name, v1alpha1.LabelDisk, DiskSSD, node.Disk))
		}
	}
	return out
}

func startSkew(e Evidence) []string {
	if e.Spec.Pods > 1 && e.Result.Common == nil {
		return []string{"start skew: there was no time in which all load pods drove load"}
	}
	skew := time.Duration(e.Result.StartSkewMillis) * time.Millisecond
	if skew <= e.Gates.SkewLimit() {
		return nil
	}
	return []string{fmt.Sprintf("start skew: load pods began %s apart", skew)}
}

// DiskSSD is the label value of a node whose volumes are on an SSD.
const DiskSSD = "ssd"
