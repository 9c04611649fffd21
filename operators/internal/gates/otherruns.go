package gates

import (
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// OtherRun is a run of another namespace, and the nodes of its store and load.
type OtherRun struct {
	Namespace string
	Name      string
	Nodes     []string
}

// RunsBeside returns the runs of other namespaces that were active at some time between from and to. A suspended run without a store uses
// no node.
func RunsBeside(namespace string, all []v1beta1.Experiment, from, to time.Time) []OtherRun {
	var out []OtherRun
	for i := range all {
		other := &all[i]
		status := other.Status
		switch {
		case other.Namespace == namespace, len(status.OnNodes) == 0:
		case status.StartedAt == nil, status.StartedAt.After(to):
		case status.FinishedAt != nil && status.FinishedAt.Time.Before(from.Truncate(time.Second)): // times of an object are whole seconds
		case status.FinishedAt == nil && status.Store == nil && other.Spec.Suspend:
		default:
			out = append(out, OtherRun{Namespace: other.Namespace, Name: other.Name, Nodes: status.OnNodes})
		}
	}
	return out
}

// otherRuns reports runs on the same nodes: runs affect each other's figures.
func otherRuns(e Evidence) Findings {
	var out Findings
	for _, run := range e.OtherRuns {
		var shared []string
		for _, node := range slices.Concat(e.Environment.StoreNodes, e.Environment.LoadNodes) {
			if slices.Contains(run.Nodes, node.Name) && !slices.Contains(shared, node.Name) {
				shared = append(shared, node.Name)
			}
		}
		if len(shared) > 0 {
			out = append(out, finding(v1beta1.GateNodesShared, "other runs: run %s of namespace %s used %s during the phase", run.Name, run.Namespace, strings.Join(shared, ", ")))
		}
	}
	return out
}
