package validation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkValues validates the chart values of every release.
func checkValues(experiment *v1beta1.Experiment, spec *v1beta1.ExperimentSpec, chart *storechart.Chart, images storechart.Images) []problem.Problem {
	var problems []problem.Problem
	problems = append(problems, checkOwned(spec, chart, images)...)
	one := experiment.DeepCopy()
	one.Spec = *spec.DeepCopy()
	one.Spec.Rounds, one.Spec.Installations = 1, 1 // rounds and installations differ only in their order
	for _, installation := range plan.Build(one, 0).Stores {
		for _, release := range installation.Releases {
			problems = append(problems, checkRelease(spec, release, chart, images)...)
		}
	}
	slices.SortStableFunc(problems, func(a, b problem.Problem) int { return strings.Compare(a.What, b.What) })
	return slices.Compact(problems)
}

// checkOwned rejects values that the operator overrides: the run would be of another store than the experiment file states.
func checkOwned(spec *v1beta1.ExperimentSpec, chart *storechart.Chart, images storechart.Images) []problem.Problem {
	version := ""
	if chart.AppVersion() != "" {
		version = fmt.Sprintf("; this chart is %s %s", chart.Name(), chart.AppVersion())
	}
	layers := map[string]*storechart.JSON{"spec.store.values": spec.Store.Values}
	for _, server := range spec.Servers {
		layers["spec.servers."+server.Name+".values"] = server.Values
	}
	var problems []problem.Problem
	for _, where := range slices.Sorted(maps.Keys(layers)) {
		found, err := storechart.OverriddenBy(layers[where], chart.Images(images))
		if err != nil {
			continue // it is no table, which is reported elsewhere
		}
		for _, value := range found {
			problems = append(problems, problem.New("remove it"+version, "%s.%s is %s, but the operator sets %s", where, value.Path, value.Written, value.Path))
		}
	}
	return problems
}

func checkRelease(spec *v1beta1.ExperimentSpec, release plan.Release, chart *storechart.Chart, images storechart.Images) []problem.Problem {
	values, err := StoreValues(*spec, release, chart.Images(images))
	if err != nil {
		return []problem.Problem{problem.New("fix store.values", "store %s: %v", chart.Name(), err)}
	}
	settings, err := chart.Settle(values)
	if err != nil {
		return []problem.Problem{problem.New("see "+chart.ValuesFile()+dotsHint(err), "store.%v", err)}
	}
	if nodes, replicas := settings.Nodes(), settings.ReplicationFactor(); replicas > nodes && nodes > 0 {
		return []problem.Problem{problem.New(fmt.Sprintf("use at most %d replicas, or %d nodes", nodes, replicas), "replicationFactor %d is greater than nodes %d", replicas, nodes)}
	}
	return checkThreads(spec, release, chart, settings)
}

// checkThreads rejects more connections than the threads of a server that holds one for each: the others would never be answered.
func checkThreads(spec *v1beta1.ExperimentSpec, release plan.Release, chart *storechart.Chart, settings storechart.Settings) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		path := chart.ConnectionThreads(server.ServerType())
		if path == "" || !slices.Contains(release.Servers, server.Name) {
			continue
		}
		threads, nodes := settings.Number(path), max(settings.Nodes(), 1)
		if own, err := strconv.ParseInt(server.Options["workers"], 10, 64); err == nil {
			path, threads = "servers."+server.Name+".options.workers", own
		} else {
			path = "store.values." + path
		}
		for _, phase := range spec.Phases {
			most := int64(slices.Max(connectionCounts(phase)))
			if phase.Interleave != nil && phase.Interleave.Mode == v1beta1.InterleaveDuet {
				most = (most + 1) / 2 // each side has half of them
			}
			if phase.Type != v1beta1.PhaseIdle && most > threads*nodes {
				problems = append(problems, problem.New(fmt.Sprintf("--set spec.%s=%d, or use fewer threads", path, (most+nodes-1)/nodes),
					"phase %s opens %d connections to server %s, which has %d threads on each of %d nodes, one for each connection", phase.Name, most, server.Name, threads, nodes))
				break
			}
		}
	}
	return problems
}

// dotsHint returns a hint for a table where the schema expects text: dots in a key may have been read as separators of a path.
func dotsHint(err error) string {
	if strings.Contains(err.Error(), "got object, want string") {
		return `; write \. for a dot in a key in --set`
	}
	return ""
}

// StoreValues returns the values for a release's chart: those of a shared store, or also those of the only server.
func StoreValues(spec v1beta1.ExperimentSpec, release plan.Release, images storechart.Images) (map[string]any, error) {
	servers := storechart.Servers{Types: release.Types}
	for _, instance := range release.Instances {
		servers.Instances = append(servers.Instances, storechart.Instance{Name: instance.Name, Options: instance.Options})
	}
	var own *storechart.JSON
	if at := slices.IndexFunc(spec.Servers, func(s v1beta1.ServerSpec) bool { return slices.Equal(release.Servers, []string{s.Name}) }); at >= 0 {
		own = spec.Servers[at].Values // a shared store has none
	}
	return storechart.Values(spec.Store.Values, own, servers, images)
}
