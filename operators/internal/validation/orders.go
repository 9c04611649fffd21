package validation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkOrders rejects what a phase's load would reject at its start, when a store is installed and hours may have passed.
func checkOrders(spec *v1beta1.ExperimentSpec, charts Charts, loads loadgen.Catalogue) []problem.Problem {
	if !loads.AtHand() {
		return nil
	}
	var problems []problem.Problem
	seen := map[problem.Problem]bool{} // a problem that phases share is reported once
	note := func(found problem.Problem) {
		if !seen[found] {
			problems = append(problems, found)
		}
		seen[found] = true
	}
	for _, phase := range spec.Phases {
		if phase.Type == v1beta1.PhaseIdle { // no load takes part in it
			continue
		}
		load, err := loads.Open(spec.LoadImage(phase))
		if err != nil {
			note(problem.New("", "%s", err))
		}
		if load == nil {
			continue
		}
		for _, found := range checkDriven(spec, charts, load, phase) {
			note(found)
		}
		for _, refusal := range load.Check(ordersOf(spec, phase)) {
			where := "phase " + phase.Name
			if _, own := phase.Parameters[refusal.Parameter]; refusal.Parameter != "" && !own {
				where = "spec.load.parameters"
			}
			note(problem.New(refusal.Fix, "%s: %s", where, refusal.What))
		}
	}
	return problems
}

// checkDriven rejects servers of the store that speak another protocol than the load, or than the phase's operation. Servers that it does not have are
// reported elsewhere.
func checkDriven(spec *v1beta1.ExperimentSpec, charts Charts, load *loadgen.Load, phase v1beta1.PhaseSpec) []problem.Problem {
	drives := load.Servers(phase.OperationName())
	if drives == nil {
		return nil
	}
	var problems []problem.Problem
	for _, server := range spec.Servers {
		chart := charts[spec.StoreOf(server).Chart]
		if kind := server.ServerType(); chart != nil && slices.Contains(chart.ServerTypes(), kind) && !slices.Contains(drives, kind) {
			what := ""
			if slices.Contains(load.Servers(""), kind) {
				what = " with operation " + phase.OperationName()
			}
			problems = append(problems, problem.New("choose from "+strings.Join(drives, ", ")+", or choose another load", "load %s cannot drive server %s%s", spec.LoadImage(phase), kind, what))
		}
	}
	return problems
}

func ordersOf(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec) loadgen.Orders {
	asked := loadgen.Orders{Operation: phase.OperationName(), Consistency: phase.Consistency, Parameters: maps.Clone(spec.Load.Parameters)}
	if asked.Parameters == nil {
		asked.Parameters = map[string]string{}
	}
	maps.Copy(asked.Parameters, phase.Parameters)
	for _, point := range phase.Points() {
		asked.Rate = asked.Rate || point.TargetRate > 0
		if point.Connections > point.Threads {
			asked.Connections = max(asked.Connections, point.Connections)
		}
	}
	if phase.Interleave != nil {
		asked.Interleave = strings.ToLower(string(cmp.Or(phase.Interleave.Mode, v1beta1.InterleaveWindows)))
	}
	asked.Recovery = phase.Recovery != nil
	asked.Failover = len(phase.Faults) > 0
	if phase.Capacity != nil {
		if asked.Queue = phase.Capacity.By == v1beta1.ByQueue; !asked.Queue {
			asked.Capacity = phase.Capacity.Percentile
		}
	}
	return asked
}
