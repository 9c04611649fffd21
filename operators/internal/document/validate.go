package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Check finds what the API's own rules cannot know: whether servers, values and load fit the store. chart may be nil.
func Check(experiment *v1alpha1.Experiment, chart *Chart) []Fault {
	spec := &experiment.Spec
	var faults []Fault
	if len(spec.Servers) == 0 {
		faults = append(faults, fault("list at least one under spec.servers", "there are no servers"))
	}
	faults = append(faults, checkPhases(spec)...)
	if chart == nil {
		return faults
	}
	if unknown := checkServerTypes(spec, chart); len(unknown) > 0 {
		return append(faults, unknown...) // the schema would say the same again
	}
	faults = append(faults, checkConnections(spec, chart)...)
	return append(faults, checkValues(spec, chart)...)
}

func checkPhases(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	for _, phase := range spec.Phases {
		for _, threads := range threadCounts(phase) {
			if threads < spec.Load.Pods {
				faults = append(faults, fault(fmt.Sprintf("use at least one thread per pod, or --set spec.load.pods=%d", max(threads, 1)),
					"phase %s has %d threads for %d load pods", phase.Name, threads, spec.Load.Pods))
			}
			if operations := spec.OperationCount(phase); operations > 0 && operations < int64(threads) {
				faults = append(faults, fault(fmt.Sprintf("ask for %d or more (OPS=, --ops)", threads),
					"phase %s has %d operations for %d threads", phase.Name, operations, threads))
			}
		}
	}
	return faults
}

func threadCounts(phase v1alpha1.PhaseSpec) []int32 {
	if len(phase.SweepThreads) > 0 {
		return phase.SweepThreads
	}
	return []int32{phase.Threads}
}

func checkServerTypes(spec *v1alpha1.ExperimentSpec, chart *Chart) []Fault {
	var faults []Fault
	for _, server := range spec.Servers {
		if len(chart.ServerTypes) > 0 && !slices.Contains(chart.ServerTypes, server.ServerType()) {
			faults = append(faults, fault("choose from "+strings.Join(chart.ServerTypes, ", "),
				"store %s knows no server %q", chart.Name, server.ServerType()))
		}
	}
	return faults
}

func checkConnections(spec *v1alpha1.ExperimentSpec, chart *Chart) []Fault {
	var faults []Fault
	for _, server := range spec.Servers {
		if !slices.Contains(chart.SingleConnection, server.ServerType()) {
			continue
		}
		if spec.Load.Pods > 1 {
			faults = append(faults, fault("leave it out of --server, or --set spec.load.pods=1",
				"server %s serves one connection at a time, and there are %d load pods", server.Name, spec.Load.Pods))
		}
		for _, phase := range spec.Phases {
			if most := slices.Max(threadCounts(phase)); most > 1 {
				faults = append(faults, fault(fmt.Sprintf("leave it out of --server, or --set spec.phases.%s.threads=1 for every phase", phase.Name),
					"server %s serves one connection at a time, and phase %s has %d threads, of which all but one would wait for ever",
					server.Name, phase.Name, most))
				break
			}
		}
	}
	return faults
}

func checkValues(spec *v1alpha1.ExperimentSpec, chart *Chart) []Fault {
	var faults []Fault
	for _, host := range hosts(spec) {
		values, err := chart.Values(host.types, raw(spec.Store.Values), raw(host.values))
		if err != nil {
			return append(faults, fault("mend store.values", "%v", err))
		}
		if nodes, replicas, both := nodesAndReplicas(values); both && replicas > nodes {
			faults = append(faults, fault(fmt.Sprintf("use at most %d replicas, or %d nodes", nodes, replicas),
				"replicationFactor %d is greater than nodes %d", replicas, nodes))
			continue
		}
		for _, line := range chart.Check(values) {
			faults = append(faults, fault("see charts/"+chart.Name+"/values.yaml", "%s", line))
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return strings.Compare(a.What, b.What) })
	return slices.Compact(faults)
}

type host struct {
	types  []string
	values *apiextensionsv1.JSON
}

// hosts are the installations the experiment will ask for: one with every server, or one for each.
func hosts(spec *v1alpha1.ExperimentSpec) []host {
	if spec.Store.Hosting == v1alpha1.HostingShared {
		var all host
		for _, server := range spec.Servers {
			if !slices.Contains(all.types, server.ServerType()) {
				all.types = append(all.types, server.ServerType())
			}
		}
		return []host{all}
	}
	var each []host
	for _, server := range spec.Servers {
		each = append(each, host{types: []string{server.ServerType()}, values: server.Values})
	}
	return each
}

func raw(values *apiextensionsv1.JSON) []byte {
	if values == nil {
		return nil
	}
	return values.Raw
}

func nodesAndReplicas(values map[string]any) (nodes, replicas int64, both bool) {
	nodes, hasNodes := integer(values["nodes"])
	replicas, hasReplicas := integer(values["replicationFactor"])
	return nodes, replicas, hasNodes && hasReplicas
}

func integer(value any) (int64, bool) {
	number, is := value.(json.Number)
	if !is {
		return 0, false
	}
	whole, err := number.Int64()
	return whole, err == nil
}
